#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# The page "A kind of matter" of docs/extending.md does not rot: its example, a passive tracer, is built into a copy of
# the tree and does what a kind of matter is to do.
#   tracer.sh BUILD SOURCE COMPILER
. "$(dirname "$0")/common.sh"
begin "$1"
source=$(cd "$2" && pwd) compiler=$3
example=$source/examples/tracer

# --- the house with the new matter ---

mkdir "$work/house"
cp -R "$source"/{CMakeLists.txt,cmake,include,src,app,integrations,scenes,tools,LICENSE,README.md} "$work/house"
cp -R "$example"/{include,src} "$work/house"
(cd "$work/house" && patch -p1 --batch --quiet --no-backup-if-mismatch <"$example/house.patch") ||
    fail "examples/tracer/house.patch does not apply any more: what it changes was changed, too. Copy the files of
examples/tracer into a clean tree, put the rejected lines in by hand, make the patch anew with
    git diff -- . ':!examples' >examples/tracer/house.patch
and see whether the page \"A kind of matter\" of docs/extending.md is still right"

# At most 10 files of others touched, at most 30 lines added in them.
files=$(grep -c '^+++ ' "$example/house.patch")
lines=$(grep -c '^+[^+]' "$example/house.patch")
[ "$files" -le 10 ] || fail "a kind of matter touches $files files of others"
[ "$lines" -le 30 ] || fail "a kind of matter adds $lines lines to files of others"
grep -q "$files files, $lines lines" "$source/docs/extending.md" || fail "docs/extending.md does not say $files files, $lines lines"
sed -n '/^+[^+]/p' "$example/house.patch" >"$work/lines"
while IFS= read -r line; do
    grep -Fxq -e "$line" "$source/docs/extending.md" || fail "docs/extending.md lacks the line $line"
done <"$work/lines"

# Not optimised: building is most of this test.
expect 0 cmake -S "$work/house" -B "$work/build" -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O0 \
    -DMN_TESTS=OFF -DMN_BENCH=OFF -DMN_EXAMPLES=OFF -DMN_WERROR=ON
expect 0 cmake --build "$work/build" --target mn_program --parallel "${MN_JOBS:-2}"
meniscus=$work/build/meniscus

# --- what it does ---

# places FRAME of a run OUT: x y z of its tracers.
places() { sed -n 's/^v //p' "$1/export/tracers.00000$2.obj"; }
run() {
    local scene=$1 out=$2
    shift 2
    expect 0 "$meniscus" run "$scene" -o "$out" --quiet "$@"
}

# In an even stream each is at x0 + u t, but for the digits of a frame (seven).
scene=$example/stream.yaml
expect 0 "$meniscus" check "$scene"
run "$scene" "$work/one" --threads 1
expect 0 "$meniscus" export "$work/one" --to obj -o "$work/one/export"
paste -d ' ' <(places "$work/one" 0) <(places "$work/one" 5) | awk '
    function off(x, wanted, period,    d) { d = x - wanted; d -= period * int(d / period + (d < 0 ? -0.5 : 0.5)); return d < 0 ? -d : d }
    { e = off($4, $1 + 3, 8); f = off($5, $2 - 2, 4); g = off($6, $3 + 1, 4); if (e + f + g > worst) worst = e + f + g }
    END { printf "%d tracers in a stream are off by at most %.0e cm\n", NR, worst; exit !(NR == 128 && worst < 5e-6) }' ||
    fail "tracers do not flow with an even stream"

# In a drum that turns as a rigid body for a radian they turn; in a layer that is pressed to half its height they go twice
# as far from the middle and half as high: to a sixth of a cell.
follow() {
    run "$example/$1.yaml" "$work/$1"
    expect 0 "$meniscus" export "$work/$1" --to obj -o "$work/$1/export"
    paste -d ' ' <(places "$work/$1" 0) <(places "$work/$1" 2) | awk -v name="$1" -v count="$2" "
        { dx = \$4 - ($3); dy = \$5 - ($4); d = sqrt(dx * dx + dy * dy); if (d > worst) worst = d }"'
        END { printf "%d tracers in the %s are off by at most %.0e cm\n", NR, name, worst; exit !(NR == count && worst < 0.02) }' ||
        fail "tracers do not follow the liquid in the $1"
}
follow drum 10 '$1 * cos(1)' '$1 * sin(1)'
follow press 20 '2 * $1' '$2 / 2'

# The same bits with two threads, and for a run that ended at a checkpoint and was resumed.
run "$scene" "$work/two" --threads 2
same_states() { diff <(hashes "$1") <(hashes "$2") >&2 && diff <(cd "$1/frames" && cksum ./*) <(cd "$2/frames" && cksum ./*) >&2; }
same_states "$work/one" "$work/two" || fail "two threads make other states than one"
run "$scene" "$work/halves" --frames 3
run "$scene" "$work/halves" --resume
same_states "$work/one" "$work/halves" || fail "a resumed run makes other states"

# They do nothing to the liquid.
sed '/^tracers:/,/^  block:/d; s/, tracers\]/]/' "$scene" >"$work/without.yaml"
run "$work/without.yaml" "$work/without"
cmp "$work/one/frames/particles.000005.vtp" "$work/without/frames/particles.000005.vtp" || fail "tracers change the liquid"

# Their part of a frame says how it looks: "solid", in codes.
grep -aq 'Name="look".*>115 111 108 105 100 0<' "$work/one/frames/tracers.000005.vtp" || fail "the part does not have its look"

# refused PLACE SENTENCE EDIT: the scene, edited, is refused there and so.
refused() {
    sed "$3" "$scene" >"$work/wrong.yaml"
    expect 2 "$meniscus" check "$work/wrong.yaml"
    grep -Fq "wrong.yaml:$1: $2" "$work/stderr" || { cat "$work/stderr" >&2; fail "refused at another place or in other words"; }
}
refused 11:72 "'spacing' must be above 0" 's/spacing: 0.25/spacing: -1/'
refused 11:63 "'spacng' is not a key of tracers; did you mean 'spacing'?" 's/spacing:/spacng:/'
refused 11:10 "tracers follow a liquid" '/^liquids:/,/^  stream:/s/.*/#/'
echo "a kind of matter: $files files of others, $lines lines in them"
