#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Makes small runs and looks at them with ParaView, also through our macro. Use: paraview.sh BUILD
# Not part of the usual tests: ParaView is large, and nothing else needs it. With MN_PICTURES=FOLDER the pictures are kept there.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "${1:?use: paraview.sh BUILD}" && pwd)

command -v pvpython >/dev/null || {
    echo "pvpython is not there. On Debian: apt-get install python3-paraview; elsewhere put the bin folder of ParaView into PATH." >&2
    exit 1
}
# Debian's ParaView draws only on a display. (-noreset: a server that starts afresh between two windows refuses the second.)
draw=()
if [ -z "${DISPLAY:-}" ]; then
    command -v xvfb-run >/dev/null || { echo "there is neither a display nor xvfb-run. On Debian: apt-get install xvfb xauth" >&2; exit 1; }
    draw=(xvfb-run -a -s "-noreset -screen 0 1280x1024x24")
fi
[ -x "$build/meniscus" ] || { echo "$build/meniscus is not there: build first" >&2; exit 1; }

work=$(mktemp -d "${TMPDIR:-/tmp}/meniscus-paraview.XXXXXX")
trap 'status=$?; if [ "$status" -eq 0 ]; then rm -rf "$work"; else echo "what was left is in $work" >&2; fi' EXIT
"$build/meniscus" run "$here/paraview.yaml" -o "$work/moving" --quiet
"$build/meniscus" run "$here/paraview.yaml" --variant still -o "$work/still" --quiet

# What does not move is written once, and run.pvd points to it at every time.
files=$(find "$work/still/frames" -name 'obstacles.*' | wc -l)
[ "$files" -eq 1 ] || { echo "obstacles that stand still were written $files times" >&2; exit 1; }

pvpython --force-offscreen-rendering "$here/paraview_runs.py" "$work/moving" "$work/still"

# Cloth with a pile of yarn: the parts of fabrics.
"$build/meniscus" run "$here/../../scenes/yarn/fuzzy-towel.yaml" --variant small --frames 3 -o "$work/towel" --quiet
pvpython --force-offscreen-rendering "$here/paraview_fabric.py" "$work/towel"

# The macro, on those and on cloth that is wet or stained.
"$build/meniscus" run "$here/flat.yaml" -o "$work/flat" --quiet
"$build/meniscus" run "$here/../../scenes/fabric/strip-dip.yaml" --variant small --frames 4 -o "$work/wet" --quiet
"$build/meniscus" run "$here/../../scenes/stain/tablecloth.yaml" --variant small --frames 4 -o "$work/stain" --quiet
"$build/meniscus" run "$here/../../scenes/fabric/splash-yarn.yaml" --variant small --frames 2 -o "$work/yarn" --quiet
pictures=${MN_PICTURES:-$work/pictures}
mkdir -p "$pictures"
export PYTHONDONTWRITEBYTECODE=1
for run in moving flat towel wet stain yarn; do
    "${draw[@]}" pvpython --force-offscreen-rendering "$here/paraview_macro.py" "$here/../../integrations/paraview" "$pictures" "$work/$run"
done

# As a command, at a frame of choice; one that is not there is refused.
command=("${draw[@]}" pvpython --force-offscreen-rendering "$here/../../integrations/paraview/meniscus_open.py" "$work/wet")
"${command[@]}" --frame 1 --picture "$work/frame.png"
[ -s "$work/frame.png" ] || { echo "no picture was written" >&2; exit 1; }
if "${command[@]}" --frame 99 2>"$work/said"; then echo "frame 99 was opened" >&2; exit 1; fi
grep -q "has no frame 99; it has 0 to 4" "$work/said" || { cat "$work/said" >&2; exit 1; }
