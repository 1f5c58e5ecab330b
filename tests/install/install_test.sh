#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The installed tree is self-contained: it works after it was moved to another folder, with an empty environment, and
# may load only its own libraries, the C and C++ libraries, and libraries that talk to a driver (OpenGL, X11,
# Wayland).
# Usage: tests/install/install_test.sh BUILD-FOLDER
set -euo pipefail

build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
wrong() { printf 'FAIL: %s\n' "$*"; failures=$((failures + 1)); }

cmake --install "$build" --prefix "$work/first" >"$work/log" || { cat "$work/log"; exit 1; }
tree="$work/moved to/another place" # paths with blanks
mkdir "$work/moved to"
mv "$work/first" "$tree"
cli=$tree/bin/sinoscope-cli
window=$tree/bin/sinoscope

"$(dirname "${BASH_SOURCE[0]}")/../packaging/library_paths_test.sh" "$tree" || wrong "see above"

c_libraries='ld-linux[^ ]*|lib(c|m|dl|rt|pthread|resolv|util|mvec)\.so[^ ]*|lib(stdc\+\+|gcc_s)\.so[^ ]*'
base="$c_libraries"'|lib(GL|GLX|EGL|OpenGL|GLdispatch|gbm|drm|X11|X11-xcb|xcb|Xau|Xdmcp|Xext|wayland-(client|egl|server))\.so[^ ]*'

# Every library that a file of the tree needs is in the tree or belongs to the system.
while IFS= read -r file; do
    for name in $(readelf -d "$file" 2>/dev/null | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
        [ -e "$tree/lib/sinoscope/$name" ] || grep -qxE "$base" <<<"$name" || wrong "${file#"$tree"/} needs $name"
    done
    if readelf -d "$file" 2>/dev/null | grep -E 'R(UN)?PATH' | grep -q '\[[^$]'; then
        wrong "${file#"$tree"/} looks for libraries in a folder of this machine"
    fi
done < <(find "$tree" -type f)
[ -z "$(find "$tree" -name 'libcuda.so*' -o -name 'libnvidia-*')" ] || wrong "a file of the driver is in the tree"
while IFS= read -r link; do
    [ -e "$link" ] || wrong "${link#"$tree"/} points at nothing in the tree"
done < <(find "$tree" -type l)

# run PROGRAM ARGUMENT…: runs it with an environment that has little more than HOME; reports a failure if it fails.
# Writes the loaded libraries to $work/loaded.
run() {
    rm -f "$work"/ld.*
    if ! env -i HOME="$work/home" LC_ALL=C.UTF-8 QT_QPA_PLATFORM=offscreen LD_DEBUG=libs LD_DEBUG_OUTPUT="$work/ld" \
        "$@" >"$work/out" 2>&1; then
        wrong "$(basename "$1") ${*:2}"
        cat "$work/out"
    fi
    cat "$work"/ld.* | sed -n 's/.*calling init: //p' | sort -u >"$work/loaded"
}

# only WHAT NAMES: the libraries loaded by the last run are in the tree, or their names match NAMES.
only() {
    local path
    [ -s "$work/loaded" ] || wrong "$1: the list of loaded libraries is empty"
    while IFS= read -r path; do
        case $path in
        "$tree"/*) ;;
        *) grep -qxE "$2" <<<"${path##*/}" || wrong "$1 loads $path" ;;
        esac
    done <"$work/loaded"
}

[ -n "$(find "$tree/share/doc" -name 'index.*')" ] || wrong "the manual is missing"
[ -n "$(find "$tree/share/doc" -name 'recipe.schema.json')" ] || wrong "the schemas are missing"
[ -s "$tree/share/man/man1/sinoscope-cli.1" ] || wrong "the manual page of sinoscope-cli is missing"

mkdir -m 700 "$work/home"
cd "$work/home"
driver='lib(cuda|nvidia-[^ ]*)\.so[^ ]*'
run "$cli" verify --methods double
only "sinoscope-cli" "$c_libraries|$driver"
grep -q '^PASS: [1-9]' "$work/out" || wrong "verify says: $(tail -1 "$work/out")"
run "$cli" phantom shepp-logan --size 64 --projections 60 --output phantom.h5
run "$cli" reconstruct phantom.h5 --output slice.tif
[ -s slice.tif ] || wrong "no image was written"
run "$cli" methods

if [ -e "$window" ]; then
    # The picture shows the finished reconstruction: plug-ins, icons and fonts are loaded by then.
    run "$window" phantom.h5 --screenshot window.png
    only "sinoscope" "$base|$driver"
    grep -q 'plugins/platforms/libqoffscreen' "$work/loaded" || wrong "the window did not use the tree's plug-ins"
    [ "$(head -c 4 window.png | tail -c 3)" = PNG ] || wrong "no picture of the window"
fi

[ $failures -eq 0 ] && echo "PASS: $(du -sh "$tree" | cut -f1), $(find "$tree/lib" -name '*.so*' | wc -l) libraries"
exit $((failures > 0))
