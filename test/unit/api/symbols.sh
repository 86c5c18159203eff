#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# The shared library exports every function the headers declare, and nothing that does not begin with mn_.
#   symbols.sh NM LIBRARY HEADER_FOLDER
set -euo pipefail
nm=$1 library=$2 headers=$3

exported=$("$nm" -D --defined-only "$library" | awk '{print $NF}' | sed 's/@.*//' | sort -u)
# Sanitizers add names of their own to everything they touch.
strange=$(grep -vE '^(mn_|_init$|_fini$|__(a|t|ub)san|__sanitizer|__odr_asan)' <<<"$exported" || true)
if [ -n "$strange" ]; then
    echo "exported, but not ours by name:"; echo "$strange"; exit 1
fi

declared=$(cat "$headers"/*.h | tr '\n' ' ' | grep -oE 'MN_API [^;(]*\(' | grep -oE 'mn_[a-z0-9_]+\($' | tr -d '(' | sort -u)
[ -n "$declared" ] || { echo "no declarations were found in $headers"; exit 1; }
missing=$(comm -13 <(echo "$exported") <(echo "$declared"))
if [ -n "$missing" ]; then
    echo "declared, but not exported:"; echo "$missing"; exit 1
fi
extra=$(comm -23 <(grep '^mn_' <<<"$exported") <(echo "$declared"))
if [ -n "$extra" ]; then
    echo "exported, but declared in no public header:"; echo "$extra"; exit 1
fi
echo "$(wc -l <<<"$declared") functions declared and exported"
