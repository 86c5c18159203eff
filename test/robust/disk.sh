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
if ! mount -t tmpfs -o size=1m none "$work/small" 2>/dev/null; then
    echo "folders that cannot be made are refused; a full disk was not tried, as this user may not mount one"
    exit 0
fi
cleanups+=("umount '$work/small'")
expect 0 "$meniscus" run "$scene" -o "$work/reference" --quiet
expect 1 "$meniscus" run "$scene" -o "$work/small/out" --quiet --set output.disk_reserve=0
[ -s "$work/stderr" ] || fail "a full disk was met without a word"
mount -o remount,size=64m "$work/small"
expect 0 "$meniscus" run "$scene" -o "$work/small/out" --quiet --set output.disk_reserve=0 --resume
same "$work/reference" "$work/small/out"
echo "folders that cannot be made are refused; a run that met a full disk was resumed to the same end"
