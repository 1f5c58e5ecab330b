// One program for the tests of a folder (of engine/, app/, ui/, gpu/): linked once, and run with the name of a file.
// A file's tests are a class of their own, run by themselves: `build/release/tests/engine_tests io/tiff_test`.
#pragma once

#include <QTest>

#include <vector>

namespace test_program
{

struct Entry {
    const char* source; // …/tests/engine/io/tiff_test.cpp
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

// At the end of a file: its class, and the application that it wants to exist (QCoreApplication, QApplication).
#define SINOSCOPE_TEST(Test, Application)                                                                              \
    static const test_program::Registered registered##Test({__FILE__, &test_program::run<Test, Application>});
