// SPDX-License-Identifier: GPL-3.0-or-later
// `info`: description of a scan, and options that override what the file specifies.
#include "engine/io/slices/slice_writer.h"
#include "tests/app/program.h"

#include <algorithm>
#include <fstream>

using program::Result;

class InfoTest : public QObject, private program::Folder
{
    Q_OBJECT

  private slots:
    void initTestCase()
    {
        const Result made = makeHead();
        QVERIFY2(made.status == 0, made.err.constData());
    }

    void infoTellsWhatThePhantomIs()
    {
        const Result info = run({"info", "head.h5", "--json", "-"});
        QVERIFY2(info.status == 0, info.err.constData());
        const QJsonObject scan = info.json();
        QCOMPARE(scan["format"].toString(), "DXchange");
        QCOMPARE(scan["bins"].toInt(), 96);
        QCOMPARE(scan["rows"].toInt(), 5);
        QCOMPARE(scan["projections"].toInt(), 151);
        QCOMPARE(scan["quantity"].toString(), "counts");
        QVERIFY(scan["flatFrames"].toInt() >= 1);
        QVERIFY(std::abs(scan["angles"].toObject()["lastDeg"].toDouble() - 180.0 * 150 / 151) < 1e-3);
        QVERIFY(scan["bytesOnDisk"].toDouble() == double(QFileInfo(file("head.h5")).size()));
        QVERIFY(scan["bytesPerSlice"].toDouble() > 96 * 151 * 4);

        const QByteArray text = run({"info", "head.h5"}).out;
        QVERIFY(text.contains("DXchange") && text.contains("151") && text.contains("memory per slice"));
    }

    // `info *.h5` describes every scan that can be opened; the status reports that others could not be.
    void severalScans()
    {
        QFile::copy(file("head.h5"), file("other.h5"));
        const Result both = run({"info", "head.h5", "other.h5"});
        QVERIFY2(both.status == 0, both.err.constData());
        QVERIFY(both.out.startsWith("head.h5\n") && both.out.contains("\nother.h5\n"));
        QCOMPARE(both.out.count("DXchange"), 2);
        const Result some = run({"info", "nowhere.h5", "other.h5", "--json", "-"});
        QCOMPARE(some.status, 2);
        QVERIFY2(some.err.contains("nowhere.h5"), some.err.constData());
        QCOMPARE(some.list().size(), 1);
        QVERIFY(some.list()[0].toObject()["path"].toString().endsWith("other.h5"));
        QFile::remove(file("other.h5"));
    }

    // Uneven angles are reported for scans too (they used to be reported for results only).
    void unevenAngles()
    {
        std::ofstream angles(path("uneven.txt"));
        for (int k = 0; k < 151; ++k)
            angles << 180.0 * k / 151 + (k % 2 ? 0.5 : 0) << '\n';
        angles.close();
        QVERIFY(!run({"info", "head.h5"}).out.contains("unevenly"));
        QVERIFY(run({"info", "head.h5", "--angles", "uneven.txt"}).out.contains("unevenly spaced"));
        const QJsonArray notes =
            run({"info", "head.h5", "--angles", "uneven.txt", "--json", "-"}).json()["notes"].toArray();
        QVERIFY(
            std::ranges::any_of(notes, [](const QJsonValue& note) { return note.toString().contains("unevenly"); }));
    }

    void valuesAreSaidAndChosen()
    {
        const QJsonObject info = run({"info", "head.h5", "--json", "-"}).json();
        QCOMPARE(info["values"].toObject()["are"].toString(), "counts");
        QCOMPARE(info["values"].toObject()["source"].toString(), "recorded");
        engine::Volume sinogram(1, 40, 32); // line integrals: 0 in air
        for (int p = 0; p < 40; ++p)
            for (int bin = 10; bin < 22; ++bin)
                sinogram.values[p * 32 + bin] = 2;
        engine::writeTiffImage(path("lines.tif"), sinogram, 0, true, {});
        const QStringList command{"reconstruct", "lines.tif", "--sinogram",      "--axis",
                                  "middle",      "-o",        "lines-slice.tif", "--overwrite"};
        const Result guessed = run(command);
        QCOMPARE(guessed.status, 0);
        QVERIFY2(guessed.out.contains("line-integrals (a guess"), guessed.out.constData());
        QVERIFY(guessed.out.contains("--values"));
        QVERIFY(guessed.err.isEmpty());
        const Result counts = run(QStringList(command) << "--values"
                                                       << "transmission"
                                                       << "--json"
                                                       << "-");
        QCOMPARE(counts.status, 0);
        QVERIFY2(counts.err.contains("inverted"), counts.err.constData());
        const QJsonObject values = counts.json()["request"].toObject()["scan"].toObject()["values"].toObject();
        QCOMPARE(values["are"].toString(), "transmission");
        QCOMPARE(values["source"].toString(), "given");
        const Result bad = run(QStringList(command) << "--values"
                                                    << "photons");
        QCOMPARE(bad.status, 2);
        QVERIFY2(bad.err.contains("photons") && bad.err.contains("line-integrals"), bad.err.constData());
    }
};

SINOSCOPE_TEST(InfoTest, QCoreApplication)
#include "info_test.moc"
