#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Every broken scene is refused with file:line:column and exit status 2, and leaves no folder behind.
#   bad-input.sh BUILD BROKEN_FOLDER
. "$(dirname "$0")/common.sh"
begin "$1"
broken=$(cd "$2" && pwd)

# A broken scene begins with what is expected of it, and with the options that break it, if it takes any:
#   # expect: 3:1: part of the message      # variant: NAME      # set: KEY=VALUE
directive() { sed -n "s/^# $2: *//p" "$1"; }

count=0
for bad in "$broken"/*.yaml; do
    [ -e "$bad" ] || fail "there are no broken scenes in $broken"
    options=()
    while read -r value; do options+=(--variant "$value"); done < <(directive "$bad" variant)
    while read -r value; do options+=(--set "$value"); done < <(directive "$bad" set)
    for command in "run --quiet" check; do
        # shellcheck disable=SC2086
        (cd "$work" && expect 2 "$meniscus" $command "$bad" "${options[@]}")
        head -n 1 "$work/stderr" | grep -qE '^[^:]+:[0-9]+:[0-9]+: .' || { cat "$work/stderr" >&2; fail "$bad: no file:line:column"; }
        place=":$(directive "$bad" expect | cut -d : -f 1,2):" part=$(directive "$bad" expect | cut -d : -f 3-)
        grep -F -- "$place" "$work/stderr" | grep -qF -- "${part# }" || { cat "$work/stderr" >&2; fail "$bad: another message"; }
        [ ! -s "$work/stdout" ] || fail "$bad: something was printed as if it were a result"
        [ ! -e "$work/out" ] || fail "$bad: '$command' left an output folder"
    done
    count=$((count + 1))
done

# Files that are no scenes at all.
head -c 4096 /dev/urandom >"$work/noise.yaml"
: >"$work/empty.yaml"
mkdir "$work/folder.yaml"
for bad in noise empty folder missing; do
    (cd "$work" && expect 2 "$meniscus" run "$work/$bad.yaml")
    [ -s "$work/stderr" ] || fail "$bad: no message"
    [ ! -e "$work/out" ] || fail "$bad: an output folder was left"
done
for setting in domain.cell=-1 domain.cell=nan domain.cellar=1 liquids.pool.material=wotter nonsense.deep.key=3; do
    (cd "$work" && expect 2 "$meniscus" run "$scene" --set "$setting")
    [ -s "$work/stderr" ] || fail "--set $setting: no message"
    [ ! -e "$work/out" ] || fail "--set $setting: an output folder was left"
done
echo "$count broken scenes were refused, each with its place"
