// The benchmark: a row for each method, whose figures follow from each other.
#include "engine/measure/benchmark.h"
#include "tests/fixtures.h"

using namespace engine;

class BenchmarkTest : public QObject
{
    Q_OBJECT

  private slots:
    void benchmarkMeasures()
    {
        BenchmarkOptions options;
        options.size = 32;
        options.projections = 16;
        options.repeat = 2;
        int seen = 0;
        const auto rows = benchmarkMethods(options, [&](const BenchmarkRow&) { ++seen; });
        QCOMPARE(static_cast<std::size_t>(seen), rows.size());
        QVERIFY(rows.size() >= 5);
        for (const BenchmarkRow& row : rows) {
            QVERIFY(row.kernelGups > 0 && row.totalGups > 0 && row.totalGups <= row.kernelGups);
            QVERIFY(row.fastestKernelSeconds <= row.kernelSeconds && row.kernelSeconds <= row.slowestKernelSeconds);
        }
        options.methods = {"nonsense"};
        QVERIFY(fixtures::fails(ErrorKind::badRequest, [&] { benchmarkMethods(options); }));
    }
};

SINOSCOPE_TEST(BenchmarkTest, QCoreApplication)
#include "benchmark_test.moc"
