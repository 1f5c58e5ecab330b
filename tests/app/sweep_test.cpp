// SPDX-License-Identifier: GPL-3.0-or-later
// `compare-settings --vary`: its files, its command, and its refusals.
#include "engine/io/slices/slice_writer.h"
#include "engine/io/slices/stored_slices.h"
#include "tests/app/program.h"

using program::Result;

class SweepCommandTest : public QObject, private program::Folder
{
    Q_OBJECT

    QStringList compared(const QStringList& more) const { return QStringList{"compare-settings", "head.h5"} + more; }

  private slots:
    void initTestCase() { QCOMPARE(makeHead().status, 0); }

    // The command of the best setting gives the image in the stack.
    void bestCommandRepeatsTheImage()
    {
        const Result result = run(compared({"--slice", "3", "--vary", "axis=48:52:0.5", "--best", "sharpness", "--json",
                                            "-", "--output", "axes.h5", "--report", "axes.html", "--csv", "axes.csv"}));
        QCOMPARE(result.status, 0);
        const QJsonObject all = result.json();
        QCOMPARE(all["settings"].toArray().size(), 9);
        const QJsonObject best = all["best"].toObject();
        const int number = best["setting"].toInt();
        QCOMPARE(all["settings"][number - 1]["values"]["axis"].toString(), "50");
        QStringList words = best["command"].toString().split(' ');
        QCOMPARE(words.takeFirst(), "sinoscope-cli");
        QCOMPARE(run(words).status, 0);
        const engine::StoredSlice stacked = engine::readSlice({path("axes.h5"), "/entry/data/data"}, number - 1);
        const engine::StoredSlice single = engine::readSlice({path("best.tif")});
        QCOMPARE(stacked.image.values, single.image.values);
        QVERIFY(contents("axes.html").count("data:image/png;base64,") == 9);
        QCOMPARE(contents("axes.csv").trimmed().split('\n').size(), 10);
        QCOMPARE(contents("axes.csv").split('\n').at(1).split(',').first(), "48");
    }

    void foldersAndTables()
    {
        QCOMPARE(run(compared({"--vary", "filter=hann,none", "--vary", "cutoff=0.5,1", "--output", "some"})).status, 0);
        QCOMPARE(files("some"), (QStringList{"1_filter=hann_1_cutoff=0.5.tiff", "1_filter=hann_2_cutoff=1.tiff",
                                             "2_filter=none_2_cutoff=1.tiff"}));
        const Result table = run(compared({"--vary", "filter=hann,none", "--vary", "cutoff=0.5,1"}));
        QVERIFY(table.out.contains("note: 3: --cutoff: without a filter there is no cut-off"));
        QVERIFY(table.out.contains("exact phantom"));
    }

    void refusals()
    {
        engine::writeTiffImage(path("volume_00000.tiff"), engine::Volume(1, 8, 8), 0, true, {});
        QVERIFY(QDir(folder()).mkpath("volume"));
        QVERIFY(QFile::rename(file("volume_00000.tiff"), file("volume/volume_00000.tiff")));
        for (const auto& [arguments, part] : std::initializer_list<std::pair<QStringList, const char*>>{
                 {{}, "give --vary OPTION=FIRST:LAST:STEP"},
                 {{"--vary", "axis=3:1:1"}, "is empty"},
                 {{"--vary", "axes=3:1:1"}, "did you mean axis"},
                 {{"--vary", "axis=40,50", "--best", "error"}, "possible here"},
                 {{"--vary", "axis=40,50", "--best", "rmse", "--reference", "none"}, "needs a reference"},
                 {{"--vary", "axis=40,50", "--output", "a.tif"}, "holds one image"},
                 {{"--vary", "axis=40,50", "--output", "head.h5", "--overwrite"}, "head.h5"},
                 {{"--vary", "axis=40,50", "--most", "1"}, "these are 2 settings, more than 1 (--most 2)"},
                 {{"--vary", "axis=40,50", "--axis", "45"}, "--axis is varied"},
                 {{"--vary", "axis=40,50", "--area", "rectangle 90,90,20,20"}, "beyond the image"},
                 {{"--vary", "axis=40,50", "--output", "volume"}, "has images already, such as 'volume_00000.tif"},
                 {{"--vary", "axis=400,500"}, "axis"},
                 {{"--vary", "axis=40,50", "--slice", "5"}, "slices 0 to 4"},
                 {{"--vary", "axis=40,50", "--reference", "setting:3"}, "settings 1 to 2"},
                 {{"--vary", "filter=none,hann", "--order", "4"}, "--order"},
                 {{"--zip"}, "--vary"},
             }) {
            const Result result = run(compared(arguments));
            QVERIFY2(result.status == 2 && result.err.contains(part),
                     qPrintable(arguments.join(' ') + ": " + result.err + result.out));
        }
        QVERIFY(!contents("head.h5").isEmpty());
    }
};

SINOSCOPE_TEST(SweepCommandTest, QCoreApplication)
#include "sweep_test.moc"
