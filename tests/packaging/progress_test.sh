#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# How packaging/setup.sh shows ninja's output: a single, plausible progress line, and complete compiler messages.
set -uo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source "$(dirname "${BASH_SOURCE[0]}")/../../packaging/setup.sh"
failures=0
wrong() { printf 'FAIL: %s\n' "$*"; failures=$((failures + 1)); }

# A build of 20 files, the last of which does not compile.
{
    printf 'rule cc\n  command = touch $out\n  description = Building CXX object $out\n'
    printf 'rule broken\n  command = echo "a.cpp:1: error: no such thing" && echo "    1 | the line" && false\n'
    printf '  description = Building CXX object $out\n'
    for k in $(seq 19); do printf 'build f%d.o: cc\n' "$k"; done
    printf 'build broken.o: broken | %s\n' "$(seq -f 'f%.0f.o' -s ' ' 19)"
    # As with CMake's globs, ninja has to check before every build whether build.ninja is up to date.
    printf 'rule look\n  command = true\n  description = Re-checking globbed directories...\n'
    printf '  restat = 1\n  generator = 1\nbuild always: phony\nbuild build.ninja: look always\n'
    printf 'default broken.o\n'
} >"$work/build.ninja"

# run TARGET…: builds as build() does; returns ninja's status.
run() {
    local total
    total=$(planned "$work" "$@")
    NINJA_STATUS=@@ ninja -C "$work" -j 1 "$@" 2>&1 | show_progress "$total"
}

step_text="3 of 4 · compiling"
good=()
for k in $(seq 10); do good+=("f$k.o"); done
out=$(run "${good[@]}") || wrong "a good build has the status $?"
[ "$(wc -l <<<"$out")" -eq 10 ] || wrong "ten lines are wanted: $out"
head -1 <<<"$out" | grep -q '^3 of 4 · compiling: 10 %' || wrong "first line: $out"
tail -1 <<<"$out" | grep -qx '3 of 4 · compiling: 100 %' || wrong "last line: $out"

out=$(run "${good[@]}") || wrong "nothing to do has the status $?"
[ -z "$out" ] || wrong "nothing to do says: $out"

out=$(run) && wrong "a broken build passes"
grep -q 'a.cpp:1: error: no such thing' <<<"$out" || wrong "the compiler's message is not shown: $out"
grep -q '    1 | the line' <<<"$out" || wrong "the compiler's message is cut: $out"
grep -q '@@\|Building' <<<"$out" && wrong "steps are shown one by one: $out"

rm "$work"/*.o
out=$(on_terminal=1 run "${good[@]}")
[ "$(tr -d -c '\n' <<<"$out" | wc -c)" -eq 1 ] || wrong "more than one line on a terminal: $out"
grep -q $'\r.*100 %' <<<"$out" || wrong "the line is not rewritten: $out"

[ $failures -eq 0 ] && echo PASS
exit $((failures > 0))
