#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# The same bits for any number of threads, and for a run stopped and resumed after every frame.
#   threads.sh BUILD
. "$(dirname "$0")/common.sh"
begin "$1"

for threads in 1 2 3 8; do
    expect 0 "$meniscus" run "$scene" -o "$work/t$threads" --threads $threads --quiet
    [ "$threads" -eq 1 ] || same "$work/t1" "$work/t$threads"
done

# Frames made one at a time, by turns with 1, 2 and 3 threads.
last=$(hashes "$work/t1" | tail -n 1 | cut -d ' ' -f 1)
resume=()
for frame in $(seq 1 "$last"); do
    expect 0 "$meniscus" run "$scene" -o "$work/pieces" --threads $((frame % 3 + 1)) --frames "$frame" --quiet "${resume[@]}"
    resume=(--resume)
done
same "$work/t1" "$work/pieces"

# What OUT/scene.yaml says is the whole scene: running it gives the same states.
expect 0 "$meniscus" run "$work/t1/scene.yaml" -o "$work/again" --quiet
same "$work/t1" "$work/again"

# A run begun from a frame of another goes on as that one did.
expect 0 "$meniscus" run "$scene" -o "$work/branch" --from "$work/t1:$((last - 1))" --quiet
diff <(hashes "$work/t1" | tail -n 2) <(hashes "$work/branch") >&2 || fail "the branch went another way"
echo "the same states with 1, 2, 3 and 8 threads, in $last pieces, from the resolved scene, and branched"
