#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Random valid scenes, drawn from the rows of the settings (draw/): each runs to its end, or ends with a sentence that
# says what to change (2 % at the most); none crashes, hangs or loses liquid, and in half of them two kinds of matter
# exchange something: liquid or pigment goes from the bulk into fabric or back, or a film and its cloth push each other.
#   scenes.sh BUILD [SEED]     one seed: that scene alone, and what became of it
# MN_SCENES: how many (24); MN_FIRST: the first seed (1); MN_JOBS: how many at once (2); MN_KEEP: a folder for what goes wrong
. "$(dirname "$0")/common.sh"

SECONDS_MOST=${MN_SECONDS:-3}   # of processor time, of a run; one with too many steps is shortened
KBYTES_MOST=2000000              # of memory
PARTICLES_MOST=5000 VERTICES_MOST=2000
ATTEMPTS_MOST=60
LOST_MOST=1e-12                  # liquid_error, solute_error
SETTING="[a-z_]+\.[a-z_]+|'[a-z_]+'|\`[a-z_]+" # what to change: a key

# limited STEM command...: within limits of time and memory, its output in STEM.out and STEM.err; 152: too long.
limited() {
    local stem=$1
    shift
    (
        ulimit -S -t "$SECONDS_MOST"; ulimit -v "$KBYTES_MOST"; ulimit -c 0
        exec "$@" >"$stem.out" 2>"$stem.err" </dev/null
    )
}

# whether `check` counts more particles or vertices than a test has time for
too_large() {
    awk -v particles="$PARTICLES_MOST" -v vertices="$VERTICES_MOST" '
        $1 == "liquid" { p += $2 } $1 == "sources" { p += $3 } $1 == "fabric" { for (k = 1; k < NF; k++) if ($(k + 1) ~ /^vertices/) v += $k }
        END { exit !(p > particles || v > vertices) }' "$1"
}

# A scene that is accepted, in $folder/scene.yaml; what was refused on the way is counted, and its sentences are kept.
draw() {
    local attempt got
    refused=0 large=0 badly=0
    for ((attempt = 0; attempt < ATTEMPTS_MOST; attempt++)); do
        "$build/test/robust_draw" "$seed" "$attempt" "$folder" || { verdict="crash the generator failed"; return 1; }
        got=0
        limited "$folder/check" "$meniscus" check "$folder/scene.yaml" --threads 1 || got=$?
        if [ $got -eq 2 ]; then
            head -n 1 "$folder/check.err" | grep -qE '^[^:]+:[0-9]+:[0-9]+: .{15}' || { verdict="refused without a place: $(head -n 1 "$folder/check.err")"; return 1; }
            grep -v '^ ' "$folder/check.err" | head -n 1 | sed -E 's/^[^ ]* //' >>"$folder/refused"
            refused=$((refused + 1))
        elif [ $got -ne 0 ]; then
            verdict="crash check ended with $got: $(head -n 1 "$folder/check.err")"; return 1
        elif too_large "$folder/check.out"; then
            large=$((large + 1))
        elif grep -qE "warning: fabric .* starts (inside|beyond)" "$folder"/check.out "$folder/check.err"; then
            badly=$((badly + 1))  # it is thrown out of there, as check says
        else
            return 0
        fi
    done
    verdict="crash nothing was accepted in $ATTEMPTS_MOST attempts"
    return 1
}

# The budgets of a run, and what was exchanged. One line: "ok" or what is wrong, then the exchange: liquid, film or none.
judge() {
    awk -F, -v most="$LOST_MOST" -v film="$2" '
        function abs(x) { return x < 0 ? -x : x }
        NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k; next }
        { for (k = 1; k <= NF; k++) if ($k !~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/) { print "wrong " $k " in the ledger"; bad = 1; exit } }
        abs($at["liquid_error"]) > most { print "wrong liquid_error " $at["liquid_error"]; bad = 1; exit }
        abs($at["solute_error"]) > most { print "wrong solute_error " $at["solute_error"]; bad = 1; exit }
        # Sums of films are in what was added and removed, too: beside one, only liquid that fabric gains is known to be from the bulk.
        { bulk = $at["liquid_bulk"] - $at["liquid_added"] + $at["liquid_removed"]; fabric = $at["liquid_fabric"] }
        $at["liquid_stain"] > 0 { films = 1 }
        NR == 2 { bulk_0 = bulk; fabric_0 = fabric; total = $at["liquid_total"] }
        END {
            if (bad) exit
            total += $at["liquid_added"]
            if (films ? fabric - fabric_0 > 1e-9 * total : abs(bulk - bulk_0) > 1e-9 * total) print "ok liquid"
            else if (films && film) print "ok film"
            else print "ok none"
        }' "$1/ledger.csv"
}

one() {
    local got shorter=1 film=0 frame said
    verdict="" exchange=none
    if draw; then
        for shorter in 1 20 400 8000; do
            rm -rf "$folder/out"
            got=0
            frame=$(sed -nE 's/^time: .*frame_rate: ([0-9.e+-]+).*/\1/p' "$folder/scene.yaml")
            frame=$(awk -v f="$frame" -v s="$shorter" 'BEGIN { printf "%.9g", f * s }')
            limited "$folder/run" "$meniscus" run "$folder/scene.yaml" -o "$folder/out" --quiet --threads 1 \
                --set "time.frame_rate=$frame" --set "time.end=$(awk -v f="$frame" 'BEGIN { printf "%.9g", 3 / f }')" || got=$?
            [ $got -eq 152 ] || break
        done
        grep -q 'two_way: true' "$folder/scene.yaml" && film=1
        said=$(head -n 1 "$folder/run.err")
        if [ $got -eq 152 ]; then verdict="hang"
        elif [ $got -gt 2 ]; then verdict="crash $got $said"
        elif [ $got -eq 2 ]; then verdict="wrong refused by run alone: $said"
        elif [ $got -eq 1 ] && ! grep -qE "$SETTING" <<<"$said"; then verdict="wrong no word of what to change: $said"
        elif [ $got -eq 1 ]; then verdict="sentence $said"
        elif ! limited "$folder/info" "$meniscus" info "$folder/out"; then verdict="wrong info: $(head -n 1 "$folder/info.err")"
        elif grep -lqiE '(^|,)-?(nan|inf)' "$folder"/out/*.csv; then verdict="wrong not a number in $(cd "$folder/out" && grep -liE '(^|,)-?(nan|inf)' ./*.csv | head -n 1)"
        else
            verdict=$(judge "$folder/out" "$film")
            exchange=${verdict#ok }
        fi
    fi
    echo "$seed|${refused}|$((large + badly))|$shorter|$exchange|$verdict" >"$folder/verdict"
    case $verdict in ok*) [ -n "${MN_KEEP_ALL:-}" ] || rm -rf "$folder/out" ;; esac
}

if [ $# -eq 3 ]; then  # one seed, into a folder
    build=$1 meniscus=$1/meniscus seed=$2 folder=$3/$2
    mkdir -p "$folder"
    TIMEFORMAT='%U %S'
    { time one; } 2>"$folder/seconds"
    exit 0
fi

begin "$1"
count=${MN_SCENES:-24} first=${MN_FIRST:-1}
place=${MN_KEEP:-$work/scenes}
mkdir -p "$place"
if [ $# -eq 2 ]; then first=$2 count=1; fi
seq "$first" $((first + count - 1)) | xargs -P "${MN_JOBS:-2}" -I SEED "$here/scenes.sh" "$build" SEED "$place"
for ((k = first; k < first + count; k++)); do echo "$(cat "$place/$k/verdict")|$(tail -n 1 "$place/$k/seconds")"; done >"$place/verdicts"
grep -vE '\|ok [a-z]+\|' "$place/verdicts" || true
awk -F'|' '
    { split($7, s, " "); seconds += s[1] + s[2]; split($6, v, " "); n[v[1]]++; refused += $2; large += $3; if ($4 > 1) short++; exchanged[$5]++ }
    END {
        bad = n["crash"] + n["hang"] + n["wrong"] + n["refused"]
        printf "%d scenes: %d to their end, %d with a sentence, %d wrong, %d crashes, %d hangs\n", NR, n["ok"], n["sentence"], n["wrong"] + n["refused"], n["crash"], n["hang"]
        printf "exchange: liquid and fabric %d, film and fabric %d; shortened %d; drawn anew: refused %d, too large or bad at the start %d; %.0f s of processor time\n", \
            exchanged["liquid"], exchanged["film"], short, refused, large, seconds
        exit bad > 0 || n["sentence"] > 0.02 * NR || 2 * (exchanged["liquid"] + exchanged["film"]) < NR
    }' "$place/verdicts" || fail "see above"
