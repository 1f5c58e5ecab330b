#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The version depends on the source, with git and without: a changed source gets another version, an unchanged source
# the same one, and then its header is not touched.
set -euo pipefail
script=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/packaging/version.cmake
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org
export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
source_folder=$scratch/source header=$scratch/version.h
mkdir -p "$source_folder/engine" "$source_folder/tests"

version() {
    cmake -DRELEASE=1.2.3 -DSOURCE="${1:-$source_folder}" -DHEADER="$header" -P "$script"
    sed -n 's/^#define SINOSCOPE_VERSION "\(.*\)"$/\1/p' "$header"
}
failed=0
expect() { # expect PATTERN VERSION WHAT
    if ! [[ $2 =~ ^$1$ ]]; then
        echo "FAILED: $3: $2 is not like $1"
        failed=1
    fi
}
differ() {
    if [ "$1" = "$2" ]; then
        echo "FAILED: $3: both are $1"
        failed=1
    fi
}
git_in() { git -C "$source_folder" -c init.defaultBranch=main "$@" >/dev/null; }

echo one >"$source_folder/engine/a.cpp"
echo cmake >"$source_folder/CMakeLists.txt"
archive=$(version)
expect '1\.2\.3\+s[0-9a-f]{7}' "$archive" "without git"
echo two >"$source_folder/engine/a.cpp"
differ "$archive" "$(version)" "without git, of another source"
echo one >"$source_folder/engine/a.cpp"
[ "$(version)" = "$archive" ] || { echo "FAILED: the same source has another version"; failed=1; }

git_in init
git_in add .
git_in commit -m one
first=$(version)
expect '1\.2\.3\+1\.g[0-9a-f]{7}' "$first" "of a commit"
echo changed >"$source_folder/engine/a.cpp"
changed=$(version)
expect '1\.2\.3\+1\.g[0-9a-f]{7}\.m[0-9a-f]{7}' "$changed" "with a changed file"
echo "changed again" >"$source_folder/engine/a.cpp"
differ "$changed" "$(version)" "with a file that is changed once more"
git_in checkout -- engine/a.cpp
echo new >"$source_folder/engine/b.cpp"
expect '1\.2\.3\+1\.g[0-9a-f]{7}\.m[0-9a-f]{7}' "$(version)" "with a new file"
rm "$source_folder/engine/b.cpp"
echo note >"$source_folder/tests/note.txt"
touch -d '2001-01-01' "$header"
[ "$(version)" = "$first" ] || { echo "FAILED: a file that no program is built from changes the version"; failed=1; }
touch -d '2001-01-01' "$header"
version >"$scratch/ignored"
[ "$(date -r "$header" +%Y)" = 2001 ] || { echo "FAILED: the header is written though the version is the same"; failed=1; }
echo two >"$source_folder/engine/a.cpp"
git_in commit -am two
expect '1\.2\.3\+2\.g[0-9a-f]{7}' "$(version)" "of the next commit"
git clone -q --depth 1 "file://$source_folder" "$scratch/shallow"
expect '1\.2\.3\+g[0-9a-f]{7}' "$(version "$scratch/shallow")" "of a shallow clone"
mkdir -p "$source_folder/inside/engine"
echo three >"$source_folder/inside/engine/a.cpp"
expect '1\.2\.3\+s[0-9a-f]{7}' "$(version "$source_folder/inside")" "of a folder in another project's repository"
exit $failed
