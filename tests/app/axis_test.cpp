// SPDX-License-Identifier: GPL-3.0-or-later
// The axis of a scan by every method, as text and as JSON, and in the conventions of other programs.
#include "tests/app/program.h"

#include <cstdint>
#include <fstream>
#include <vector>

using program::Result;

class AxisCommandTest : public QObject, private program::Folder
{
    Q_OBJECT

  private slots:
    void initTestCase()
    {
        const Result made = makeHead(); // axis at 50 of 96 bins
        QVERIFY2(made.status == 0, made.err.constData());
    }

    void asJson()
    {
        const Result found = run({"axis", "head.h5", "--json", "-"});
        QVERIFY2(found.status == 0, found.err.constData());
        const QJsonObject all = found.json();
        const double axis = all["axis"].toDouble();
        QVERIFY2(std::abs(axis - 50) < 0.25, qPrintable(QString::number(axis)));
        QVERIFY(all["confidence"].toDouble() > 0.5);
        QVERIFY(all["doubt"].toString().isEmpty());
        const QJsonObject programs = all["programs"].toObject();
        QCOMPARE(programs["tomopy"].toDouble(), axis);
        QCOMPARE(programs["tomopy-iterative"].toDouble(), axis + 0.5);
        QCOMPARE(programs["nabu"].toDouble(), axis);
        QCOMPARE(programs["tomocupy"].toDouble(), axis);
        QCOMPARE(programs["astra"].toDouble(), 47.5 - axis);
        int agreeing = 0, unsuited = 0;
        for (const QJsonValue& each : all["candidates"].toArray()) {
            const QJsonObject candidate = each.toObject();
            QVERIFY(!candidate["reference"].toString().isEmpty());
            unsuited += candidate.contains("reason");
            agreeing += candidate["agrees"].toBool();
            if (candidate["agrees"].toBool())
                QVERIFY(std::abs(candidate["axis"].toDouble() - 50) < 1.5);
        }
        QVERIFY(agreeing >= 3);
        // A reconstruction uses the same axis and reports the same confidence.
        const QJsonObject opening = all["atOpening"].toObject();
        QVERIFY2(run({"reconstruct", "head.h5", "-o", "slice.tif", "--axis", "find", "--json", "slice.json"}).status ==
                     0,
                 "reconstruct");
        const QJsonObject made = QJsonDocument::fromJson(contents("slice.json")).object();
        QCOMPARE(opening["axis"].toDouble(), made["axis"].toDouble());
        QCOMPARE(opening["confidence"].toDouble(), made["axisConfidence"].toDouble());
        QCOMPARE(opening["how"].toString(), made["axisHow"].toString());
        QCOMPARE(opening["axis"].toDouble(), all["axis"].toDouble());
        QVERIFY(opening["how"].toString().contains("together"));
        QCOMPARE(unsuited, 1); // this arc is not a full turn
    }

    void asText()
    {
        const QByteArray text = run({"axis", "head.h5"}).out;
        for (const char* part :
             {"opposite-views", "fourier", "It needs a full turn.", "confidence", " together\n",
              "rotation_axis_position = ", "astra.geom_postalignment(proj_geom, -2.", "--rotation-axis ", "center="})
            QVERIFY2(text.contains(part), (QByteArray(part) + " is not in\n" + text).constData());
    }

    // The axis is found in rows that are prepared with the options given.
    void preparationCounts()
    {
        const Result asked = run({"axis", "head.h5", "--rings", "titarenko", "--json", "-"});
        QVERIFY2(asked.status == 0, asked.err.constData());
        QVERIFY(asked.json()["axis"].toDouble() != run({"axis", "head.h5", "--json", "-"}).json()["axis"].toDouble());
    }

    // If neither the arc nor an option determines the axis, the middle is used, with a warning on standard error.
    void guessed()
    {
        QFile raw(file("short.raw"));
        QVERIFY(raw.open(QIODevice::WriteOnly));
        const std::vector<float> row(32, 0.5F);
        for (int k = 0; k < 40; ++k)
            raw.write(reinterpret_cast<const char*>(row.data()), 32 * sizeof(float));
        raw.close();
        const QStringList scan{"short.raw", "--raw",          "40x1x32",  "--type", "float32",
                               "--values",  "line-integrals", "--angles", "0::1.5"};
        const QStringList made = QStringList{"reconstruct"} + scan + QStringList{"-o", "short.tif"};
        const Result result = run(made);
        QVERIFY2(result.status == 0, result.err.constData());
        QCOMPARE(result.err.count("warning: "), 2);
        QVERIFY2(result.err.contains("(limited angle)"), result.err.constData());
        QVERIFY2(result.err.contains("15.5 bins, is a guess, the middle of the detector"), result.err.constData());
        QVERIFY2(result.out.contains("15.5 bins (guess: the middle of the detector, confidence 0 %)"),
                 result.out.constData());
        QVERIFY2(!result.out.contains("is a guess"), result.out.constData()); // the guess is already reported
        const Result find = run(made + QStringList{"--axis", "find", "--overwrite"});
        QCOMPARE(find.status, 2);
        QVERIFY2(find.err.contains("from an arc of 58.5°, 90° are needed"), find.err.constData());
        QCOMPARE(run(QStringList{"axis"} + scan).status, 2);
        QVERIFY(!run(made + QStringList{"--axis", "middle", "--overwrite"}).err.contains("is a guess"));
    }

    // Empty projections (all of them, or some) are reported once on standard error, and in the report.
    void emptyProjectionsAreAWarning()
    {
        for (const int empty : {40, 10}) {
            std::vector<std::uint16_t> counts;
            for (int k = 0; k < 40 * 4 * 32; ++k)
                counts.push_back(k / 128 >= 40 - empty ? 0 : std::uint16_t(k % 32 > 8 && k % 32 < 20 ? 300 : 900));
            std::ofstream(path("empty.raw"), std::ios::binary)
                .write(reinterpret_cast<const char*>(counts.data()), std::streamsize(counts.size() * 2));
            for (const QStringList& more : {QStringList(), QStringList{"--rows", "3"}}) {
                const Result found = run(QStringList{"axis", "empty.raw", "--raw", "40x4x32", "--type", "uint16",
                                                     "--values", "transmission", "--json", "-"}
                                         << more);
                QVERIFY2(found.status == 0, found.err.constData());
                const QByteArray said = empty == 40 ? "All 40 projections are empty" : "10 of 40 projections are empty";
                QVERIFY2(found.err.count("warning: empty.raw: " + said) == 1, found.err.constData());
                QVERIFY(found.json()["warnings"].toArray().first().toString().startsWith(QString::fromUtf8(said)));
                if (empty == 40)
                    QCOMPARE(found.json()["confidence"].toDouble(-1), 0.0);
            }
        }
    }

    // Raw scans without information: the message names the problem, the file and the remedy.
    void nothingIsSaid()
    {
        const auto write = [&](const char* name, const std::vector<float>& values) {
            std::ofstream(path(name), std::ios::binary)
                .write(reinterpret_cast<const char*>(values.data()), std::streamsize(values.size() * 4));
        };
        write("zeros.raw", std::vector<float>(40 * 4 * 32));
        write("none.raw", std::vector<float>(40 * 4 * 32, fixtures::notANumber));
        std::vector<float> middle(40 * 4 * 32);
        for (int k = 0; k < 40 * 4 * 32; ++k)
            middle[k] = k / 32 % 4 == 2 ? 0.0F : float(k % 32 > 8 && k % 32 < 20 ? 300 : 900);
        write("middle.raw", middle);
        const QStringList raw{"--raw", "40x4x32", "--type", "float32", "--values", "counts"};
        for (const auto& [name, said] : {std::pair("zeros.raw", "nothing but 0 in all of its 40 projections"),
                                         std::pair("none.raw", "no number in any of its 40 projections"),
                                         std::pair("middle.raw", "nothing but 0 in all of its 40 projections")})
            for (const QStringList& command :
                 {QStringList{"axis", name}, QStringList{"reconstruct", name, "-o", "no.tif", "--slice", "1"}}) {
                const Result refused = run(command + raw);
                const bool isRowOfSlice = command.size() > 2 && name != std::string("middle.raw");
                QCOMPARE(refused.status, 2);
                QVERIFY2(refused.err.contains(name) && refused.err.contains(said), refused.err.constData());
                QVERIFY2(isRowOfSlice || refused.err.contains("axis --rows 9"), refused.err.constData());
            }
        const Result given =
            run(QStringList{"reconstruct", "middle.raw", "-o", "given.tif", "--slice", "1", "--axis", "15"} + raw);
        QVERIFY2(given.status == 0, given.err.constData());
        const Result sought = run(QStringList{"reconstruct", "middle.raw", "-o", "find.tif", "--slice", "1", "--axis",
                                              "find", "--values", "transmission"} +
                                  raw.first(4));
        QCOMPARE(sought.status, 2);
        QVERIFY2(
            sought.err.contains("middle.raw: The rotation axis can't be found from projections that are all empty"),
            sought.err.constData());
    }

    void moreRowsThanThereAreAreRefused()
    {
        for (const QStringList& command :
             {QStringList{"axis", "head.h5", "--rows", "6"},
              QStringList{"reconstruct", "head.h5", "-o", "rows.h5", "--axis-rows", "6"}}) {
            const Result result = run(command);
            QCOMPARE(result.status, 2);
            QVERIFY2(result.err.contains("can't be found in 6 rows") && result.err.contains("has 5"),
                     result.err.constData());
        }
        QCOMPARE(run({"axis", "head.h5", "--rows", "5"}).status, 0);
    }

    void refused()
    {
        const Result absent = run({"axis", "none.h5"});
        QCOMPARE(absent.status, 2);
        QCOMPARE(run({"phantom", "ball", "--size", "32", "--slices", "32", "--projections", "40", "--source-axis",
                      "100", "--source-detector", "150", "--pixel", "0.5", "-o", "cone.h5"})
                     .status,
                 0);
        const Result cone = run({"axis", "cone.h5"});
        QCOMPARE(cone.status, 2);
        QVERIFY2(cone.err.contains("parallel beam, not with a cone beam"), cone.err.constData());
    }
};

SINOSCOPE_TEST(AxisCommandTest, QCoreApplication)
#include "axis_test.moc"
