# SPDX-License-Identifier: MPL-2.0
# What the tests with Node.js share. Use: . npm.sh; begin NAME BUILD
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

begin() {
    build=$(cd "${2:?use: $1.sh BUILD}" && pwd)
    meniscus=$build/meniscus
    [ -x "$meniscus" ] || { echo "$meniscus is not there: build first" >&2; exit 1; }
    command -v node >/dev/null && command -v npm >/dev/null || { echo "npm is not there: tools/install-deps --viewer" >&2; exit 1; }
    # The packages, as the lock file has them, and the scripts, which look for them beside themselves.
    modules=$build/test/npm
    mkdir -p "$modules"
    if ! cmp -s "$here/package-lock.json" "$modules/fetched"; then
        cp "$here/package.json" "$here/package-lock.json" "$modules"
        (cd "$modules" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
        cp "$here/package-lock.json" "$modules/fetched"
    fi
    cp "$here"/*.mjs "$modules"
    work=$(mktemp -d "${TMPDIR:-/tmp}/meniscus-$1.XXXXXX")
    trap 'status=$?; if [ "$status" -eq 0 ]; then rm -rf "$work"; else echo "what was left is in $work" >&2; fi' EXIT
}

# All kinds of parts at once; nothing at first and then a stream; yarn alone; a stain on a cloth. A few seconds.
runs=(splash stream yarn stain)
make_runs() {
    local scenes=$here/../../scenes
    "$meniscus" run "$here/splash.yaml" -o "$work/splash" --quiet
    "$meniscus" run "$here/paraview.yaml" --set 'output.parts=[particles, surface]' -o "$work/stream" --quiet
    "$meniscus" run "$scenes/yarn/plain-weave.yaml" --variant small --frames 6 -o "$work/yarn" --quiet
    "$meniscus" run "$scenes/stain/waving-flag.yaml" --variant small --frames 6 -o "$work/stain" --quiet
}
