#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Holds the Python package against the headers, the ledger and the program. Use: python.sh SOURCE BUILD
# Not part of the usual tests: nothing else needs Python.
set -euo pipefail
source=$(cd "${1:?use: python.sh SOURCE BUILD}" && pwd)
build=$(cd "${2:?use: python.sh SOURCE BUILD}" && pwd)

python=""
for candidate in "${PYTHON:-python3}" /usr/bin/python3; do
    if command -v "$candidate" >/dev/null && "$candidate" -c 'import numpy' 2>/dev/null; then python=$candidate; break; fi
done
[ -n "$python" ] || { echo "there is no Python with numpy. On Debian: apt-get install python3-numpy." >&2; exit 1; }

"$python" "$source/integrations/python/check_layout.py" "$source/include"
MENISCUS_LIBRARY="$build/libmeniscus.so" PYTHONDONTWRITEBYTECODE=1 \
    "$python" "$source/integrations/python/test_meniscus.py" "$build/meniscus" "$source/scenes"
