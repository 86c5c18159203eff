#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# What is installed can be used: the examples are built against it with find_package and with pkg-config, shared and
# static, and run; the installed program finds its scenes; and the tree still works after it was moved.
#   install.sh BUILD SOURCE COMPILER
. "$(dirname "$0")/common.sh"
begin "$1"
source=$2 compiler=$3

expect 0 cmake --install "$build" --prefix "$work/first"
mv "$work/first" "$work/prefix"
prefix=$work/prefix
libdir=$(dirname "$(find "$prefix" -name libmeniscus.a)")
export LD_LIBRARY_PATH=$libdir

expect 0 "$prefix/bin/meniscus" scenes
grep -q "$prefix/share/meniscus/scenes/liquid/dam-break.yaml" "$work/stdout" || fail "the installed program does not list its own scenes"

for library in meniscus::meniscus meniscus::static; do
    expect 0 cmake -S "$source/examples" -B "$work/examples" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$compiler" -DMN_EXAMPLE_LIBRARY=$library
    expect 0 cmake --build "$work/examples"
    expect 0 "$work/examples/step1"
    grep -q '0.200' "$work/stdout" || fail "step1 built with $library did not reach its end"
    rm -rf "$work/examples"
done

export PKG_CONFIG_PATH=$libdir/pkgconfig
# shellcheck disable=SC2046
expect 0 "$compiler" -std=c17 $(pkg-config --cflags meniscus) "$source/examples/step2.c" $(pkg-config --libs meniscus) -o "$work/step2"
# Into a file, not a pipe: a grep that leaves at its first match would end ldd by a signal.
ldd "$work/step2" > "$work/needs"
grep -q "$libdir/libmeniscus.so" "$work/needs" || fail "step2 does not use the installed shared library"
expect 0 "$work/step2" "$source/examples/falling-block.yaml" "$work/out"
# Static: our library by its name, the ones it needs shared.
# shellcheck disable=SC2046
expect 0 "$compiler" -std=c17 $(pkg-config --cflags meniscus) "$source/examples/step2.c" \
    $(pkg-config --static --libs meniscus | sed 's/-lmeniscus\b/-l:libmeniscus.a/') -o "$work/step2s"
ldd "$work/step2s" > "$work/needs"
! grep -q libmeniscus "$work/needs" || fail "the static step2 still needs the shared library"
rm -rf "$work/out"
expect 0 "$work/step2s" "$source/examples/falling-block.yaml" "$work/out"
echo "the examples were built and run against an installed tree, four ways"
