#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# The program from outside: its help, its refusals, its exit statuses, and how it takes an interrupt.
#   program.sh BUILD
. "$(dirname "$0")/common.sh"
begin "$1"
said() { grep -qF -- "$1" "$work/stdout" "$work/stderr" || { cat "$work/stdout" "$work/stderr" >&2; fail "'$1' was not said"; }; }

expect 0 "$meniscus" --version; said "meniscus 0."
expect 0 "$meniscus" --help; said "check SCENE"
expect 0 "$meniscus" run --help; said "--resume"
expect 2 "$meniscus"
expect 2 "$meniscus" rum; said "did you mean 'run'"
expect 2 "$meniscus" run; said "missing"
expect 2 "$meniscus" run a b; said "too many"
expect 2 "$meniscus" run "$scene" --thread 2; said "did you mean '--threads'"
expect 2 "$meniscus" run "$scene" --threads two; said "whole number"
expect 2 "$meniscus" run "$scene" --threads 0; said "from 1"
expect 2 "$meniscus" run "$scene" --set nonsense; said "key.key=value"
expect 2 "$meniscus" run "$scene" --frames; said "needs a value"
expect 2 "$meniscus" run "$scene" --resume --from x:1; said "choose one"
expect 2 "$meniscus" info "$work"; said "does not hold a run"
expect 2 "$meniscus" verify Z9; said "no validation case"
expect 2 "$meniscus" plot "$work"; said "not the folder of a run"
expect 2 "$meniscus" export "$work"; said "export needs a format"
expect 2 "$meniscus" export "$work" --to usd; said "did you mean 'usda'"
expect 2 "$meniscus" export "$work/nowhere" --to ply; said "nowhere"
expect 2 "$meniscus" export "$work/nowhere" --to ply --every 2; said "only for --to html"
expect 2 "$meniscus" export "$work/nowhere" --to html --limit 0; said "from 1"
expect 0 "$meniscus" weave knit -o "$work/knit.svg"; said "gap"; said "drawn"
grep -q '<ellipse' "$work/knit.svg" || fail "the drawing has no ellipse"
expect 0 "$meniscus" weave twill:3/1 --gaps --pair harm -o "$work/twill.png"
expect 0 "$meniscus" weave 'cells:|-/-|' --pair network; said "exact"
printf 'tensors 2 1\n1 0 1  100 0 100\n' > "$work/tile.txt"
expect 0 "$meniscus" weave "$work/tile.txt"; said "1.980198"; said "50.5"
printf 'cells\n|-\n|\n' > "$work/bad.txt"
expect 2 "$meniscus" weave "$work/bad.txt"; said "bad.txt:3:1: the row has 1 cells"
expect 2 "$meniscus" weave plan; said "neither a weave"
expect 2 "$meniscus" weave plain --pair hram; said "did you mean 'harm'"
expect 2 "$meniscus" weave plain --table 1,2; said "six numbers"
expect 2 "$meniscus" weave plain --aspect 0; said "0.01 to 100"
expect 2 "$meniscus" weave plain -o drawing.gif; said ".svg or .png"
expect 1 "$meniscus" weave plain -o "$work/no-such-folder/a.svg"
expect 0 "$meniscus" verify --list; said "S1.1"
expect 0 "$meniscus" materials; said "water"
expect 0 "$meniscus" shapes; said "sphere"
expect 0 "$meniscus" schema; said '"properties"'
expect 0 "$meniscus" scenes; said "dam break"
expect 0 env MENISCUS_SCENES="$here" "$meniscus" scenes; said "robust pour"
if [ -e /dev/full ]; then
    got=0
    "$meniscus" schema >/dev/full 2>"$work/stderr" || got=$?
    [ "$got" -eq 1 ] || fail "a listing to a full device ended with $got"
fi

# check: says what is there, makes no folder.
(cd "$work" && expect 0 "$meniscus" check "$scene"); said "particles"; said "estimate"
[ ! -e "$work/out" ] || fail "check made a folder"
# The last frame is the first at or after time.end, and a fill of nothing is told.
expect 0 "$meniscus" check "$scene" --set time.end=0.333 --set time.frame_rate=7; said "0.4286 s, 3 frames"
cat > "$work/nothing.yaml" <<'END'
domain: {dimension: 2, cell: 0.25, bounds: [[0, 0], [4, 4]]}
liquids: {pond: {material: water, fill: {inside: {box: {center: [20, 2, 0], size: [1, 1]}}}}}
END
expect 0 "$meniscus" check "$work/nothing.yaml"; said "fill_empty"; said "'pond'"

# run: one line a frame (0 to 3) when nobody looks, nothing with --quiet; the folder is named after the scene.
(cd "$work" && expect 0 "$meniscus" run "$scene" --frames 3)
[ "$(grep -c '^frame ' "$work/stdout")" -eq 4 ] || { cat "$work/stdout"; fail "not one line a frame"; }
[ -e "$work/out/pour/run.json" ] || fail "the default folder is not out/pour"
expect 0 "$meniscus" info "$work/out/pour"; said "liquid"
expect 0 "$meniscus" run "$scene" -o "$work/quiet" --frames 2 --quiet
[ ! -s "$work/stdout" ] && [ ! -s "$work/stderr" ] || fail "--quiet was not quiet"

# render: pictures of frames; a damaged frame is left out; what is not there is listed. A build without Embree says so.
"$meniscus" render "$work/out/pour" --frames 0 --size 32x18 --quiet >"$work/first-picture" 2>&1 || true
if grep -qF libembree-dev "$work/first-picture"; then
    expect 2 "$meniscus" render "$work/out/pour"; said "install libembree-dev"
else
    expect 0 "$meniscus" render "$work/out/pour" --size 48x27 --every 2; said "2 pictures in"
    [ -s "$work/out/pour/render/000002.png" ] || fail "there is no picture of frame 2"
    expect 0 "$meniscus" render "$work/out/pour" --size 48x27 --frames 1..2 --color speed --quality fine -o "$work/shots" --glass --quiet
    [ ! -s "$work/stdout" ] && [ "$(ls "$work/shots" | wc -l)" -eq 2 ] || fail "not exactly the two pictures asked for, quietly"
    expect 0 env PATH=/nowhere "$meniscus" render "$work/out/pour" --size 48x27 --frames 1 --movie -o "$work/shots"; said "ffmpeg is not installed"
    expect 2 "$meniscus" render "$work/out/pour" --color sped; said "there are:"; said "velocity"
    expect 2 "$meniscus" render "$work/out/pour" --frames 70..80; said "there are 0 to 3"
    expect 2 "$meniscus" render "$work/out/pour" --frames 3..1; said "A..B"
    expect 2 "$meniscus" render "$work/out/pour" --size 640; said "WxH"
    expect 2 "$meniscus" render "$work/out/pour" --quality best; said "draft or fine"
    expect 2 "$meniscus" render "$work/nothing"; said "no such folder"
    expect 2 "$meniscus" render "$here"; said "not the folder of a run"
    cp -r "$work/out/pour" "$work/hurt"
    for file in "$work"/hurt/frames/surface.000001.vtp; do head -c 700 "$file" > "$file.cut" && mv "$file.cut" "$file"; done
    expect 0 "$meniscus" render "$work/hurt" --size 48x27; said "frame 1 left out"; said "3 pictures in"
    expect 2 "$meniscus" render "$work/hurt" --size 48x27 --frames 1; said "none of the 1 frames could be read"
    mkdir "$work/empty" && echo '{"status": "running", "frames": []}' > "$work/empty/run.json"
    expect 2 "$meniscus" render "$work/empty"; said "no frames yet"
    [ -z "$(find "$work" -path '*render*' -name '*.partial')" ] || fail "half-written pictures were left"
fi

# A page: all of it or a choice; a build without the viewer says what to install and makes nothing.
"$meniscus" export "$work/out/pour" --to html >"$work/first-page" 2>&1 || true
if grep -qF "nodejs and npm" "$work/first-page"; then
    expect 2 "$meniscus" export "$work/out/pour" --to html; said "install nodejs and npm"
    [ ! -e "$work/out/pour/export" ] || fail "a folder was made for a page that cannot be"
else
    [ -s "$work/out/pour/export/run.html" ] || fail "there is no page in export/run.html"
    expect 0 "$meniscus" export "$work/out/pour" --to html -o "$work/pages/pour.html" --every 2 --fields speed; said "1 file"
    [ "$(grep -c '^<script type="text/plain" id="' "$work/pages/pour.html")" -gt 2 ] || fail "the page has no blocks"
    expect 2 "$meniscus" export "$work/out/pour" --to html --frames 70..80; said "there are 0 to 3"
    expect 2 "$meniscus" export "$work/out/pour" --to html --fields sped; said "there are:"
    expect 2 "$meniscus" export "$work/nowhere" --to html; said "no such folder"
fi

# An interrupt finishes the step, writes a checkpoint and says 130; the resumed run ends as an undisturbed one.
expect 0 "$meniscus" run "$scene" -o "$work/reference" --quiet
for signal in INT TERM HUP; do
    out=$work/stopped.$signal
    # A shell without job control has background programs ignore SIGINT; setsid's child would too, so env resets it.
    env --default-signal=INT "$meniscus" run "$scene" -o "$out" >"$work/stdout" 2>"$work/stderr" &
    pid=$!
    for _ in $(seq 200); do
        grep -q '^frame ' "$work/stdout" && break
        sleep 0.02
    done
    kill -$signal $pid 2>/dev/null || fail "the run was over before SIG$signal could be sent"
    got=0
    wait $pid || got=$?
    [ "$got" -eq 130 ] || { cat "$work/stderr" >&2; fail "SIG$signal: exit status $got instead of 130"; }
    said "--resume"
    expect 0 "$meniscus" run "$scene" -o "$out" --resume --quiet
    same "$work/reference" "$out"
done

# Before there is anything to save, a signal ends the program at once.
printf 'domain: {cell: 0.05, bounds: [[0, 0, 0], [40, 40, 40]]}\nliquids: {sea: {material: water, fill: {}}}\n' > "$work/large.yaml"
limit="ulimit -v 8000000"
(ulimit -v 8000000; "$meniscus" --help) >/dev/null 2>&1 || limit=:  # sanitizers ask for terabytes and use little of them
($limit; exec "$meniscus" run "$work/large.yaml" -o "$work/large") >"$work/stdout" 2>"$work/stderr" &
pid=$!
sleep 0.5
kill -TERM $pid 2>/dev/null || fail "a large world was made in no time"
got=0
wait $pid || got=$?
[ "$got" -eq 130 ] || fail "SIGTERM while a world is made: exit status $got instead of 130"
[ ! -e "$work/large/run.json" ] || fail "a world that was not made left a run"

# Standard files that the caller has closed do not give their numbers to the files of the run.
"$meniscus" run "$scene" -o "$work/closed" <&- >&- 2>&- || fail "with its standard files closed a run ended with $?"
same "$work/reference" "$work/closed"

# A resume with another scene is refused, and harms nothing.
expect 2 "$meniscus" run "$scene" -o "$work/reference" --resume --set domain.cell=0.6
expect 0 "$meniscus" info "$work/reference"
echo "help, refusals, listings, exit statuses and interrupts are as documented"
