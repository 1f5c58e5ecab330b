// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the tests of one source file; see test_program.h.
#include "tests/test_program.h"

#include <algorithm>
#include <cstdio>
#include <string>

int main(int argc, char** argv)
{
    const auto isOf = [](const test_program::Entry& entry, const std::string& name) {
        return std::string(entry.source).ends_with("/" + name + ".cpp");
    };
    const std::vector<test_program::Entry>& all = test_program::entries();
    if (argc > 1) {
        const auto entry = std::find_if(all.begin(), all.end(), [&](const auto& e) { return isOf(e, argv[1]); });
        if (entry != all.end()) {
            if (!qEnvironmentVariableIsSet("QTEST_FUNCTION_TIMEOUT")) // its five minutes are too few on a busy machine
                qputenv("QTEST_FUNCTION_TIMEOUT",
                        QByteArray::number(6 * test_program::patienceMs +
                                           60000 * qEnvironmentVariableIntValue("SINOSCOPE_SOAK_MINUTES")));
            std::rotate(argv + 1, argv + 2, argv + argc + 1); // Qt Test gets no file name
            return entry->run(argc - 1, argv);
        }
        std::fprintf(stderr, "there is no %s here\n", argv[1]);
    }
    std::fprintf(stderr, "Usage: %s FILE [OPTION OF QT TEST]..., FILE one of:\n", argv[0]);
    for (const test_program::Entry& entry : all)
        std::fprintf(stderr, "  %s\n", entry.source);
    return 2;
}
