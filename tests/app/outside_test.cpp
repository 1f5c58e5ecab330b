// SPDX-License-Identifier: GPL-3.0-or-later
// Scans that refer to data outside their folder: every command that opens one refuses it without --allow-outside.
#include "engine/documents/session.h"
#include "engine/io/slices/slice_writer.h"
#include "tests/app/program.h"

#include <fstream>

using program::Result;

class OutsideCommandTest : public QObject, private program::Folder
{
    Q_OBJECT

  private slots:
    void initTestCase()
    {
        std::filesystem::create_directories(path("scan"));
        std::filesystem::create_directories(path("tiffs"));
        engine::Volume frame(1, 6, 8);
        for (int k = 1; k <= 4; ++k) {
            for (std::size_t i = 0; i < frame.values.size(); ++i)
                frame.values[i] = float(900 + 7 * i + k);
            engine::writeTiffImage(path(QStringLiteral("tiffs/scan_%1.tif").arg(k)), frame, 0, true, {});
        }
        std::ofstream(path("scan/scan.xtekct"))
            << "[XTekCT]\nName=scan\nInputFolderName=../tiffs\nProjections=4\nAngularStep=90\nDetectorPixelsX=8\n"
               "DetectorPixelsY=6\nDetectorPixelSizeX=0.2\nSrcToObject=100\nSrcToDetector=200\nWhiteLevel=2000\n";
        engine::Session session;
        session.scan = path("scan/scan.xtekct");
        session.slice = 2;
        session.list.add({});
        engine::writeSession(session, path("s.sinoscope"), false);
    }

    void commands_data()
    {
        QTest::addColumn<QStringList>("command");
        const auto row = [](const char* command) { QTest::newRow(command) << QString(command).split(' '); };
        row("info scan/scan.xtekct");
        row("sinogram scan/scan.xtekct --row 2 -o s.tif --overwrite");
        row("reconstruct scan/scan.xtekct --slices 2:4 -o r.h5 --overwrite");
        row("reconstruct scan/scan.xtekct --slices 2:4 -o p.h5 --plan");
        row("compare-settings s.sinoscope");
        row("benchmark --volume scan/scan.xtekct --output . --device cpu");
    }

    void commands()
    {
        QFETCH(const QStringList, command);
        const QStringList before = files();
        const Result refused = run(command);
        QCOMPARE(refused.status, 2);
        QVERIFY2(refused.err.contains("tiffs'") && refused.err.contains("outside the folder of the scan") &&
                     refused.err.contains("--allow-outside"),
                 refused.err.constData());
        QCOMPARE(files(), before);
        const Result allowed = run(command + QStringList{"--allow-outside"});
        QVERIFY2(allowed.status == 0, allowed.err.constData());
        QVERIFY(run({command.first(), "--help-all"}).out.contains("--allow-outside"));
    }

    // A recipe never stores the permission, nor grants it.
    void isNotSaved()
    {
        const Result made = run({"reconstruct", "scan/scan.xtekct", "--slices", "2:4", "-o", "q.h5", "--allow-outside",
                                 "--save-recipe", "r.json", "--json", "-"});
        QVERIFY2(made.status == 0, made.err.constData());
        QVERIFY(made.err.contains("--allow-outside"));
        QVERIFY(!contents("r.json").contains("allowOutside"));
        const QStringList again{"reconstruct", "scan/scan.xtekct", "--slices", "2:4", "-o",
                                "q2.h5",       "--recipe",         "r.json"};
        QVERIFY(run(again).err.contains("--allow-outside"));
        QCOMPARE(run(again + QStringList{"--allow-outside"}).status, 0);
        QByteArray recipe = contents("r.json");
        QVERIFY(recipe.contains("\"opened\": {}"));
        std::ofstream(path("r.json"))
            << recipe.replace("\"opened\": {}", "\"opened\": {\"allowOutside\": true}").constData();
        const Result refused = run(again);
        QCOMPARE(refused.status, 2);
        QVERIFY2(refused.err.contains("allowOutside"), refused.err.constData());
    }
};

SINOSCOPE_TEST(OutsideCommandTest, QCoreApplication)
#include "outside_test.moc"
