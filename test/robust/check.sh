#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# What `meniscus check` says of scenes that can run and will go badly, with its place; what it is silent about; and that
# its estimate counts the films of stains.
#   check.sh BUILD
. "$(dirname "$0")/common.sh"
begin "$1"

front='format: 1
domain: {cell: 0.5, bounds: [[-4, -4, -4], [4, 4, 4]]}
time: {end: 0.1, frame_rate: 20}'

# check_says WHERE TEXT < rest of the scene: TEXT is in what check writes to stdout or stderr, and it calls the scene good.
check_says() {
    { echo "$front"; cat; } >"$work/scene.yaml"
    (cd "$work" && expect 0 "$meniscus" check scene.yaml)
    grep -qF -- "$2" "$work/$1" || { cat "$work/stdout" "$work/stderr" >&2; fail "check does not say: $2"; }
    grep -qF ': good' "$work/stdout" || fail "the scene is not good"
}
check_is_silent() {
    { echo "$front"; cat; } >"$work/scene.yaml"
    (cd "$work" && expect 0 "$meniscus" check scene.yaml)
    ! grep -F warning "$work/stdout" "$work/stderr" >&2 || fail "check warns of nothing"
}

check_says stderr "scene.yaml:6:3: warning: fabric 'a' starts inside obstacle 'ball', up to 0.49" <<'END'
obstacles: {ball: {shape: {sphere: {radius: 1}}}}
fabrics:
  a: {material: cotton, sheet: {size: [4, 4], spacing: 0.25}, at: [0, 0.5, 0]}
END
# A run says so too, and runs.
(cd "$work" && expect 0 "$meniscus" run scene.yaml --frames 1 -o run && grep -qF 'scene.yaml:6:3: warning: fabric' stderr) || fail "run is silent"

# Every one of three has its line.
check_says stderr "scene.yaml:6:3: warning: liquid 'c'" <<'END'
liquids:
  a: {material: water, fill: {inside: {sphere: {radius: 0.2}}}, at: [0.1, 0.1, 0.1]}
  c: {material: water, fill: {inside: {sphere: {radius: 0.2}}}, at: [2.1, 0.1, 0.1]}
END
grep -qF "scene.yaml:5:3: warning: liquid 'a' is 0.4 cm wide, 0.8 cells" "$work/stderr" || fail "only one of two is said"

# A cloth of fine triangles with one long edge: the mean says nothing.
{
    for k in $(seq 0 40); do echo "v $(awk "BEGIN { print 0.05 * $k }") 0 0"; echo "v $(awk "BEGIN { print 0.05 * $k }") 0 0.05"; done
    for k in $(seq 0 39); do echo "f $((2 * k + 1)) $((2 * k + 2)) $((2 * k + 3))"; echo "f $((2 * k + 2)) $((2 * k + 4)) $((2 * k + 3))"; done
    echo "v 3.5 0 0.02"
    echo "f 81 82 83"
} >"$work/tail.obj"
check_says stdout "warning      a: its longest edge is 1.5 cm = 3.00 cells" <<'END'
fabrics: {a: {material: cotton, mesh: {file: tail.obj}}}
END
check_is_silent <<'END'
obstacles: {ball: {shape: {sphere: {radius: 1}}}}
liquids: {pool: {material: water, fill: {below: -2}}}
fabrics: {a: {material: cotton, sheet: {size: [4, 4], spacing: 0.3}, at: [0, 1.1, 0]}}
END

# 10,000 steps of a film of 6561 vertices take some seconds, and no zero.
check_says stdout "estimate     memory" <<'END'
stains:
  spot:
    sheet: {size: [4, 4], spacing: 0.05}
    step: 1e-5
    drops: {a: {inside: {sphere: {radius: 1}}, density: "100 g/m2"}}
END
grep -qE 'estimate .* 10000 steps, [1-9][0-9.]* s with' "$work/stdout" || { cat "$work/stdout" >&2; fail "the film is not counted"; }
echo "check says what will go badly"
