#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# An output folder that cannot be made, and a disk that fills up during a run.
#   disk.sh BUILD
. "$(dirname "$0")/common.sh"
begin "$1"

: >"$work/file"
expect 1 "$meniscus" run "$scene" -o "$work/file/out" --quiet
grep -q "$work/file" "$work/stderr" || fail "the message does not name the folder"
expect 1 "$meniscus" run "$scene" -o /proc/meniscus-test --quiet
if [ "$(id -u)" -ne 0 ]; then
    mkdir "$work/closed" && chmod 500 "$work/closed"
    expect 1 "$meniscus" run "$scene" -o "$work/closed/out" --quiet
    chmod 700 "$work/closed"
fi

mkdir "$work/small"
if ! mount -t tmpfs -o size=200k none "$work/small" 2>/dev/null; then
    echo "folders that cannot be made are refused; a full disk was not tried, as this user may not mount one"
    exit 0
fi
cleanups+=("umount '$work/small'")
expect 0 "$meniscus" run "$scene" -o "$work/reference" --quiet

# Begin a run on the small disk and come back when it waits for space.
begin_and_wait() {
    rm -rf "$work/small/out"
    mount -o remount,size=200k "$work/small"
    "$meniscus" run "$scene" -o "$work/small/out" --quiet --set output.disk_reserve=0 </dev/null >"$work/stdout" 2>"$work/stderr" &
    pid=$!
    cleanups+=("kill -KILL $pid 2>/dev/null")
    for _ in $(seq 600); do
        grep -q 'waits for space' "$work/stderr" && return
        kill -0 $pid 2>/dev/null || break
        sleep 0.1
    done
    cat "$work/stderr" >&2
    fail "the run did not say that it waits for space"
}

# Somebody makes room: the run goes on by itself.
begin_and_wait
mount -o remount,size=64m "$work/small"
wait $pid || { cat "$work/stderr" >&2; fail "the run failed though there was space again"; }
same "$work/reference" "$work/small/out"

# Nobody does, and the run is told to stop: what it was about to write may fit or not, the folder can be resumed.
begin_and_wait
kill -TERM $pid
got=0
wait $pid || got=$?
[ "$got" -eq 130 ] || [ "$got" -eq 1 ] || { cat "$work/stderr" >&2; fail "exit status $got instead of 130 or 1"; }
mount -o remount,size=64m "$work/small"
expect 0 "$meniscus" run "$scene" -o "$work/small/out" --quiet --set output.disk_reserve=0 --resume
same "$work/reference" "$work/small/out"
echo "folders that cannot be made are refused; a run waits for space on a full disk, goes on with it, and can be stopped and resumed"
