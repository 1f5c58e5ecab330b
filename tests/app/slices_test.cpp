// SPDX-License-Identifier: GPL-3.0-or-later
// Slices with other pixel sizes, rotated slices, and projections with shifts, on the command line.
#include "tests/app/program.h"

class SlicesTest : public QObject
{
    Q_OBJECT

  private slots:
    void slicesAreAsTheyAreAskedFor()
    {
        const program::Folder folder;
        QCOMPARE(folder.makeHead().status, 0);
        QFile shifts(folder.file(QStringLiteral("shifts.txt")));
        QVERIFY(shifts.open(QIODevice::WriteOnly));
        for (int p = 0; p < 151; ++p)
            shifts.write("0 0.5\n");
        shifts.close();
        const QStringList asked = {"--shifts", "shifts.txt", "--output-pixel", "0.5", "--rotate", "30"};
        const program::Result info = folder.run(QStringList{"info", "head.h5"} + asked);
        QCOMPARE(info.status, 0);
        for (const char* line : {"0.5 bins", "30°", "0.5 to 0.5 rows", "0° to "})
            QVERIFY2(info.out.contains(line), info.out);
        const program::Result made = folder.run(
            QStringList{"reconstruct", "head.h5", "--slice", "2", "--output", "slice.tif", "--json", "-"} + asked);
        QVERIFY2(made.status == 0, made.err);
        QCOMPARE(made.json()["width"].toInt(), 192);
        const program::Result told = folder.run({"info", "head.h5", "--shifts", "nowhere.txt"});
        QCOMPARE(told.status, 2);
        QVERIFY2(told.err.contains("nowhere.txt"), told.err);
        QCOMPARE(folder.run({"info", "head.h5", "--output-pixel", "0"}).status, 2);
        QCOMPARE(folder.run({"info", "head.h5", "--voxel", "0.1"}).status, 2); // the pixel size is not known
    }
};

SINOSCOPE_TEST(SlicesTest, QCoreApplication)
#include "slices_test.moc"
