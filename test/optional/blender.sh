#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Makes small runs, plays every frame of them in Blender, and holds what Blender has against VTK's reading. Use: blender.sh BUILD
# Not part of the usual tests: Blender and ParaView are large, and nothing else needs them.
# With MN_PICTURES=FOLDER the rendered pictures are kept there.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "${1:?use: blender.sh BUILD}" && pwd)
scenes="$here/../../scenes"

command -v blender >/dev/null || { echo "blender is not there. On Debian: apt-get install --no-install-recommends blender" >&2; exit 1; }
command -v pvpython >/dev/null || { echo "pvpython is not there. On Debian: apt-get install python3-paraview" >&2; exit 1; }
[ -x "$build/meniscus" ] || { echo "$build/meniscus is not there: build first" >&2; exit 1; }

work=$(mktemp -d "${TMPDIR:-/tmp}/meniscus-blender.XXXXXX")
trap 'status=$?; if [ "$status" -eq 0 ]; then rm -rf "$work"; else echo "what was left is in $work" >&2; fi' EXIT
# The user's own settings and add-ons stay out of it.
export BLENDER_USER_SCRIPTS="$work/scripts" BLENDER_USER_CONFIG="$work/config" PYTHONDONTWRITEBYTECODE=1
mkdir -p "$work/scripts/addons" "$work/config" "$work/pictures"
pictures=${MN_PICTURES:-$work/pictures}
mkdir -p "$pictures"

simulate() { local name=$1; shift; "$build/meniscus" run "$@" -o "$work/$name" --quiet; }
simulate liquid "$here/paraview.yaml"
simulate flat "$here/flat.yaml"
simulate drop "$scenes/liquid/drop-in-pool.yaml" --variant small --frames 6
simulate cloth "$scenes/cloth/drape-sphere.yaml" --variant small
simulate yarn "$scenes/yarn/plain-weave.yaml" --variant small --frames 6
simulate towel "$scenes/yarn/fuzzy-towel.yaml" --variant small --frames 3
simulate stain "$scenes/stain/tablecloth.yaml" --variant small
simulate wet "$scenes/fabric/splash-cloth.yaml" --variant small --frames 8
simulate wine "$scenes/stain/wine-on-tablecloth.yaml" --variant small --frames 8
runs=(liquid flat drop cloth yarn towel stain wet wine)
pvpython "$here/vtp_dump.py" "${runs[@]/#/$work/}"

# As a user gets it: a zip of the one folder.
(cd "$here/../../integrations/blender" && python3 -m zipfile -c "$work/meniscus_run.zip" meniscus_run/)
# (Blender tells the progress of a render in hundreds of lines.)
in_blender() { blender --background --factory-startup --python-exit-code 1 "$@" </dev/null 2>&1 | { grep -vE '^(Fra:.*|Blender quit|)$' || true; }; }
in_blender --python "$here/blender_install.py" -- "$work/meniscus_run.zip"
for run in "${runs[@]}"; do
    in_blender --addons meniscus_run --python "$here/blender_play.py" -- "$work/$run" "$pictures/$run.png"
    # Another Blender opens what that one saved.
    in_blender "$work/$run/saved.blend" --addons meniscus_run --python "$here/blender_reopen.py" -- "$work/$run"
done
in_blender --addons meniscus_run --python "$here/blender_water.py" -- "$work/wet"
in_blender --addons meniscus_run --python "$here/blender_damage.py" -- "$work/cloth" "$work/liquid"
in_blender --addons meniscus_run --python "$here/blender_blur.py" -- "$work/drop"
