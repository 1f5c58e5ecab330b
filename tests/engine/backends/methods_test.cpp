// SPDX-License-Identifier: GPL-3.0-or-later
// Every processor method of the table against `exact`, and what all of them guarantee: ends of the detector, values of
// any scale, progress, cancellation, and error messages. Methods of GPUs: tests/gpu/methods_test.
#include "engine/backends/backend.h"
#include "engine/backends/support.h"
#include "engine/measure/verify.h"
#include "tests/engine/backends/noise.h"

using namespace fixtures;
using namespace noise;

namespace
{

std::vector<std::reference_wrapper<const Method>> processorMethods()
{
    std::vector<std::reference_wrapper<const Method>> found;
    for (const Method& method : methods())
        if (method.backend->isProcessor && method.takes(ParallelBeam{}))
            found.push_back(method);
    return found;
}

} // namespace

class MethodsTest : public QObject
{
    Q_OBJECT

  private slots:
    void everyRowAgainstExact()
    {
        VerifyOptions options;
        options.geometry = "parallel"; // cones are tested in engine/measure/cones_test
        options.device.backend = "cpu";
        if (sanitized) {
            options.sizes = {7, 65};
            options.projections = {1, 17};
            options.largeSize = 0;
        }
        const auto cases = verifyMethods(options);
        const auto settings = [&](int mostSlicesPerPass) { return settingsOn(options.device, mostSlicesPerPass); };
        const std::size_t large = options.largeSize > 0 ? settings(std::min(4, options.mostSlicesPerPass)) : 0;
        QCOMPARE(cases.size(),
                 settings(options.mostSlicesPerPass) * options.projections.size() * options.sizes.size() + large);
        for (const VerifyCase& c : cases) {
            QVERIFY(c.bound <= (c.precision == Precision::half ? 1e-3 : 1e-5));
            if (!(c.error <= c.bound) || !c.passed)
                QFAIL(
                    qPrintable(QString("%1 %2 %3 ×%4, %5², %6 projections: %7")
                                   .arg(c.method.c_str(), toText(c.interpolation).c_str(), toText(c.precision).c_str())
                                   .arg(c.slicesPerPass)
                                   .arg(c.size)
                                   .arg(c.projections)
                                   .arg(c.error)));
        }
    }

    // p = 0 outside the detector: half a bin beyond its end, linear interpolation still gives half of the last bin.
    void detectorEnds()
    {
        for (const Method& method : processorMethods()) {
            Case c(4, {0.0}, 1, whole(9)); // x = −4…4 at bins −2.5, −1.5, …, 5.5
            c.beam.axisBins = {1.5};
            c.single.values = Values(4, 1.0f);
            c.twice.values = Buffer<double>(4, 1.0);
            const Volume linear = c.run(method, Interpolation::linear);
            const float expected[] = {0, 0, 0.5f, 1, 1, 1, 0.5f, 0, 0};
            for (int column = 0; column < 9; ++column)
                QCOMPARE(linear.values[column], expected[column]);
        }
    }

    void halfSurvivesAnyScale()
    {
        Case c(64, evenAngles(31), 1, whole(64));
        for (const double factor : {1e-20, 1e20}) {
            for (double& value : std::get<engine::Buffer<double>>(c.twice.values))
                value *= factor;
            for (float& value : std::get<engine::Values>(c.single.values))
                value *= static_cast<float>(factor);
            const Volume exact = c.run(*findMethod("exact"), Interpolation::linear);
            for (const Method& method : processorMethods()) {
                if (std::ranges::count(supportOf(method).precisions, Precision::half) == 0)
                    continue;
                const double error = relativeError(c.run(method, Interpolation::linear, Precision::half), exact);
                QVERIFY(error < 1e-3);
                QVERIFY(error > 1e-6); // half precision rounds the values
            }
            for (double& value : std::get<engine::Buffer<double>>(c.twice.values))
                value /= factor;
            for (float& value : std::get<engine::Values>(c.single.values))
                value /= static_cast<float>(factor);
        }
    }

    // When a stop is requested at the first progress report, two threads finish their current work and begin no more.
    void stopsAtOnce()
    {
        for (const Method& method : processorMethods()) {
            Case c(512, evenAngles(64), 1, whole(512));
            Volume image(1, 512, 512);
            std::fill(image.values.begin(), image.values.end(), std::numeric_limits<float>::quiet_NaN());
            std::stop_source source;
            QVERIFY(fails(ErrorKind::cancelled, [&] {
                Workspace workspace;
                launch(method,
                       {.sinograms = c.sinogramsFor(method),
                        .geometry = c.beam,
                        .grid = {c.grid, 0, 1, 1},
                        .kernel = {.interpolation = supportOf(method).interpolations.back()}, // the slowest
                        .threads = 2,
                        .image = image,
                        .progress = [&](double) { source.request_stop(); },
                        .stop = source.get_token()},
                       workspace);
            }));
            const auto missing =
                std::count_if(image.values.begin(), image.values.end(), [](float value) { return std::isnan(value); });
            QVERIFY2(missing > 0.8 * 512 * 512, qPrintable(QString("%1: %2").arg(method.id).arg(missing)));
        }
    }

    void badArguments()
    {
        Case c(8, evenAngles(3), 1, whole(8));
        const auto refused = [](const Case& bad) {
            for (const Method& method : processorMethods())
                if (!fails(ErrorKind::badRequest, [&] { bad.run(method, Interpolation::linear); }))
                    return false;
            return true;
        };
        for (const Method& method : processorMethods())
            QVERIFY(!errorOf([&] { c.run(method, Interpolation::linear); }));
        Case axes = c;
        axes.beam.axisBins = {3.5, 3.5};
        QVERIFY(refused(axes));
        Case lost = c;
        lost.beam.axisBins = {NAN};
        QVERIFY(refused(lost));
        Case angles = c;
        angles.beam.anglesRad[1] = INFINITY;
        QVERIFY(refused(angles));
        Case fewer = c;
        fewer.beam.anglesRad.pop_back();
        QVERIFY(refused(fewer));
    }

    void progressReachesTheEnd()
    {
        for (const Method& method : processorMethods()) {
            Case c(100, evenAngles(9), 3, whole(100));
            Volume image(3, 100, 100);
            double last = 0;
            Workspace workspace;
            const LaunchReport times = launch(method,
                                              {.sinograms = c.sinogramsFor(method),
                                               .geometry = c.beam,
                                               .grid = {c.grid, 0, 1, 3},
                                               .kernel = {.slicesPerPass = 2},
                                               .threads = 1,
                                               .image = image,
                                               .progress = [&](double fraction) { last = std::max(last, fraction); }},
                                              workspace);
            QCOMPARE(last, 1.0);
            QVERIFY(times.kernelSeconds > 0 && times.totalSeconds >= times.kernelSeconds);
        }
    }
};

SINOSCOPE_TEST(MethodsTest, QCoreApplication)
#include "methods_test.moc"
