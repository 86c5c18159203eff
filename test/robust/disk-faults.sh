#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Calls to the file system fail one at a time: the run ends with a sentence and status 1, or goes on unharmed; and what
# it left can be resumed to the same end as an undisturbed run.
#   disk-faults.sh BUILD SHIM      MN_FAULTS: how many calls of each kind are tried, default 4
. "$(dirname "$0")/common.sh"
begin "$1"
shim=$2
tries=${MN_FAULTS:-4}
run=("$meniscus" run "$scene" --quiet --frames 4 --threads 2)

expect 0 "${run[@]}" -o "$work/reference"

total=0
for call in open write fsync rename mkdir unlink; do
    expect 0 env LD_PRELOAD="$shim" MN_FAULT_CALL=$call MN_FAULT_COUNT="$work/count" "${run[@]}" -o "$work/counted"
    rm -rf "$work/counted"
    count=$(cat "$work/count")
    kinds="full broken always"
    [ "$call" != write ] || kinds="$kinds short"
    for kind in $kinds; do
        for try in $(seq 0 $((tries - 1))); do
            at=$((1 + try * count / tries))
            [ "$at" -le "$count" ] || continue
            [ "$try" -eq 0 ] || [ "$at" -ne "${before:-0}" ] || continue
            before=$at
            got=0
            env LD_PRELOAD="$shim" MN_FAULT_CALL=$call MN_FAULT_AT=$at MN_FAULT_KIND=$kind \
                "${run[@]}" -o "$work/out" >"$work/stdout" 2>"$work/stderr" </dev/null || got=$?
            what="$call $at of $count, $kind"
            case $got in
                0) same "$work/reference" "$work/out" ;;
                1) [ -s "$work/stderr" ] || fail "$what: no message" ;;
                *) cat "$work/stderr" >&2; fail "$what: exit status $got" ;;
            esac
            expect 0 "${run[@]}" -o "$work/out" --resume
            same "$work/reference" "$work/out" || fail "$what: the resumed run differs"
            rm -rf "$work/out"
            total=$((total + 1))
        done
    done
done
echo "$total failing calls were met; every run ended in order and could be resumed to the same end"
