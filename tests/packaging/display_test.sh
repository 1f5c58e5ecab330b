#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A virtual display outlives its clients wherever tests run in one: it would start anew when its last client leaves, and
# refuse a test that connects meanwhile.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

calls=$(grep -nE 'xvfb-run .*(ctest|tests/|-s |\\$)' packaging/*.sh .ci/run README.md CONTRIBUTING.md)
if [ -z "$calls" ]; then
    echo "nothing runs tests in a virtual display"
    exit 1
fi
if grep -v -- '-noreset' <<<"$calls"; then
    echo "these lack -noreset"
    exit 1
fi
