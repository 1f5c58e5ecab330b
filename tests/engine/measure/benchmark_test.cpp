// SPDX-License-Identifier: GPL-3.0-or-later
// The benchmark: one row per method, with consistent figures.
#include "engine/backends/cpu/parallel/kernels.h"
#include "engine/backends/support.h"
#include "engine/measure/benchmark.h"
#include "engine/measure/speed_spread.h"
#include "tests/fixtures.h"

#include <cmath>
#include <map>
#include <stop_token>

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
        const auto rows = benchmarkMethods(options, {.onRow = [&](const BenchmarkRow&) { ++seen; }});
        QCOMPARE(static_cast<std::size_t>(seen), rows.size());
        QVERIFY(rows.size() >= 5);
        for (const BenchmarkRow& row : rows) {
            QVERIFY(row.kernelGups > 0 && row.totalGups > 0 && row.totalGups <= row.kernelGups);
            QVERIFY(row.fastestKernelSeconds <= row.kernelSeconds && row.kernelSeconds <= row.slowestKernelSeconds);
        }
        for (const Method& method : methods())
            for (const BenchmarkRow& row : rows)
                if (row.method == method.id)
                    QCOMPARE(row.instructionSet.empty(), !hasVariant(method, processorTarget()));
        options.methods = {"nonsense"};
        QVERIFY(fixtures::fails(ErrorKind::badRequest, [&] { benchmarkMethods(options); }));
    }

    // Yardsticks are measured only if they are named, or if nothing else does what is asked.
    void accuracyIsLeftOut()
    {
        for (const GeometryKind& kind : geometryKinds())
            for (const auto device : {"cpu", "auto"}) {
                BenchmarkOptions options;
                options.geometry = kind.id;
                options.device.backend = device;
                options.size = 16;
                options.projections = 8;
                options.repeat = 1;
                const Benchmark made = runBenchmark(options);
                QVERIFY(std::ranges::count(made.yardsticks, "exact") == 1);
                const auto isLeftOut = [&](const BenchmarkRow& row) {
                    return std::ranges::count(made.yardsticks, row.method) > 0;
                };
                QCOMPARE(made.rows.size(), static_cast<std::size_t>(settingsOf(options)));
                QVERIFY(std::ranges::none_of(made.rows, isLeftOut));
                options.methods = made.yardsticks;
                QVERIFY(runBenchmark(options).yardsticks.empty());
                QVERIFY(std::ranges::all_of(benchmarkMethods(options), isLeftOut));
            }
    }

    void theSpreadIsThatOfTheRuns()
    {
        // Speeds 10, 9, …, 1 of 1 giga-update.
        std::vector<double> seconds;
        for (int speed = 10; speed >= 1; --speed)
            seconds.push_back(1.0 / speed);
        const SpeedSpread spread = speedSpreadOf(seconds, 1);
        QVERIFY(std::abs(spread.lower - 3.25) < 1e-12 && std::abs(spread.upper - 7.75) < 1e-12);
        QVERIFY(std::abs(spread.drift - 1.5 / 9.5) < 1e-12);
        QCOMPARE(spread.runs.size(), seconds.size());
        seconds.resize(7); // too few for a drift
        QCOMPARE(speedSpreadOf(seconds, 1).drift, 0.0);
        QVERIFY(speedSpreadOf({}, 1).runs.empty());
        // 1, 1, 1, 2 and 4 GU/s in three intervals.
        QCOMPARE(distributionOf({1, 4, 1, 2, 1}, 3), (std::vector<int>{3, 1, 1}));
        QCOMPARE(distributionOf({2, 2}, 2), (std::vector<int>{2, 0}));
        QCOMPARE(distributionText(speedSpreadOf({1, 1, 1, 0.5, 0.25}, 1)), std::string("█ ▃    ▃"));
        QCOMPARE(distributionText(speedSpreadOf({1, 1, 1}, 1)), std::string("–"));
    }

    // Nothing is done within a nanosecond. With time enough, the smallest size comes first.
    void theSweepStopsWhereItTakesTooLong()
    {
        BenchmarkOptions options;
        options.device.backend = "cpu";
        options.methods = {"cpu", "double"};
        options.repeat = 1;
        options.kind = BenchmarkOptions::Kind::sizes;
        options.mostSeconds = 1e-9;
        const Benchmark made = runBenchmark(options);
        QVERIFY(made.rows.empty());
        QCOMPARE(made.leftOut.size(), std::size_t(12)); // six sizes of two methods
        QVERIFY(made.leftOut.front().starts_with("128 × 128 → 128² would take `"));
        options.mostSeconds = 1e9;
        options.methods = {"cpu"};
        std::stop_source stop;
        std::vector<BenchmarkRow> seen;
        const auto stopAtFirst = [&](const BenchmarkRow& row) {
            seen.push_back(row);
            stop.request_stop();
        };
        QVERIFY(fixtures::fails(ErrorKind::cancelled,
                                [&] { runBenchmark(options, {.onRow = stopAtFirst}, stop.get_token()); }));
        QCOMPARE(seen.size(), std::size_t(1));
        QCOMPARE(seen.front().size, 128);
        QCOMPARE(seen.front().projections, 128);
        QCOMPARE(seen.front().interpolation, Interpolation::linear);
    }

    // An instruction set that is given as a variant is reported as an instruction set; methods without instruction
    // sets run unchanged.
    void instructionSetsAreVariants()
    {
        BenchmarkOptions options;
        options.size = 16;
        options.projections = 8;
        options.repeat = 1;
        options.device.backend = "cpu";
        options.interpolation = Interpolation::linear;
        options.precision = Precision::single;
        options.slicesPerPass = 1;
        options.methods = {"exact", "double", "cpu"};
        const std::string slowest = processorTargets().back();
        const auto measured = [&] {
            std::map<std::string, std::string> sets;
            for (const BenchmarkRow& row : benchmarkMethods(options)) {
                QTest::qVerify(row.variant.empty(), "no variant", row.variant.c_str(), __FILE__, __LINE__);
                sets[row.method] = row.instructionSet;
            }
            return sets;
        };
        options.variant = slowest;
        const std::map<std::string, std::string> byVariant = measured();
        options.variant.clear();
        options.instructionSets = {slowest};
        QVERIFY(byVariant == measured());
        for (const auto& [id, set] : byVariant)
            QCOMPARE(set, hasVariant(*findMethod(id), slowest) ? slowest : std::string());
        QVERIFY(byVariant.size() > 2);
    }
};

SINOSCOPE_TEST(BenchmarkTest, QCoreApplication)
#include "benchmark_test.moc"
