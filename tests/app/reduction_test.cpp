// SPDX-License-Identifier: GPL-3.0-or-later
// Empty projections, binning, and reading only part of a scan on the command line: options, recipes, reports, plans.
#include "tests/app/program.h"

#include <fstream>

using program::Result;

class ReductionCommandTest : public QObject, private program::Folder
{
    Q_OBJECT

  private slots:
    void initTestCase()
    {
        const Result made = run({"phantom", "shepp-logan-3d", "--size", "64", "--slices", "12", "--projections", "90",
                                 "--output", "head.h5"});
        QVERIFY2(made.status == 0, made.err.constData());
    }

    void infoIsATable()
    {
        const Result info = run({"info", "head.h5", "--bin", "2", "--every", "3", "--leave-out", "0,30:40"});
        QVERIFY2(info.status == 0, info.err.constData());
        for (const char* part :
             {"25, of 6 rows and 32 bins", "recorded: 90, of 12 rows and 64 bins", "from /exchange/data",
              "from /exchange/theta", "[missing; --pixel sets it]", "Left out as requested"})
            QVERIFY2(info.out.contains(part), (QByteArray(part) + "\n" + info.out).constData());
        const QJsonObject json = run({"info", "head.h5", "--bin", "2", "--json", "-"}).json();
        QCOMPARE(json["recorded"].toObject()["bins"].toInt(), 64);
        bool isThere = false;
        for (const QJsonValue& part : json["parts"].toArray())
            isThere = isThere || (part["id"].toString() == "flats" && part["state"].toString() == "found" &&
                                  part["source"].toString() == "/exchange/data_white");
        QVERIFY(isThere);
    }

    void recipesAndReportsKnowIt()
    {
        const Result made = run({"reconstruct", "head.h5", "--bin", "2", "--every", "2", "--leave-out", "4", "--slice",
                                 "3", "-o", "a.tif", "--json", "-", "--save-recipe", "r.json"});
        QVERIFY2(made.status == 0, made.err.constData());
        QVERIFY(made.err.contains("--leave-out")); // it applies to this scan and is not stored in the recipe
        const QJsonObject opened = made.json()["opened"].toObject();
        QCOMPARE(opened["bin"].toInt(), 2);
        QCOMPARE(opened["every"].toInt(), 2);
        QCOMPARE(opened["leaveOut"].toString(), "4");
        const Result again =
            run({"reconstruct", "head.h5", "--recipe", "r.json", "--slice", "3", "-o", "b.tif", "--json", "-"});
        QVERIFY2(again.status == 0, again.err.constData());
        QCOMPARE(again.json()["projections"].toInt(), 45);
        QCOMPARE(again.json()["width"].toInt(), 32);
        const Result plain = run({"reconstruct", "head.h5", "--slice", "3", "-o", "c.tif"});
        QVERIFY2(!plain.err.contains("empty"), plain.err.constData());
    }

    void whatIsTooLargeNamesWhatFits()
    {
        const QStringList large{"reconstruct", "wide.h5", "--memory-limit", "172MiB", "-o", "v.h5"};
        const Result made = run({"phantom", "shepp-logan", "--size", "1024", "--slices", "4", "--projections", "1800",
                                 "--output", "wide.h5"});
        QVERIFY2(made.status == 0, made.err.constData());
        QStringList wide = large; // for an image nearly twice as wide as the detector
        wide[3] = "180MiB";
        const Result sized = run(wide << "--size"
                                      << "2000"
                                      << "--plan");
        QVERIFY2(sized.out.contains("would fit: --bin 2 --size 1000, 2 slices of 1000"), sized.out.constData());
        const Result refused = run(large);
        QVERIFY(refused.status != 0);
        QVERIFY2(refused.err.contains("These would fit: --bin 2 ("), refused.err.constData());
        const Result plan = run(QStringList(large) << "--plan");
        QVERIFY2(plan.out.contains("would fit: --bin 2, 2 slices of 512"), plan.out.constData());
        const Result smaller = run(QStringList(large) << "--bin"
                                                      << "2");
        QVERIFY2(smaller.status == 0, smaller.err.constData());
    }

    void emptyOnesAreAWarning()
    {
        std::vector<std::uint16_t> counts;
        for (int projection = 0; projection < 30; ++projection)
            for (int bin = 0; bin < 2 * 24; ++bin)
                counts.push_back(projection >= 20 ? 0 : std::uint16_t(bin % 24 > 8 && bin % 24 < 15 ? 300 : 900));
        std::ofstream(path("third.raw"), std::ios::binary)
            .write(reinterpret_cast<const char*>(counts.data()), std::streamsize(counts.size() * 2));
        const QStringList command{"reconstruct", "third.raw", "--raw", "30x2x24",    "--axis",
                                  "middle",      "-o",        "t.h5",  "--overwrite"};
        const Result warned = run(command);
        QVERIFY2(warned.status == 0, warned.err.constData());
        QVERIFY2(warned.err.contains("warning: third.raw: 10 of 30 projections are empty") &&
                     warned.err.contains("--leave-out 20:29"),
                 warned.err.constData());
        const Result without = run(QStringList(command) << "--leave-out"
                                                        << "20:29");
        QVERIFY2(without.status == 0 && !without.err.contains("empty"), without.err.constData());
    }
};

SINOSCOPE_TEST(ReductionCommandTest, QCoreApplication)
#include "reduction_test.moc"
