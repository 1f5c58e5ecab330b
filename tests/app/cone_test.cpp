// SPDX-License-Identifier: GPL-3.0-or-later
// Cone beams on the command line: options determine the geometry, the report shows it, and mistakes give clear
// messages.
#include "tests/app/program.h"

#include <fstream>

using program::Result;

class ConeCommandTest : public QObject, private program::Folder
{
    Q_OBJECT

  private slots:
    void initTestCase()
    {
        // A cylinder about the axis, far from the edges.
        std::vector<float> values;
        for (int projection = 0; projection < 36; ++projection)
            for (int row = 0; row < 12; ++row)
                for (int bin = 0; bin < 16; ++bin)
                    values.push_back(std::abs(bin - 7.5) < 4 ? float(std::sqrt(16 - (bin - 7.5) * (bin - 7.5))) : 0);
        std::ofstream(path("scan.raw"), std::ios::binary)
            .write(reinterpret_cast<const char*>(values.data()), std::streamsize(values.size() * sizeof(float)));
        std::ofstream(path("geometry.txt")) << "1 2 3\n";
        std::ofstream(path("g.json"))
            << R"({"sourceAxisMm": 100, "sourceDetectorMm": 150, "pixelUMm": 0.5, "direction": "clockwise"})";
    }

    void infoSaysAll()
    {
        const Result text = run(raw("info") + cone() + words("--detector-offset 0.5,-1 --tilt 1 --voxel 0.25"));
        QVERIFY2(text.status == 0, text.err.constData());
        for (const char* part : {"cone beam", "100 mm", "150 mm, magnification 1.5", "0.5 × 0.5 mm", "1°, 0°",
                                 "× 16 voxels of 0.25 mm", "rows needed", "6.5 bins"})
            QVERIFY2(text.out.contains(part), (part + (": " + text.out)).constData());
        const QJsonObject json = run(raw("info") + cone() + words("--size 10x7 --json -")).json();
        QCOMPARE(json["geometry"].toString(), QStringLiteral("cone beam"));
        QCOMPARE(json["slices"].toInt(), 7);
        QCOMPARE(json["sliceSize"].toInt(), 10);
        const QJsonObject said = json["cone"].toObject();
        QCOMPARE(said["sourceAxisMm"].toDouble(), 100.0);
        QCOMPARE(said["pixelVMm"].toDouble(), 0.5);
        QCOMPARE(said["magnification"].toDouble(), 1.5);
        QCOMPARE(said["offsetUMm"].toDouble(), 0.0);
        QCOMPARE(said["centralRow"].toDouble(), 5.5);
        QVERIFY(!run(raw("info") + words("--geometry parallel --json -")).json().contains("cone"));
    }

    void slicesAreOfTheVolume()
    {
        const Result all = run(raw("reconstruct") + cone() +
                               words("--size 10x20 --voxel 0.1 --method exact --output v.h5 --json all.json"));
        QVERIFY2(all.status == 0, all.err.constData());
        const QJsonObject report = QJsonDocument::fromJson(contents("all.json")).object();
        QCOMPARE(report["slices"].toInt(), 20); // from 12 rows
        QCOMPARE(report["unit"].toString(), QStringLiteral("1/mm"));
        const QJsonObject opened = report["opened"].toObject();
        QCOMPARE(opened["geometry"].toString(), QStringLiteral("cone"));
        QCOMPARE(opened["cone"].toObject()["size"].toInt(), 10);
        const Result last =
            run(raw("reconstruct") + cone() +
                words("--size 10x20 --voxel 0.1 --method exact --slices 18:20 --output two.h5 --json -"));
        QVERIFY2(last.status == 0, last.err.constData());
        QCOMPARE(last.json()["firstSlice"].toInt(), 18);
        const Result middle = run(raw("reconstruct") + cone() +
                                  words("--size 10x20 --voxel 0.1 --method exact --output middle.tif --json -"));
        QCOMPARE(middle.json()["firstSlice"].toInt(), 10);
    }

    void directionFromTheFileAndOver()
    {
        const auto last = [&](const QString& more) {
            const Result result = run(raw("info") + words("--geometry g.json --angles 0:350 --json - " + more));
            return result.json()["angles"].toObject()["lastDeg"].toDouble();
        };
        QCOMPARE(last({}), -350.0);
        QCOMPARE(last(QStringLiteral("--direction anticlockwise")), 350.0);
    }

    void settingsSayHowTheirScanWasOpened()
    {
        const Result made =
            run(raw("reconstruct") + cone() + words("--method exact --slice 3 --output s.tif --json settings.json"));
        QVERIFY2(made.status == 0, made.err.constData());
        const Result again =
            run(raw("reconstruct") + words("--settings settings.json --geometry g.json --slice 3 --output t.tif"));
        QVERIFY2(again.status == 0, again.err.constData());
        QVERIFY2(again.err.contains("--source-axis"), again.err.constData());
    }

    void mistakes_data()
    {
        QTest::addColumn<QString>("more");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const char* more, const char* message) {
            QTest::newRow(name) << more << message;
        };
        row("no distance", "--geometry cone", "--source-axis");
        row("no detector", "--source-axis 100 --pixel 1", "--source-detector");
        row("no pixel", "--source-axis 100 --source-detector 150", "--pixel");
        row("source inside", "--source-axis 2 --source-detector 150 --pixel 40", "inside the volume");
        row("no pitch", "--source-axis 100 --source-detector 150 --pixel 0", "not between 1e-09 and 1e+09 mm");
        row("negative pitch", "--source-axis 100 --source-detector 150 --pixel 1,-1", "not between 1e-09 and 1e+09 mm");
        row("not a number", "--source-axis far", "'far'");
        row("infinite", "--source-axis inf", "--source-axis");
        row("offset beyond", "--source-axis 100 --source-detector 150 --pixel 0.5 --detector-offset 50,0",
            "outside the detector");
        row("three offsets", "--detector-offset 1,2,3", "--detector-offset");
        row("direction", "--direction left", "anticlockwise");
        row("size", "--size 0", "1 to 65536");
        row("parallel", "--geometry parallel --source-axis 100", "--geometry cone");
        row("voxel alone", "--voxel 1", "parallel beam");
        row("no file", "--geometry nowhere.xml", "nowhere.xml");
        row("no geometry", "--geometry geometry.txt", "12, row by row");
        row("cubic", "--source-axis 100 --source-detector 150 --pixel 0.5 --interpolation cubic",
            "nearest or linear, between both bins and rows, not cubic");
        row("rows for the axis", "--source-axis 100 --source-detector 150 --pixel 0.5 --axis-rows 9",
            "--axis-rows finds the axis of parallel beams");
    }

    void mistakes()
    {
        QFETCH(const QString, more);
        QFETCH(const QString, message);
        const QStringList before = files();
        const Result result = run(raw("reconstruct") + words(more + QStringLiteral(" --output bad.tif")));
        QVERIFY2(result.status == 2, result.err.constData());
        QVERIFY2(result.err.startsWith("sinoscope-cli"), result.err.constData());
        QVERIFY2(result.err.contains(message.toUtf8()), result.err.constData());
        QCOMPARE(files(), before);
    }

    // A slice that no ray meets is zero, and a note reports it.
    void outsideTheCone()
    {
        const Result result = run(raw("reconstruct") +
                                  words("--source-axis 100 --source-detector 150 --pixel 0.5 --voxel 0.2 --size 8x400 "
                                        "--slice 0 --method exact --output outside.tif"));
        QVERIFY2(result.status == 0, result.err.constData());
        QVERIFY2((result.out + result.err).contains("1 slice lies outside the cone"), result.out.constData());
    }

  private:
    static QStringList words(const QString& text) { return text.split(' ', Qt::SkipEmptyParts); }
    static QStringList raw(const QString& command)
    {
        return words(command + QStringLiteral(" scan.raw --raw 36x12x16 --type float32 --values line-integrals"));
    }
    static QStringList cone()
    {
        return words(QStringLiteral("--geometry cone --source-axis 100 --source-detector 150 --pixel 0.5"));
    }
};

SINOSCOPE_TEST(ConeCommandTest, QCoreApplication)
#include "cone_test.moc"
