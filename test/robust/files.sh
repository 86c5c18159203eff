#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# What is read is a regular file of a size that fits, or is refused at once; one run a folder; a checkpoint knows its scene;
# scenes of another program are translated within bounds.
#   files.sh BUILD
. "$(dirname "$0")/common.sh"
begin "$1"
said() { grep -qF -- "$1" "$work/stdout" "$work/stderr" || { cat "$work/stdout" "$work/stderr" >&2; fail "'$1' was not said"; }; }
# soon STATUS command...: as expect, but within 20 seconds.
soon() { local wanted=$1; shift; expect "$wanted" timeout 20 "$@"; }
run=("$meniscus" run "$scene" --quiet)

# --- what is no file ------------------------------------------------------------------------------------------------
mkfifo "$work/pipe" "$work/pipe.yaml" "$work/pipe.xml" "$work/pipe.obj" "$work/pipe.pc2"
mkdir "$work/folder.weave"
for what in pipe:pipe folder.weave:folder; do
    soon 2 "$meniscus" weave "$work/${what%:*}"; said "it is not a file but a ${what#*:}"
done
[ ! -e /dev/zero ] || { soon 2 "$meniscus" weave /dev/zero; said "it is not a file but a device"; }
truncate -s 20M "$work/large.weave"
soon 2 "$meniscus" weave "$work/large.weave"; said "a weave has 16777216 at most"
soon 2 "$meniscus" check "$work/pipe.yaml"; said "it is not a file but a pipe"
mkdir "$work/scenes" && mkfifo "$work/scenes/pipe.yaml"
soon 1 env MENISCUS_SCENES="$work/scenes" "$meniscus" scenes
soon 2 "$meniscus" import "$work/pipe.xml" -o "$work/a.yaml"; said "it is not a file but a pipe"
truncate -s 600M "$work/large.xml"
soon 2 "$meniscus" import "$work/large.xml" -o "$work/a.yaml"; said "an XML file has 536870912 at most"
for shape in 'obstacles: {a: {shape: {mesh: pipe.obj}}}' 'fabrics: {a: {material: cotton, mesh: {file: pipe.obj}}}' \
    'stains: {a: {mesh: {file: pipe.obj}}}' 'stains: {a: {sheet: {size: [1, 1]}, weave: ./pipe}}'; do
    printf 'domain: {cell: 1}\n%s\n' "$shape" > "$work/named.yaml"
    soon 2 "$meniscus" check "$work/named.yaml"
done

# A run's folder with pipes, or with a checkpoint that is far too large, in place of its files.
expect 0 "${run[@]}" -o "$work/reference"
last=$(cd "$work/reference/checkpoints" && ls | tail -n 1)
for name in run.json ledger.csv log.ndjson "checkpoints/$last"; do
    rm -rf "$work/piped"
    cp -r "$work/reference" "$work/piped"
    rm "$work/piped/$name"
    mkfifo "$work/piped/$name"
    got=0
    timeout 20 "${run[@]}" -o "$work/piped" --resume >"$work/stdout" 2>"$work/stderr" </dev/null || got=$?
    [ "$got" -ne 124 ] || fail "a run waits for a pipe called $name"
    [ "$got" -eq 0 ] || grep -qF "it is not a file but a pipe" "$work/stderr" || { cat "$work/stderr" >&2; fail "a pipe called $name: another message"; }
    for command in info plot; do
        got=0
        timeout 20 "$meniscus" $command "$work/piped" >/dev/null 2>&1 </dev/null || got=$?
        [ "$got" -ne 124 ] || fail "$command waits for a pipe called $name"
    done
done

# --- one run a folder -----------------------------------------------------------------------------------------------
"${run[@]}" -o "$work/shared" >"$work/first" 2>&1 </dev/null &
first=$!
for _ in $(seq 200); do [ ! -e "$work/shared/run.json" ] || break; sleep 0.02; done
kill -STOP $first
for more in "" --resume; do
    # shellcheck disable=SC2086
    soon 2 "${run[@]}" -o "$work/shared" $more; said "process $first is writing a run into this folder"
done
kill -KILL $first
wait $first 2>/dev/null || true
expect 0 "${run[@]}" -o "$work/shared" --resume                    # who is dead locks nothing
same "$work/reference" "$work/shared"
[ ! -e "$work/shared/run.lock" ] || fail "the lock was left"
# Two that begin together: one of them runs, the other is refused, and the folder is as if there had been one.
for round in 1 2 3; do
    pids=() ended=()
    for k in 1 2 3; do
        "${run[@]}" -o "$work/race" >"$work/race.$k" 2>&1 </dev/null &
        pids+=($!)
    done
    for pid in "${pids[@]}"; do got=0; wait "$pid" || got=$?; ended+=("$got"); done
    [ "$(printf '%s\n' "${ended[@]}" | sort | tr '\n' ' ')" = "0 2 2 " ] || { cat "$work"/race.*; fail "three at once ended with ${ended[*]}"; }
    same "$work/reference" "$work/race"
    rm -rf "$work/race"
done

# --- a checkpoint knows its scene -----------------------------------------------------------------------------------
expect 0 "${run[@]}" -o "$work/other" --set 'domain.gravity=[0, -500, 0]'
cp -r "$work/reference" "$work/mixed"
cp "$work/other/checkpoints/$last" "$work/mixed/checkpoints/$last"
rm "$work/mixed/run.json"    # which knows its scene, too
expect 0 "${run[@]}" -o "$work/mixed" --resume
grep -qF "of another scene or of other settings" "$work/mixed/log.ndjson" || fail "a checkpoint of another scene was taken"
diff <(without_seconds "$work/reference") <(without_seconds "$work/mixed") || fail "a run went on from the checkpoint of another scene"
rm "$work/mixed/run.json"
for k in "$work"/mixed/checkpoints/*.state; do cp "$work/other/checkpoints/$last" "$work/mixed/checkpoints/$last"; [ "$k" = "$work/mixed/checkpoints/$last" ] || rm "$k"; done
soon 1 "${run[@]}" -o "$work/mixed" --resume; said "of another scene or of other settings"
# A branch may have other settings, but not other probes.
expect 0 "${run[@]}" -o "$work/branch" --from "$work/reference:12" --set 'domain.gravity=[0, -500, 0]' --frames 13
sed 's/^  front:/  behind:/' "$scene" > "$work/renamed.yaml"
expect 1 "$meniscus" run "$work/renamed.yaml" --quiet -o "$work/branch2" --from "$work/reference:12" --frames 13; said 'its matter "probe" has other'

# Checkpoints of earlier versions.
mkdir -p "$work/old/checkpoints" && echo '{"status": "running", "frames": []}' > "$work/old/run.json"
printf '\211HDF\r\n\032\n' > "$work/old/checkpoints/000002.h5"
soon 2 "${run[@]}" -o "$work/old" --resume; said "by an earlier version"
soon 2 "${run[@]}" -o "$work/new" --from "$work/old:2"; said "by an earlier version"
expect 0 "$meniscus" info "$work/reference/checkpoints/$last"; said "array position_x float64"
cp "$work/reference/checkpoints/$last" "$work/$last"
printf 'x' >> "$work/$last"
soon 1 "$meniscus" info "$work/$last"; said "damaged or cut short"

# --- scenes of another program --------------------------------------------------------------------------------------
head='<scene><duration time="1"/><integrator dt="0.001"/>'
ball='<distancefield usage="solid" type="sphere" radius="1"/>'
nested() { echo "$head$ball"; for k in $(seq 0 $(($1 - 1))); do echo "<distancefield usage=\"solid\" type=\"union\" i=\"$k $k\"/>"; done; echo '</scene>'; }
nested 40 > "$work/doubled.xml"
soon 2 "$meniscus" import "$work/doubled.xml" -o "$work/doubled.yaml"; said "more than 4096 simple shapes"
{ echo "$head$ball"; for k in $(seq 0 100); do echo "<distancefield usage=\"solid\" type=\"union\" i=\"$k\"/>"; done; echo '</scene>'; } > "$work/deep.xml"
soon 2 "$meniscus" import "$work/deep.xml" -o "$work/deep.yaml"; said "nested deeper than 32"
echo "$head<distancefield usage=\"solid\" type=\"sphere\" radius=\"1e150\"/></scene>" > "$work/wide.xml"
soon 2 "$meniscus" import "$work/wide.xml" -o "$work/wide.yaml"; said "a length of the field is 1e+150"
[ -z "$(ls "$work" | grep -E '^(doubled|deep|wide)[.-].*(yaml|obj|partial)')" ] || fail "a refused import left files"
{
    echo "$head<ElasticParameters/>"
    awk 'BEGIN { for (k = 0; k < 300000; k++) printf "<particle x=\"%d 0 0\"/>\n", k % 2 == 0 ? 0 : 5 * (k < 299998) }'
    echo '<hair params="0" start="0" count="300000"/></scene>'
} > "$work/points.xml"
soon 2 "$meniscus" import "$work/points.xml" -o "$work/points.yaml"
echo "files that are none, folders with two runs, checkpoints of other scenes and endless imports are refused, each at once"
