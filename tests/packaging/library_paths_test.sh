#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs and libraries may look for other libraries only in folders that exist, or in folders relative to their own.
# An empty or relative entry of RPATH or RUNPATH would mean the current folder, into which anybody may have put a
# library.
# Usage: tests/packaging/library_paths_test.sh FOLDER...
set -uo pipefail

failures=0
files=0
wrong() { printf 'FAIL: %s\n' "$*"; failures=$((failures + 1)); }

# check FILE: checks every entry of its RPATH and RUNPATH. The loader ignores an empty path.
check() {
    local file=$1 path entry
    while IFS= read -r path; do
        [ -n "$path" ] || continue
        while IFS= read -r -d : entry; do
            case $entry in
            '') wrong "$file: an empty entry in '$path'" ;;
            '$ORIGIN' | '$ORIGIN'/* | '${ORIGIN}' | '${ORIGIN}'/*) ;;
            /*) [ -d "$entry" ] || wrong "$file: there is no folder '$entry'" ;;
            *) wrong "$file: a relative entry '$entry'" ;;
            esac
        done <<<"$path:"
    done < <(readelf -d "$file" 2>/dev/null | sed -nE 's/.*\((RPATH|RUNPATH)\).*\[(.*)\]$/\2/p')
}

[ $# -gt 0 ] || { echo "which folders?"; exit 2; }
for folder in "$@"; do
    here=0
    while IFS= read -r -d '' file; do
        [ "$(head -c 4 "$file" | tr -d '\0')" = $'\x7fELF' ] || continue
        check "$file"
        here=$((here + 1))
    done < <(find "$folder" -type f \( -perm /111 -o -name '*.so*' \) -print0)
    [ $here -gt 0 ] || wrong "$folder holds neither programs nor libraries"
    files=$((files + here))
done
[ $failures -eq 0 ] && echo "PASS: $files files"
exit $((failures > 0))
