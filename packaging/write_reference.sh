#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Writes the reference pages of the manual, which the programs print; and the stubs of the Python package, if it is built.
# The build makes manual pages and schemas.
# Usage: packaging/write_reference.sh [BUILD-FOLDER]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
bin=${1:-build/release}/bin

# page FILE PROGRAM ARGUMENT…: writes what the program prints to resources/FILE.
page() {
    local file=resources/$1 program=$bin/$2
    if [ -x "$program" ]; then
        "$program" "${@:3}" >"$file.new" && mv "$file.new" "$file"
    else
        echo "$2 isn't built: $file stays as it is"
    fi
}

while read -r file program arguments; do
    # shellcheck disable=SC2086
    page "$file" "$program" $arguments
done <packaging/generated.txt
stubs=app/python/sinoscope/__init__.pyi
trap 'rm -f "$stubs.new"' EXIT # if Python lacks numpy
if [ -d "$bin/../python" ]; then
    PYTHONPATH=$bin/../python "${PYTHON:-python3}" packaging/write_stubs.py >"$stubs.new" && mv "$stubs.new" "$stubs"
fi
