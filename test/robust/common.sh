# SPDX-License-Identifier: MPL-2.0
# What the tests of the program share. Use: . common.sh; begin BUILD
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

begin() {
    build=$(cd "$1" && pwd)
    meniscus=$build/meniscus
    [ -x "$meniscus" ] || { echo "$meniscus is not there: build first" >&2; exit 1; }
    work=$(mktemp -d "${TMPDIR:-/tmp}/meniscus-robust.XXXXXX")
    trap 'finish $?' EXIT
    trap 'exit 143' TERM INT HUP
    scene=$here/pour.yaml
}

cleanups=()
finish() {
    local k
    for k in "${cleanups[@]+"${cleanups[@]}"}"; do eval "$k" || true; done
    if [ "$1" -eq 0 ]; then rm -rf "$work"; else echo "what was left is in $work" >&2; fi
}

fail() { echo "FAILED: $*" >&2; exit 1; }

# expect STATUS command...: runs it with its output in $work/stdout and $work/stderr.
expect() {
    local wanted=$1 got=0
    shift
    "$@" >"$work/stdout" 2>"$work/stderr" </dev/null || got=$?
    [ "$got" -eq "$wanted" ] || { cat "$work/stdout" "$work/stderr" >&2; fail "exit status $got instead of $wanted: $*"; }
}

# One line "frame hash" for every frame of a run.
hashes() {
    tr -d ' \n' <"$1/run.json" | grep -oE '"frame":[0-9]+,"time":[^,]*,"state_hash":"?[0-9a-fx]+' |
        sed -E 's/"frame":([0-9]+),.*"state_hash":"?/\1 /'
}

# same REFERENCE OTHER: the same states, the same ledger but for the seconds, the same frame files, nothing half written.
same() {
    local reference=$1 other=$2 left
    [ -n "$(hashes "$reference")" ] || fail "$reference/run.json names no frames"
    diff <(hashes "$reference") <(hashes "$other") >&2 || fail "the states of $other differ from those of $reference"
    diff <(without_seconds "$reference") <(without_seconds "$other") >&2 || fail "the ledgers of $other and $reference differ"
    diff <(cd "$reference/frames" && cksum ./*) <(cd "$other/frames" && cksum ./*) >&2 || fail "the frames of $other and $reference differ"
    left=$(find "$other" -name '*.partial')
    [ -z "$left" ] || fail "half-written files were left: $left"
}

without_seconds() {
    awk -F, -v OFS=, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "seconds") column = k } { $column = ""; print }' "$1/ledger.csv"
}

now() { date +%s.%N; }
