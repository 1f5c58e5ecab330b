#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh BUILD SECONDS [TARGET]...: fuzzes each target in turn for SECONDS (README.md). Status 1: there are findings.
set -uo pipefail
build=$(realpath "$1") seconds=$2
shift 2
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
[ $# -gt 0 ] || set -- $(cd "$here/seeds" && ls)
# The address sanitizer's bookkeeping counts as memory of the program, so freed memory is held back only briefly.
export ASAN_OPTIONS=allocator_may_return_null=1:quarantine_size_mb=16
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
status=0
for target; do
    corpus=$build/corpus/$target found=$build/found/$target
    mkdir -p "$corpus" "$found" "$here/findings/$target"
    options=
    # HDF5 does not return freed memory, leaks a little when it fails, reads names past their end, and asks for memory
    # that it never touches (README.md).
    case $target in hdf5*) options=:detect_leaks=0:replace_str=0:replace_intrin=0:intercept_strcmp=0:max_allocation_size_mb=512 ;; esac
    if ASAN_OPTIONS=$ASAN_OPTIONS$options "$build/bin/fuzz_$target" -max_total_time="$seconds" -timeout=10 \
        -rss_limit_mb=512 -max_len=65536 \
        -print_final_stats=1 -artifact_prefix="$found/" "$corpus" "$here/seeds/$target" "$here/findings/$target" \
        >"$build/$target.log" 2>&1; then
        echo "$target: nothing in $(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$target.log") inputs"
    else
        echo "$target: FOUND, see $build/$target.log and $found"
        status=1
    fi
    rmdir --ignore-fail-on-non-empty "$here/findings/$target"
done
exit $status
