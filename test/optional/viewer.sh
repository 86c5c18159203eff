#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Opens pages of small runs in Chromium: they load, play and answer. Use: viewer.sh BUILD [FOLDER for pictures of them]
# Not part of the usual tests: it needs npm and a browser.
. "$(dirname "$0")/npm.sh"
begin viewer "${1:-}"
pictures=${2:-$build/test/viewer}
browser=""
for candidate in ${CHROMIUM:-chromium chromium-browser google-chrome}; do
    if command -v "$candidate" >/dev/null; then browser=$(command -v "$candidate"); break; fi
done
[ -n "$browser" ] || { echo "there is no Chromium. On Debian: apt-get install chromium; elsewhere set CHROMIUM to its path." >&2; exit 1; }

make_runs
mkdir -p "$pictures"
for run in "${runs[@]}"; do
    "$meniscus" export "$work/$run" --to html -o "$work/$run.html" >/dev/null
    (cd "$modules" && node viewer.mjs "$browser" "$work/$run.html" "$work/$run/run.json" "$pictures/$run")
done
echo "pictures of the pages are in $pictures"
