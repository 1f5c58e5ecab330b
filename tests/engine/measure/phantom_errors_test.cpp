// SPDX-License-Identifier: GPL-3.0-or-later
// Errors of kernels on a phantom: none of the exact method, those of rounding, and the larger ones of interpolation.
#include "engine/base/error.h"
#include "engine/measure/benchmark.h"
#include "engine/measure/paper_steps.h"
#include "engine/measure/phantom_errors.h"
#include "tests/test_program.h"

#include <QTest>

using namespace engine;

class PhantomErrorsTest : public QObject
{
    Q_OBJECT

    static BenchmarkRow row(const std::string& method, Interpolation interpolation, Precision precision)
    {
        BenchmarkRow made;
        made.method = method;
        made.interpolation = interpolation;
        made.precision = precision;
        return made;
    }

  private slots:
    void ofInterpolationsAndPrecisions()
    {
        Resources resources;
        resources.threads = 1;
        PhantomErrors errors("parallel", resources, {});
        const auto of = [&](const char* method, Interpolation interpolation, Precision precision) {
            return errors.of(row(method, interpolation, precision), {});
        };
        QCOMPARE(of("exact", Interpolation::linear, Precision::single), 0.0);
        const double single = of("cpu", Interpolation::linear, Precision::single),
                     half = of("cpu", Interpolation::linear, Precision::half),
                     oversampled = of("cpu", Interpolation::oversampled, Precision::single),
                     nearest = of("cpu", Interpolation::nearest, Precision::single);
        QVERIFY(single > 0 && single < 1e-5);
        QVERIFY(half > single && half < 1e-3);
        QVERIFY(oversampled > half && oversampled < nearest);
        QVERIFY(nearest < 0.1);
        QCOMPARE(of("cpu", Interpolation::nearest, Precision::single), nearest);       // is known
        QCOMPARE(of("no such method", Interpolation::linear, Precision::single), 0.0); // unknown
        std::stop_source stopped;
        stopped.request_stop();
        QVERIFY_THROWS_EXCEPTION(
            Error, errors.of(row("double", Interpolation::linear, Precision::single), stopped.get_token()));
    }

    // Each step of the ladder is as accurate as floats are.
    void ofStepsOfACone()
    {
        PhantomErrors errors("cone", {}, {});
        const PaperSequence& ladder = sequenceOf("ladder");
        for (const PaperStep& step : ladder.steps) {
            const Kernel kernel = kernelOf(step, ladder, Precision::single, 64);
            BenchmarkRow made = row(step.method, kernel.interpolation, kernel.precision);
            made.variant = kernel.variant;
            made.slicesPerPass = kernel.slicesPerPass;
            const double error = errors.of(made, {});
            QVERIFY2(error > 0 && error < 1e-5, step.name.c_str());
        }
    }

    void benchmarksOfStepsHaveThem()
    {
        BenchmarkOptions options;
        options.steps = "ladder";
        options.geometry = "cone";
        options.size = options.projections = 8;
        options.repeat = 1;
        for (const BenchmarkRow& one : runBenchmark(options).rows)
            QVERIFY2(one.relativeError > 0 && one.relativeError < 1e-5, one.step.c_str());
    }
};

SINOSCOPE_TEST(PhantomErrorsTest, QCoreApplication)
#include "phantom_errors_test.moc"
