#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Reads the USD of small runs with TinyUSDZ, a parser of others, and compares it with the frames. Use: usd.sh BUILD
# Not part of the usual tests: it needs npm and fetches the parser.
. "$(dirname "$0")/npm.sh"
begin usd "${1:-}"
make_runs
for run in "${runs[@]}"; do
    "$meniscus" export "$work/$run" --to usda -o "$work/$run.usd" >/dev/null
    (cd "$modules" && node --no-warnings usd.mjs "$work/$run" "$work/$run.usd/run.usda")
done
