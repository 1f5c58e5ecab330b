// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes in bytes as users write them, as commands write them, and as they are shown: one unit, powers of 1000.
#include "engine/base/number_text.h"
#include "engine/volume/volume_plan.h"
#include "tests/fixtures.h"

#include <QTest>

using namespace engine;
using namespace fixtures;

class SizesTest : public QObject
{
    Q_OBJECT
  private slots:
    void areRead()
    {
        for (const auto& [text, bytes] : {std::pair("800M", 800e6),
                                          {"12GB", 12e9},
                                          {"12 gb", 12e9},
                                          {"1.5k", 1500.0},
                                          {"1KiB", 1024.0},
                                          {"2GiB", 2147483648.0},
                                          {"7B", 7.0}})
            QCOMPARE(bytesFromText(text), bytes);
        for (const char* bad : {"12", "GB", "-1G", "0M", "1BiB", "1MiG"})
            QVERIFY2(fails(ErrorKind::badRequest, {"bad size", bad, "12GiB"}, [&] { bytesFromText(bad); }), bad);
    }

    void areWrittenBack()
    {
        for (const char* text : {"800M", "12G", "1KiB", "172MiB", "2GiB", "123456789B", "7B"})
            QCOMPARE(bytesToText(bytesFromText(text)), std::string(text));
    }

    void areSaid()
    {
        for (const auto& [bytes, text] : {std::pair(0.0, "0 B"),
                                          {999.0, "999 B"},
                                          {1024.0, "1.02 kB"},
                                          {10e6, "10 MB"},
                                          {172e6, "172 MB"},
                                          {999.6e6, "1 GB"},
                                          {1.5e9, "1.5 GB"},
                                          {34.36e9, "34.4 GB"},
                                          {12.8e12, "12.8 TB"},
                                          {1e15, "1 PB"}})
            QCOMPARE(sizeText(bytes), std::string(text));
    }

    // If the limit is below what the program itself needs, the only advice is the smallest limit that suffices.
    void theLeastLimitThatDoesIsSaid()
    {
        Request request = requestFor(smallScan());
        for (const char* given : {"1KiB", "150M"}) {
            request.resources.memoryLimitBytes = bytesFromText(given);
            std::string said;
            try {
                planVolume(request);
            } catch (const Error& error) {
                said = error.what();
            }
            QVERIFY2(contains(said, "168 MB of it for the program itself") && contains(said, "memory limit is ") &&
                         !contains(said, "fewer") && !contains(said, "region"),
                     said.c_str());
            QVERIFY2(contains(said, given == std::string("150M") ? "is 150 MB;" : "is 1.02 kB (1KiB);"), said.c_str());
            const std::string mark = "raise it to ";
            const std::string least = said.substr(said.find(mark) + mark.size());
            request.resources.memoryLimitBytes = bytesFromText(least.substr(0, least.find(" or more")));
            QVERIFY(planVolume(request).bytes <= request.resources.memoryLimitBytes);
        }
    }
};

SINOSCOPE_TEST(SizesTest, QCoreApplication)
#include "sizes_test.moc"
