#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# A run killed (SIGKILL) or interrupted (SIGTERM) at random moments and resumed each time ends as an undisturbed one. After
# an interrupt it is gone in no time (10 s, on a loaded machine), wherever it was.
#   kill.sh BUILD      MN_KILLS: how many times, default 5; MN_SEED: of the moments
. "$(dirname "$0")/common.sh"
begin "$1"
kills=${MN_KILLS:-5}
seed=${MN_SEED:-$$}
RANDOM=$seed
echo "MN_SEED=$seed"

start=$(now)
expect 0 "$meniscus" run "$scene" -o "$work/reference" --threads 2 --quiet
whole=$(echo "$start $(now)" | awk '{print $2 - $1}')

killed=0 rounds=0
while [ "$killed" -lt "$kills" ]; do
    out=$work/out.$rounds resume=()
    rounds=$((rounds + 1))
    [ "$rounds" -le $((10 * kills + 10)) ] || fail "in $rounds rounds only $killed of $kills kills hit a living run"
    # Kill until this run has come to its end, or the number is reached.
    while [ "$killed" -lt "$kills" ]; do
        "$meniscus" run "$scene" -o "$out" --threads 2 --quiet "${resume[@]}" </dev/null >"$work/stdout" 2>"$work/stderr" &
        pid=$!
        sleep "$(awk -v r=$RANDOM -v t="$whole" 'BEGIN {print 0.7 * t * r / 32767}')"
        signal=KILL wanted=137
        [ $((RANDOM % 2)) -eq 0 ] || signal=TERM wanted=130
        sent=$(now)
        kill -$signal $pid 2>/dev/null || true
        status=0
        wait $pid 2>/dev/null || status=$?
        echo "$sent $(now)" | awk '{exit $2 - $1 > 10}' || fail "SIG$signal was answered after 10 s"
        resume=(--resume)
        [ "$status" -ne 0 ] || break
        [ "$status" -eq $wanted ] || { cat "$work/stderr" >&2; fail "a run ended with status $status, not as SIG$signal has it end"; }
        killed=$((killed + 1))
    done
    expect 0 "$meniscus" run "$scene" -o "$out" --threads 2 --quiet "${resume[@]}"
    same "$work/reference" "$out"
    rm -rf "$out"
done
echo "$killed kills in $rounds runs, all ended as the undisturbed run of $whole s"
