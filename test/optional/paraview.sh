#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Makes three small runs and looks at them with ParaView. Use: paraview.sh BUILD
# Not part of the usual tests: ParaView is large, and nothing else needs it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "${1:?use: paraview.sh BUILD}" && pwd)

command -v pvpython >/dev/null || {
    echo "pvpython is not there. On Debian: apt-get install python3-paraview; elsewhere put the bin folder of ParaView into PATH." >&2
    exit 1
}
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
