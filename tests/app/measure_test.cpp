// Benchmark and verification.
#include "engine/cuda/devices.h"
#include "tests/app/program.h"

using program::Result;

class MeasureTest : public QObject, private program::Folder
{
    Q_OBJECT

  private slots:
    void initTestCase()
    {
        const Result made = makeHead();
        QVERIFY2(made.status == 0, made.err.constData());
    }

    void benchmarkTimes()
    {
        const Result result = run(
            {"benchmark", "--size", "32", "--projections", "16", "--methods", "cpu", "--repeat", "1", "--json", "-"});
        QVERIFY2(result.status == 0, result.err.constData());
        const QJsonArray rows = result.json()["rows"].toArray();
        QVERIFY(!rows.isEmpty());
        for (const QJsonValue row : rows) {
            QCOMPARE(row["method"].toString(), "cpu");
            QCOMPARE(row["size"].toInt(), 32);
            QVERIFY(row["kernelGups"].toDouble() > 0 && row["totalGups"].toDouble() > 0);
        }
        QVERIFY(run({"benchmark", "--size", "16", "--projections", "8", "--methods", "cpu", "--repeat", "1"})
                    .out.contains("kernel GU/s"));
    }

    void cones()
    {
        const QStringList small = {"benchmark", "--geometry", "cone",  "--size",   "16", "--projections",
                                   "8",         "--methods",  "exact", "--repeat", "1"};
        const Result timed = run(small + QStringList{"--voxels", "8", "--slices", "4", "--json", "-"});
        QVERIFY2(timed.status == 0, timed.err.constData());
        const QJsonObject row = timed.json()["rows"].toArray().first().toObject();
        QCOMPARE(row["geometry"].toString(), "cone beam");
        QCOMPARE(row["bins"].toInt(), 16);
        QCOMPARE(row["size"].toInt(), 8);
        QCOMPARE(row["slices"].toInt(), 4);
        QCOMPARE(row["alpha"].toDouble(), 16.0 * 16 * 8 / (8 * 8 * 8));
        const QByteArray table = run(small).out;
        QVERIFY2(table.contains("16² × 8 → 16² × 1") && table.contains("cone beam"), table.constData());
        for (const QStringList& ofCones : {QStringList{"--voxels", "8"}, QStringList{"--sweep", "5"}}) {
            const Result refused = run(QStringList{"benchmark", "--size", "16"} + ofCones);
            QCOMPARE(refused.status, 2);
            QVERIFY2(refused.err.contains("--geometry cone"), refused.err.constData());
        }
        const Result other = run({"verify", "--geometry", "cone", "--methods", "double"});
        QCOMPARE(other.status, 2);
        QVERIFY2(other.err.contains("cone"), other.err.constData());
    }

    void listsOfMethods()
    {
        const QStringList both = {"exact", "cpu"};
        const Result timed = run({"benchmark", "--size", "16", "--projections", "8", "--methods", "cpu,exact",
                                  "--repeat", "1", "--json", "-"});
        QVERIFY2(timed.status == 0, timed.err.constData());
        QStringList methods;
        for (const QJsonValue row : timed.json()["rows"].toArray())
            methods << row["method"].toString();
        for (const QString& method : both)
            QVERIFY2(methods.contains(method), timed.out.constData());
        QStringList checked = {"double"};
        if (!fixtures::sanitized)
            checked << "exact";
        const Result verified = run({"verify", "--methods", checked.join(','), "--json", "-"});
        QVERIFY2(verified.status == 0, verified.err.constData());
        QVERIFY(!verified.out.contains("\"cpu\""));
        for (const QString& method : checked)
            QVERIFY2(verified.out.contains('"' + method.toUtf8() + '"'), verified.out.constData());
    }

    void fromDiskToDisk_data()
    {
        QTest::addColumn<QString>("sampleType");
        QTest::addColumn<double>("bytes");
        QTest::addRow("uint16") << "uint16" << 2.0;
        QTest::addRow("float32") << "float32" << 4.0;
    }

    void fromDiskToDisk()
    {
        QFETCH(QString, sampleType);
        QFETCH(double, bytes);
        const Result result =
            run({"benchmark", "--volume", "48", "--projections", "40", "--slices", "20", "--sample-type", sampleType,
                 "--output", "scratch", "--device", "cpu", "--json", "-"});
        QVERIFY2(result.status == 0, result.err.constData());
        const QJsonObject volume = result.json()["volume"].toObject();
        QCOMPARE(volume["size"].toInt(), 48);
        QCOMPARE(volume["projections"].toInt(), 40);
        QCOMPARE(volume["slices"].toInt(), 20);
        for (const char* figure : {"readOverMachine", "writeOverMachine", "wholeOverSlowest"})
            QVERIFY2(volume[figure].toDouble() > 0, figure);
        for (const char* output : {"hdf5", "tiffs"}) {
            const QJsonObject made = volume["runs"][output].toObject();
            QCOMPARE(made["bytesIn"].toDouble(), bytes * 48 * 40 * 20);
            QCOMPARE(made["bytesOut"].toDouble(), 4.0 * 48 * 48 * 20);
            QVERIFY(made["elapsedSeconds"].toDouble() > 0 && made["writeAloneBytesPerSecond"].toDouble() > 0);
        }
        QVERIFY(!QFileInfo::exists(file("scratch"))); // nothing stays
    }

    void fromDiskToDiskOfAScan()
    {
        QVERIFY(QDir(folder()).mkdir("scratch"));
        const Result ofScan = run({"benchmark", "--volume", "head.h5", "--output", "scratch", "--device", "cpu"});
        QVERIFY2(ofScan.status == 0 && ofScan.out.contains("head.h5") && ofScan.out.contains("GB/s"),
                 (ofScan.out + ofScan.err).constData());
        QCOMPARE(files("scratch"), QStringList());
    }

    void fromDiskToDiskMistakes_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("said");
        QTest::addRow("no folder") << QStringList{"--volume", "32"} << QByteArray("--output");
        QTest::addRow("no pixels") << QStringList{"--volume", "0", "--output", "x"} << QByteArray("size of 0");
        QTest::addRow("no scan") << QStringList{"--volume", "none.h5", "--output", "x"} << QByteArray("none.h5");
        QTest::addRow("a file") << QStringList{"--volume", "32", "--output", "head.h5"} << QByteArray("head.h5");
        QTest::addRow("memory") << QStringList{"--volume", "32", "--output", "x", "--memory-limit", "much"}
                                << QByteArray("--memory-limit");
    }

    void fromDiskToDiskMistakes()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, said);
        const Result result = run(QStringList{"benchmark", "--device", "cpu"} + arguments);
        QCOMPARE(result.status, 2);
        QVERIFY2(result.err.contains(said), result.err.constData());
        QVERIFY(QFileInfo(file("head.h5")).size() > 0);
    }

    void verifyPasses()
    {
        if (fixtures::sanitized)
            QSKIP("half a minute for each method; listsOfMethods verifies one");
        const Result result = run({"verify", "--device", "cpu"});
        QVERIFY2(result.status == 0, (result.out + result.err).constData());
        QVERIFY2(result.out.contains("bound") && result.out.contains("PASS") && !result.out.contains("FAIL"),
                 result.out.constData());
    }

    void verifyWithoutGpu()
    {
        if (!engine::cudaDevices().devices.empty())
            QSKIP("there is a GPU here");
        const Result result = run({"verify", "--device", "cuda"});
        QCOMPARE(result.status, 1);
        QVERIFY2(result.err.contains("GPU") && result.err.contains("--device cpu"), result.err.constData());
        QCOMPARE(run({"reconstruct", "head.h5", "--output", "gpu.tif", "--device", "cuda"}).status, 1);
        QVERIFY(!QFile::exists(file("gpu.tif")));
    }
};

SINOSCOPE_TEST(MeasureTest, QCoreApplication)
#include "measure_test.moc"
