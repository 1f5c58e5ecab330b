#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests the Python package of a build folder: tests/python/run.sh BUILD-FOLDER [PYTHON [OTHER-PYTHON…]]
# The others, with another numpy, run the tests of the package alone.
set -euo pipefail
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PYTHONPATH=$(cd "$1" && pwd)/python
export PYTHONPATH
python=${2:-python3}
"$python" "$tests/package_test.py"
"$python" "$tests/notebook_test.py" "$tests/../../resources/manual/python.ipynb"
"$tests/stubs_test.sh" "$python"
for other in "${@:3}"; do
    "$other" "$tests/package_test.py"
done
