#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Wherever tests run in a virtual display, the display must not reset: without -noreset the server restarts when its
# last client disconnects, and refuses a test that connects meanwhile.
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
