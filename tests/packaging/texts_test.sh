#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Texts of the engine contain no flags: optionName() and hint() refer to options, and each program writes these in its
# own style. No code parses a text. Tests wait for conditions.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

status=0
# Strings outside comment lines. The flag of another program (--rotation-axis) is allowed.
strings=$(grep -rnE '"[^"]*"' engine --include='*.cpp' --include='*.h' --include='*.cu' --include='*.cuh' |
    grep -vE '^[^:]*:[0-9]+: *//')
if [ "$(wc -l <<<"$strings")" -lt 5000 ]; then
    echo "hardly any strings were found"
    status=1
fi
if sed -E 's| // [^"]*$||; s| // "[^;]*$||' <<<"$strings" | grep -E '"[^"]*--[a-z][^"]*"' | grep -v '"--rotation-axis "'; then
    echo "a text of the engine names a flag: see optionName() and hint() in engine/base/text.h"
    status=1
fi
# The prefix "--" occurs only once in the engine, in the style of the command line.
if [ "$(grep -rlF '"--"' engine)" != engine/base/text.cpp ]; then
    echo "flags are put together outside engine/base/text.cpp:"
    grep -rnF '"--"' engine
    status=1
fi
if grep -rnE '(error|failure|why)\.(what|text)\(\)[^;]*(find|substr|starts_with|ends_with|remove|replace)\(' engine ui app --include='*.cpp' \
    --include='*.h'; then
    echo "a message is taken apart"
    status=1
fi

# Papers are cited by authors and year, not by file numbers; documents outside the project are not named.
if grep -rnE '(\(|after |of |as |than |papers? |// |")00[0-4](,|:|\)| \(| reads| measures| measured|$)|\b(CONVENTIONS|DESIGN)\b' engine ui app tests \
    packaging resources README.md CONTRIBUTING.md --include='*.cpp' --include='*.h' --include='*.cu' --include='*.cuh' \
    --include='*.md' --include='*.cmake' --include='*.txt'; then
    echo "a paper is named by a number, or a document that isn't there"
    status=1
fi
# Only the soak test pauses, as a user does.
if grep -rnE 'QTest::q(Wait|Sleep)\(' tests --include='*.cpp' --include='*.h' | grep -v '/soak_acts\.h:'; then
    echo "a test waits for a fixed time: see comes() in tests/fixtures.h and isLaidOut() in tests/ui/fixtures.h"
    status=1
fi
licence='SPDX-License-Identifier: GPL-3.0-or-later'
unlicensed=$(find engine ui app tests packaging .ci CMakeLists.txt \( -name '*.cpp' -o -name '*.h' -o -name '*.cu' -o -name '*.cuh' -o -name '*.sh' \
    -o -name '*.cmake' -o -name '*.py' -o -name CMakeLists.txt \) -type f -exec grep -L "$licence" {} +)
if [ -n "$unlicensed" ]; then
    printf 'these have no line "%s":\n%s\n' "$licence" "$unlicensed"
    status=1
fi
exit $status
