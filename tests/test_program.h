// SPDX-License-Identifier: GPL-3.0-or-later
// One test program per folder, such as engine/ or app/: linked once, and run with the name of a source file. The tests
// of each file are a class of their own and run separately:
//     build/release/tests/engine_tests engine/io/tiff/tiff_test
#pragma once

#include <QTest>

#include <vector>

namespace test_program
{

// How long a test waits for an expected event, in milliseconds: far longer than the slowest machine takes, however
// busy it is. Tests that pass do not wait that long.
inline constexpr int patienceMs = 300'000;

struct Entry {
    const char* source; // …/tests/engine/io/tiff/tiff_test.cpp
    int (*run)(int argc, char** argv);
};

inline std::vector<Entry>& entries()
{
    static std::vector<Entry> all;
    return all;
}

struct Registered {
    explicit Registered(const Entry& entry) { entries().push_back(entry); }
};

template <typename Test, typename Application>
int run(int argc, char** argv)
{
    Application application(argc, argv);
    application.setAttribute(Qt::AA_Use96Dpi, true);
    Test test;
    return QTest::qExec(&test, argc, argv);
}

} // namespace test_program

// Qt Test waits only five seconds, which is too short on a busy machine.
#undef QTRY_VERIFY
#undef QTRY_VERIFY2
#undef QTRY_COMPARE
#define QTRY_VERIFY(condition) QTRY_VERIFY_WITH_TIMEOUT((condition), test_program::patienceMs)
#define QTRY_VERIFY2(condition, message) QTRY_VERIFY2_WITH_TIMEOUT((condition), message, test_program::patienceMs)
#define QTRY_COMPARE(actual, expected) QTRY_COMPARE_WITH_TIMEOUT((actual), (expected), test_program::patienceMs)

// Registers the tests at the end of a file: the test class, and the kind of application that it needs
// (QCoreApplication, QApplication).
#define SINOSCOPE_TEST(Test, Application)                                                                              \
    static const test_program::Registered registered##Test({__FILE__, &test_program::run<Test, Application>});
