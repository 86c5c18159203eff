#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Hold the structures of meniscus/_library.py against the headers: check_layout.py INCLUDE_FOLDER"""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import importlib.util

here = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location("_library", os.path.join(here, "meniscus", "_library.py"))
layout = importlib.util.module_from_spec(spec)
spec.loader.exec_module(layout)


def offsets_in_c(include):
    lines = ["#include <meniscus/meniscus.h>", "#include <stddef.h>", "#include <stdio.h>", "int main(void) {"]
    for name, structure in layout.STRUCTURES.items():
        lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
        lines += [f'printf("{name}.{field[0]} %zu\\n", offsetof({name}, {field[0]}));' for field in structure._fields_]
    lines.append("return 0; }")
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, "layout.c"), os.path.join(folder, "layout")
        with open(source, "w") as file:
            file.write("\n".join(lines))
        subprocess.run([os.environ.get("CC", "cc"), "-I", include, source, "-o", program], check=True)
        text = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    return {line.split()[0]: int(line.split()[1]) for line in text.splitlines()}


def main():
    import ctypes
    wrong = 0
    for name, value in offsets_in_c(sys.argv[1]).items():
        structure, _, field = name.partition(".")
        ours = getattr(layout.STRUCTURES[structure], field).offset if field else ctypes.sizeof(layout.STRUCTURES[structure])
        if ours != value:
            print(f"{name}: {ours} in Python, {value} in C", file=sys.stderr)
            wrong += 1
    print(f"{len(layout.STRUCTURES)} structures held against the headers, {wrong} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
