#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A package that unpacks itself: it is complete, and of two that unpack into one folder, the later one changes nothing.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
fail() { echo "$1"; status=1; }

source <(sed -n '/^self_extracting() {/,/^}/p' "$root/packaging/release.sh")
mkdir -p "$work/made/top/bin" "$work/into" "$work/later"
echo program >"$work/made/top/bin/sinoscope"
tar -C "$work/made" -czf "$work/top.tar.gz" top
self_extracting "$work/top.tar.gz" "$work/top.run"

sh "$work/top.run" "$work/into" >/dev/null || fail "it doesn't unpack itself"
[ "$(cd "$work/into" && find . | sort | tr '\n' ' ')" = ". ./top ./top/bin ./top/bin/sinoscope " ] || fail "it unpacks something else"
output=$(sh "$work/top.run" "$work/into" 2>&1)
[ $? -eq 2 ] && [[ $output == *"already there"* ]] || fail "a second time: $output"

# Another run finishes while this one unpacks: it does so as soon as this one has called tar.
mkdir "$work/bin"
cat >"$work/bin/tar" <<TEXT
#!/bin/sh
$(command -v tar) "\$@" || exit
PATH=$PATH
[ -e "$work/later/top" ] || sh "$work/top.run" "$work/later" >/dev/null
TEXT
chmod +x "$work/bin/tar"
output=$(PATH=$work/bin:$PATH sh "$work/top.run" "$work/later" 2>&1)
[ $? -eq 2 ] && [[ $output == *"already there"* ]] || fail "beside another: $output"
[ "$(cd "$work/later" && find . | sort | tr '\n' ' ')" = ". ./top ./top/bin ./top/bin/sinoscope " ] ||
    fail "two in one folder leave $(cd "$work/later" && find . | sort | tr '\n' ' ')"
exit $status
