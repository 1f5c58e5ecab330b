// SPDX-License-Identifier: GPL-3.0-or-later
// The benchmark: one row per method, with consistent figures.
#include "engine/backproject/parallel/cpu/kernels.h"
#include "engine/measure/benchmark.h"
#include "tests/fixtures.h"

#include <map>

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
        for (const Method& method : methods())
            for (const BenchmarkRow& row : rows)
                if (row.method == method.id)
                    QCOMPARE(row.instructionSet.empty(), !hasVariant(method, processorTarget()));
        options.methods = {"nonsense"};
        QVERIFY(fixtures::fails(ErrorKind::badRequest, [&] { benchmarkMethods(options); }));
    }

    // An instruction set that is given as a variant is reported as an instruction set; methods without instruction
    // sets run unchanged.
    void instructionSetsAreVariants()
    {
        BenchmarkOptions options;
        options.size = 16;
        options.projections = 8;
        options.repeat = 1;
        options.device.kind = DeviceSettings::Kind::cpu;
        options.interpolation = Interpolation::linear;
        options.precision = Precision::single;
        options.slicesPerPass = 1;
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
