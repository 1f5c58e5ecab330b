// SPDX-License-Identifier: GPL-3.0-or-later
// Sinograms before and after each step of preparation on the command line; the order of steps; axis and tilt from
// several rows.
#include "engine/io/slices/slice_writer.h"
#include "tests/app/program.h"
#include "tests/rolled_scan.h"

using program::Result;

namespace
{

// Raw data of a detector rolled by half a degree. It has few rows, so the tilt is found less precisely than
// tilt_test.cpp requires.
const QStringList rolledWords{"--raw",    "120x80x96",      "--type",   "float32",
                              "--values", "line-integrals", "--angles", "0:180"};

} // namespace

class SinogramCommandTest : public QObject, private program::Folder
{
    Q_OBJECT

    engine::Values values(const QString& name) const { return engine::readTiffImage(path(name)).values; }

  private slots:
    void initTestCase()
    {
        QCOMPARE(makeHead().status, 0);
        fixtures::RolledScan rolled;
        rolled.tiltDeg = 0.5;
        const std::vector<float> recorded = rolled.values();
        QFile raw(file("rolled.raw"));
        QVERIFY(raw.open(QIODevice::WriteOnly));
        raw.write(reinterpret_cast<const char*>(recorded.data()), qint64(recorded.size() * sizeof(float)));
    }

    void stepsAreListed()
    {
        const Result plain = run({"sinogram", "head.h5", "--rings", "all", "--zingers", "square"});
        QVERIFY2(plain.status == 0, plain.err.constData());
        QVERIFY(plain.out.indexOf("flat-field") < plain.out.indexOf("zingers"));
        QVERIFY(plain.out.indexOf("zingers") < plain.out.indexOf("rings"));
        const Result other = run({"sinogram", "head.h5", "--zingers", "square", "--step-order", "zingers,flat-field"});
        QVERIFY2(other.out.contains("counts") && other.out.indexOf("zingers") < other.out.indexOf("flat-field"),
                 other.out.constData());
    }

    // Input minus output of the ring removal equals its difference; the output of the last step equals the prepared
    // sinogram.
    void beforeAfterDifference()
    {
        const auto saved = [&](const QStringList& words, const QString& name) {
            const Result made =
                run(QStringList{"sinogram", "head.h5", "--rings", "sorting", "--row", "2", "-o", name} + words);
            QVERIFY2(made.status == 0, made.err.constData());
            QVERIFY2(made.out.contains("of 96 bins of row 2"), made.out.constData());
        };
        saved({"--before", "rings"}, "before.tif");
        saved({"--after", "rings"}, "after.tif");
        saved({"--difference", "rings"}, "difference.tif");
        saved({}, "prepared.tif");
        saved({"--recorded"}, "recorded.tif");
        QVERIFY(contents("after.tif") == contents("prepared.tif") && contents("after.tif") != contents("before.tif"));
        const engine::Values before = values("before.tif"), after = values("after.tif"),
                             difference = values("difference.tif"), counts = values("recorded.tif");
        int changed = 0;
        for (std::size_t k = 0; k < before.size(); ++k) {
            QCOMPARE(difference[k], after[k] - before[k]);
            changed += difference[k] != 0;
            QVERIFY(counts[k] > 10); // detector counts
        }
        QVERIFY(changed > 100);
    }

    void refused()
    {
        const auto says = [&](const QStringList& words, const char* text) {
            const Result made = run(QStringList{"sinogram", "head.h5"} + words);
            QCOMPARE(made.status, 2);
            QVERIFY2(made.err.contains(text), made.err.constData());
        };
        says({"--after", "rings", "-o", "no.tif"}, "'rings' is not on");
        says({"--difference", "flat-field", "-o", "no.tif"}, "there is no difference");
        says({"--row", "1000", "-o", "no.tif"}, "row 1000 was requested");
        says({"--rings", "all", "--step-order", "rings,logarithm", "-o", "no.tif"}, "put 'dead-values' before it");
        says({"--zingers", "off", "--step-order", "zingers,flat-field"}, "'zingers' is off and has no place");
        says({"--zingers", "square", "--step-order", "zingers,flats"}, "there is no step 'flats'");
        says({"--step-order", "tilt,rings", "-o", "no.tif"}, "'tilt' is off and has no place");
        says({"--before", "flat-field", "--after", "logarithm", "-o", "no.tif"}, "excludes");
        says({"--difference", "ring", "-o", "no.tif"}, "there is no step 'ring'; the steps are flat-field, zingers");
        says({"--difference", "flat-field"}, "--difference requires --output");
        says({"--row", "2"}, "--row requires --output");
        // In every order, each step has to be switched on, and there are at least two.
        says({"--zingers", "square", "--step-order", "zingers,flat-field,rings"}, "'rings' is off and has no place");
        says({"--step-order", "flat-field,rings"}, "'rings' is off and has no place");
        says({"--step-order", "rings", "--rings", "all"}, "a single step has no order");
        says({"--step-order", ""}, "--step-order: the value is empty");
    }

    // The report contains order and tilt, and repeating it gives the same image.
    void orderAndTiltAreRepeated()
    {
        const QStringList words{"reconstruct", "head.h5", "--slice", "2",          "--device",
                                "cpu",         "--json",  "-",       "--overwrite"};
        const Result made = run(words + QStringList{"--zingers", "square", "--zinger-threshold", "1.05", "--step-order",
                                                    "zingers,flat-field", "--axis-tilt", "1.5", "-o", "made.tif"});
        QVERIFY2(made.status == 0, made.err.constData());
        const QJsonObject steps = made.json()["request"].toObject()["preparation"].toObject();
        QCOMPARE(steps["stepOrder"].toString(), QStringLiteral("zingers,flat-field"));
        QCOMPARE(steps["axisTilt"].toDouble(), 1.5);
        QFile report(file("made.json"));
        QVERIFY(report.open(QIODevice::WriteOnly) && report.write(made.out) > 0);
        report.close();
        QCOMPARE(run(words + QStringList{"--settings", "made.json", "-o", "again.tif"}).status, 0);
        QVERIFY(values("again.tif") == values("made.tif"));
        const Result refused = run(words + QStringList{"--step-order", "logarithm,flat-field", "-o", "no.tif"});
        QCOMPARE(refused.status, 2);
        QVERIFY2(refused.err.contains("put 'flat-field' before it"), refused.err.constData());
    }

    void axisOfRows()
    {
        const Result found = run(QStringList{"axis", "rolled.raw", "--rows", "9", "--json", "-"} + rolledWords);
        QVERIFY2(found.status == 0, found.err.constData());
        const QJsonObject all = found.json();
        QVERIFY2(std::abs(all["tiltDeg"].toDouble() - 0.5) < 0.06, found.out.constData());
        QVERIFY2(std::abs(all["axis"].toDouble() - 49.25) < 0.1, found.out.constData());
        QVERIFY(all["confidence"].toDouble() > 0.5 && all["doubt"].toString().isEmpty());
        QCOMPARE(all["rows"].toArray().size(), 9);
        const Result text = run(QStringList{"axis", "rolled.raw", "--rows", "5"} + rolledWords);
        for (const char* part : {"tilt", "--axis 49.", "--axis-tilt 0.", "off the line"})
            QVERIFY2(text.out.contains(part), text.out.constData());
        QCOMPARE(run({"axis", "head.h5", "--rows", "2"}).status, 2);
        const QStringList order{"axis", "rolled.raw", "--rows", "3", "--step-order", "tilt,rings"};
        QCOMPARE(run(order + rolledWords + QStringList{"--rings", "sorting"}).status, 0);
        QVERIFY(run(order + rolledWords).err.contains("'rings' is off"));
    }

    void reconstructedWithTheAxisOfRows()
    {
        const QStringList alone =
            QStringList{"reconstruct", "rolled.raw", "--slice", "10", "--device", "cpu", "--json", "-"} + rolledWords;
        const QStringList words = alone + QStringList{"--axis-rows", "9"};
        const Result made = run(words + QStringList{"-o", "found.tif"});
        QVERIFY2(made.status == 0, made.err.constData());
        const double tilt = made.json()["request"].toObject()["preparation"].toObject()["axisTilt"].toDouble();
        QVERIFY2(std::abs(tilt - 0.5) < 0.06, qPrintable(QString::number(tilt)));
        QCOMPARE(made.json()["axisSource"].toString(), QStringLiteral("automatic"));
        QVERIFY2(made.json()["axisHow"].toString().startsWith("found in 9 rows, of which "), made.out.constData());
        QVERIFY(made.json()["axisConfidence"].toDouble() > 0.5);
        // An order may name `tilt` before the tilt is known.
        const QStringList before{"--rings", "sorting", "--step-order", "tilt,rings"};
        const Result tilted = run(words + before + QStringList{"-o", "tilted.tif"});
        QVERIFY2(tilted.status == 0, tilted.err.constData());
        const QJsonObject steps = tilted.json()["request"].toObject()["preparation"].toObject();
        QCOMPARE(steps["stepOrder"].toString(), QStringLiteral("tilt,rings"));
        const QStringList given{"--axis", QString::number(tilted.json()["axis"].toDouble(), 'g', 17), "--axis-tilt",
                                QString::number(steps["axisTilt"].toDouble())};
        const Result same = run(alone + before + given + QStringList{"-o", "given.tif"});
        QVERIFY2(same.status == 0, same.err.constData());
        QVERIFY(values("tilted.tif") == values("given.tif"));
        const Result both = run(words + QStringList{"-o", "both.tif", "--axis", "40"});
        QCOMPARE(both.status, 2);
        QVERIFY2(both.err.contains("leave out --axis"), both.err.constData());
    }
};

SINOSCOPE_TEST(SinogramCommandTest, QCoreApplication)
#include "sinogram_test.moc"
