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
