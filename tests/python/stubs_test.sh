#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The committed type stub is what write_stubs.py makes of the engine's tables. Usage: stubs_test.sh PYTHON
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
"$1" "$root/packaging/write_stubs.py" | diff -u "$root/app/python/sinoscope/__init__.pyi" - ||
    { echo "Write it anew: PYTHONPATH=BUILD/python python3 packaging/write_stubs.py >app/python/sinoscope/__init__.pyi"; exit 1; }
