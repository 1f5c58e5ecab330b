// SPDX-License-Identifier: GPL-3.0-or-later
// Angles, pixel and geometry of a scan, given on the command line.
#include "tests/app/program.h"

#include <cmath>
#include <numbers>

using namespace program;

class AnglesCommandTest : public QObject, private Folder
{
    Q_OBJECT
  private slots:
    void initTestCase()
    {
        QFile scan(file(QStringLiteral("scan.raw")));
        QVERIFY(scan.open(QIODevice::WriteOnly));
        scan.write(QByteArray(4 * 3 * 5 * 2, '\1'));
        QFile table(file(QStringLiteral("table.csv")));
        QVERIFY(table.open(QIODevice::WriteOnly));
        table.write("frame, angle\n1, 0.1\n2, 0.2\n3, 0.3\n4, 0.4\n5, 0.5\n");
    }

    void angles_data()
    {
        QTest::addColumn<QString>("more");
        QTest::addColumn<double>("first");
        QTest::addColumn<double>("last");
        QTest::newRow("range") << "--angles 10:40" << 10.0 << 40.0;
        QTest::newRow("a full turn") << "--angles 0:360 --angles-end-excluded" << 0.0 << 270.0;
        QTest::newRow("steps") << "--angles 5::-2" << 5.0 << -1.0;
        QTest::newRow("column") << "--angles table.csv --angles-column 2 --angles-skip 2" << 0.2 << 0.5;
        QTest::newRow("lines") << "--angles table.csv --angles-column 1 --angles-lines 2:5" << 1.0 << 4.0;
        QTest::newRow("radians") << "--angles table.csv --angles-column 2 --angles-lines 3:6 --angles-radians"
                                 << 0.2 * 180 / std::numbers::pi << 0.5 * 180 / std::numbers::pi;
    }

    void angles()
    {
        QFETCH(const QString, more);
        QFETCH(const double, first);
        QFETCH(const double, last);
        const Result result = run(info(more + QStringLiteral(" --json -")));
        QVERIFY2(result.status == 0, result.err.constData());
        const QJsonObject angles = result.json()["angles"].toObject();
        QCOMPARE(angles["count"].toInt(), 4);
        QVERIFY2(std::abs(angles["firstDeg"].toDouble() - first) < 1e-9, result.out.constData());
        QVERIFY2(std::abs(angles["lastDeg"].toDouble() - last) < 1e-9, result.out.constData());
    }

    void pixelOfAParallelBeam()
    {
        const Result result = run(info(QStringLiteral("--pixel 0.02 --json -")));
        QCOMPARE(result.json()["pixelSizeMm"].toDouble(), 0.02);
    }

    // A parallel beam, with a geometry file that gives only the angles.
    void geometryTwice()
    {
        QFile geometry(file(QStringLiteral("g.json")));
        QVERIFY(geometry.open(QIODevice::WriteOnly));
        geometry.write(R"({"sourceAxisMm": 100, "anglesDeg": [1, 2, 3, 4]})");
        geometry.close();
        const Result result = run(info(QStringLiteral("--geometry parallel --geometry g.json --json -")));
        QVERIFY2(result.status == 0, result.err.constData());
        QCOMPARE(result.json()["geometry"].toString(), QStringLiteral("parallel beam"));
        QCOMPARE(result.json()["angles"].toObject()["lastDeg"].toDouble(), 4.0);
    }

    void mistakes_data()
    {
        QTest::addColumn<QString>("more");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const char* more, const char* message) {
            QTest::newRow(name) << more << message;
        };
        row("columns", "--angles table.csv --angles-skip 1", "--angles-column");
        row("header", "--angles table.csv --angles-column 2", "--angles-skip");
        row("counts", "--angles table.csv --angles-column 2 --angles-skip 1", "--angles-lines");
        row("no angles", "--angles-column 2", "--angles");
        row("lines", "--angles table.csv --angles-lines 5", "FIRST:LAST");
        row("two pixels", "--pixel 0.1,0.2", "one pixel size");
        row("all that is missing", "--geometry cone", "--source-detector, in mm) and the size");
    }

    void mistakes()
    {
        QFETCH(const QString, more);
        QFETCH(const QString, message);
        const Result result = run(info(more));
        QVERIFY2(result.status == 2, result.err.constData());
        QVERIFY2(result.err.contains(message.toUtf8()), result.err.constData());
    }

  private:
    static QStringList info(const QString& more)
    {
        return (QStringLiteral("info scan.raw --raw 4x3x5 --values line-integrals ") + more)
            .split(' ', Qt::SkipEmptyParts);
    }
};

SINOSCOPE_TEST(AnglesCommandTest, QCoreApplication)
#include "angles_test.moc"
