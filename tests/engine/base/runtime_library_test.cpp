// SPDX-License-Identifier: GPL-3.0-or-later
// Libraries that are loaded at run time: the first name that the machine has, and functions that exist.
#include "engine/base/runtime_library.h"
#include "tests/test_program.h"

#include <QTest>

#include <cstddef>

class RuntimeLibraryTest : public QObject
{
    Q_OBJECT

  private slots:
    void takesTheFirstThatIsThere()
    {
        const engine::RuntimeLibrary library({"libno-such-library.so.1", "libc.so.6", "libm.so.6"});
        QVERIFY(bool(library));
        std::size_t (*length)(const char*) = nullptr;
        QVERIFY(library.find(length, "strlen"));
        QCOMPARE(length("four"), std::size_t(4));
        QVERIFY(!library.find(length, "no_such_function"));
        QVERIFY(!length);
    }

    void saysIfThereIsNone()
    {
        const engine::RuntimeLibrary library({"libno-such-library.so.1"});
        QVERIFY(!library);
        int (*function)() = nullptr;
        QVERIFY(!library.find(function, "strlen")); // not of the program itself
    }
};

SINOSCOPE_TEST(RuntimeLibraryTest, QCoreApplication)
#include "runtime_library_test.moc"
