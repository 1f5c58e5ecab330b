// SPDX-License-Identifier: GPL-3.0-or-later
// Every GPU method of the table compared with the exact method.
#include "tests/gpu/device.h"

#include "engine/backends/backend.h"
#include "engine/backends/measured_speeds.h"
#include "engine/backends/support.h"
#include "engine/base/error.h"
#include "engine/measure/benchmark.h"
#include "engine/measure/verify.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/simulate/phantom.h"
#include "tests/fixtures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

using namespace engine;
using namespace fixtures;

namespace
{

std::shared_ptr<const Scan> sample(int size, int projections, int slices, Phantom phantom = Phantom::sheppLogan3d)
{
    Simulation simulation;
    simulation.phantom = phantom;
    simulation.size = size;
    simulation.projections = projections;
    simulation.slices = slices;
    return simulate(simulation);
}

// Returns a scan whose axis differs from projection to projection.
std::shared_ptr<const Scan> wobblingSample()
{
    auto wobbling = std::make_shared<Scan>(*sample(150, 120, 2));
    auto& beam = std::get<ParallelBeam>(wobbling->geometry);
    beam.axisBins.clear();
    for (int p = 0; p < beam.projections(); ++p)
        beam.axisBins.push_back(70 + 0.1 * (p % 40));
    return wobbling;
}

} // namespace

class MethodsTest : public QObject
{
    Q_OBJECT

  private slots:
    void againstExact_data()
    {
        QTest::addColumn<int>("size");
        QTest::addColumn<int>("projections");
        for (const int size : {1, 17, 64, 129, 512})
            for (const int projections : {1, 7, 180, 2100})
                if (size < 512 || projections > 1)
                    QTest::addRow("%d² from %d", size, projections) << size << projections;
    }

    void againstExact()
    {
        SINOSCOPE_NEEDS_GPU();
        QFETCH(int, size);
        QFETCH(int, projections);
        VerifyOptions options;
        options.geometry = "parallel";
        options.device = {"cuda", 0};
        options.sizes = {size};
        options.projections = {projections};
        options.seed = 7;
        options.largeSize = 0;
        if (size == 512) // more slices would take `exact` minutes
            options.mostSlicesPerPass = 8;
        const auto cases = verifyMethods(options);
        QCOMPARE(std::size_t(std::ranges::count(cases, false, &VerifyCase::ofFilter)),
                 settingsOn(options.device, options.mostSlicesPerPass));
        for (const Method& method : methods()) // the cases include every GPU method
            if (method.backend == &cudaBackend && method.takes(ParallelBeam{}) && !supportOf(method).unusable)
                QVERIFY2(std::ranges::any_of(cases, [&](const VerifyCase& c) { return c.method == method.id; }),
                         method.id);
        for (const VerifyCase& c : cases)
            QVERIFY2(c.passed,
                     qPrintable(QStringLiteral("%1 %2 %3 ×%4: %5 beyond %6")
                                    .arg(c.method.c_str(), toText(c.interpolation).c_str(), toText(c.precision).c_str())
                                    .arg(c.slicesPerPass)
                                    .arg(c.error)
                                    .arg(c.bound)));
    }

    // The errors that the table of methods promises, on one case that is large enough to be representative.
    void promisedErrors()
    {
        SINOSCOPE_NEEDS_GPU();
        VerifyOptions options;
        options.geometry = "parallel";
        options.device = {"cuda", 0};
        options.sizes = {512};
        options.projections = {180};
        options.largeSize = 0;
        for (const VerifyCase& c : verifyMethods(options)) {
            if (c.interpolation != Interpolation::linear)
                continue;
            // Texture unit: its weights of 8 bits cause an error of 1.953e-3 (measure/verify.cpp).
            const bool textureUnit = findMethod(c.method)->textureWeights;
            const double bound = textureUnit ? 2e-3 : c.precision == Precision::half ? 1e-3 : 1e-5;
            qInfo("%s %s ×%d: %.3e", c.method.c_str(), toText(c.precision).c_str(), c.slicesPerPass, c.error);
            QVERIFY2(c.error < bound, qPrintable(QString::fromStdString(c.method) + ' ' + QString::number(c.error)));
        }
    }

    void filterOnTheGpu_data()
    {
        QTest::addColumn<int>("bins");
        QTest::addColumn<int>("padMode");
        QTest::addColumn<int>("window");
        for (const int bins : {1, 7, 64, 129, 1000})
            for (const PadMode pad : {PadMode::zero, PadMode::edge, PadMode::cylinder})
                for (const Window window : {Window::none, Window::ramLak, Window::hann})
                    QTest::addRow("%d bins, %s, %s", bins, toText(pad).c_str(), toText(window).c_str())
                        << bins << int(pad) << int(window);
    }

    // The filter on the GPU compared with that by FFTW: complete reconstructions by `alu` and by `exact`.
    void filterOnTheGpu()
    {
        SINOSCOPE_NEEDS_GPU();
        QFETCH(int, bins);
        QFETCH(int, padMode);
        QFETCH(int, window);
        const auto scan = sample(bins, 45, 3, Phantom::disc);
        Request request = gpuRequestFor(scan, "alu");
        request.setting.filter.padMode = PadMode(padMode);
        request.setting.filter.window = Window(window);
        request.setting.kernel.slicesPerPass = 2;
        const Reconstruction gpu = Reconstructor().run(request);
        request.setting.kernel.method = "exact";
        request.setting.kernel.slicesPerPass = 1;
        const Reconstruction exact = Reconstructor().run(request);
        QVERIFY(relativeError(gpu.image.values, exact.image.values) < 1e-5);
    }

    void repeatedRunsAgree()
    {
        SINOSCOPE_NEEDS_GPU();
        const auto scan = sample(100, 90, 4);
        for (const Method* method : gpuMethodsFor(gpuRequestFor(scan, "auto", 2))) {
            const Request request = gpuRequestFor(scan, method->id, 2);
            const auto first = Reconstructor().run(request).image.values;
            const auto second = Reconstructor().run(request).image.values;
            // hybrid: timing determines the path that each block takes, and the paths round differently.
            if (method->id == std::string("hybrid"))
                QVERIFY(relativeError(first, second) < 4e-3);
            else
                QCOMPARE(first, second);
        }
    }

    // With no block on the texture unit, `hybrid` computes what `alu` does in tiles of 64 × 64 pixels: the default has
    // them for small images and for four slices. Fewer than 64 projections aren't split.
    void hybridHasTheTilesOfAlu()
    {
        SINOSCOPE_NEEDS_GPU();
        for (const int size : {64, 130}) {
            const auto scan = sample(size, 40, 4);
            for (const Interpolation interpolation :
                 {Interpolation::nearest, Interpolation::linear, Interpolation::oversampled})
                for (const Precision precision : {Precision::single, Precision::half})
                    for (const int slices : {1, 2, 4}) {
                        Request request = gpuRequestFor(scan, "alu", slices);
                        request.setting.kernel.interpolation = interpolation;
                        request.setting.kernel.precision = precision;
                        const auto alone = Reconstructor().run(request).image.values;
                        request.setting.kernel.method = "hybrid";
                        request.setting.kernel.variant = "0/8";
                        QCOMPARE(Reconstructor().run(request).image.values, alone);
                    }
        }
    }

    void regionAndAxis()
    {
        SINOSCOPE_NEEDS_GPU();
        const auto wobbling = wobblingSample();
        for (const Method* method : gpuMethodsFor(gpuRequestFor(wobbling, "auto"))) {
            Request request = gpuRequestFor(wobbling, method->id);
            request.place.setRegion(Region{11, 23, 97, 81});
            const Reconstruction gpu = Reconstructor().run(request);
            request.setting.kernel.method = "exact";
            const Reconstruction exact = Reconstructor().run(request);
            QCOMPARE(gpu.image.width, exact.image.width);
            QVERIFY2(relativeError(gpu.image.values, exact.image.values) < 3e-3, method->id);
        }
    }

    // Whichever device computes the image, the processor computes its preview, from coarse bins; the GPU is not used
    // for the few pixels of a preview (here one in 16). The exception is the method whose preview pixels equal those of
    // the full image; see exact_test.cpp.
    void previewIsThatOfTheProcessor()
    {
        SINOSCOPE_NEEDS_GPU();
        const auto wobbling = wobblingSample();
        for (const Method* method : gpuMethodsFor(gpuRequestFor(wobbling, "auto"))) {
            if (method->yardstick)
                continue;
            Request request = gpuRequestFor(wobbling, method->id);
            request.place.setRegion(Region{11, 23, 97, 81});
            request.place.previewStep = 4;
            const Reconstruction preview = Reconstructor().run(request);
            request.setting.kernel.method = "auto";
            request.resources.device.backend = "cpu";
            const Reconstruction onProcessor = Reconstructor().run(request);
            QCOMPARE(preview.method, onProcessor.method);
            QCOMPARE(preview.image.values, onProcessor.image.values);
        }
    }

    // Complete passes and the incomplete last one: the pipeline gives the same result as single passes.
    void manySlices()
    {
        SINOSCOPE_NEEDS_GPU();
        const auto scan = sample(90, 60, 13);
        Request request = gpuRequestFor(scan, "alu");
        request.setting.kernel.slicesPerPass = 4;
        const Reconstruction all = Reconstructor().run(request);
        for (const int slice : {3, 6, 10}) { // the outer slices are empty
            request.place.setSlices({slice, 1});
            const auto one = Reconstructor().run(request).image.values;
            const auto part = all.image.slice(slice);
            const double error = relativeError(one, part); // the FFT pairs rows differently
            QVERIFY2(error < 5e-6, qPrintable(QString::number(error)));
        }
    }

    void filterIsReused()
    {
        SINOSCOPE_NEEDS_GPU();
        Reconstructor reconstructor;
        Request request = gpuRequestFor(sample(128, 100, 1), "alu");
        QVERIFY(!reconstructor.run(request).timings.filter.reused);
        request.setting.axis = {AxisSettings::Mode::given, 60};
        QVERIFY(reconstructor.run(request).timings.filter.reused);
        request.setting.kernel.method = "texture";
        QVERIFY(reconstructor.run(request).timings.filter.reused);
        request.setting.kernel.precision = Precision::half;
        QVERIFY(!reconstructor.run(request).timings.filter.reused);
    }

    // `auto` takes a method that was measured clearly faster, but none with coarser weights where these show.
    void autoGoesByMeasuredSpeeds()
    {
        SINOSCOPE_NEEDS_GPU();
        const auto forget = qScopeGuard([] { useMeasuredSpeeds({}); });
        Request request = gpuRequestFor(sample(64, 40, 4), "auto");
        const std::string device = deviceNameFor(cudaBackend, request);
        const auto taken = [&](Interpolation interpolation, Precision precision, const std::string& fast, double gups) {
            request.setting.kernel.interpolation = interpolation;
            request.setting.kernel.precision = precision;
            useMeasuredSpeeds({});
            const std::string ranked = methodFor(request).id;
            std::vector<MeasuredSpeed> speeds;
            for (const auto& [method, speed] : {std::pair(ranked, 100.0), std::pair(fast, gups)})
                speeds.push_back({device, "parallel", method, interpolation, precision, 1, speed});
            useMeasuredSpeeds(speeds);
            return std::string(methodFor(request).id);
        };
        QCOMPARE(taken(Interpolation::nearest, Precision::single, "texture", 104), std::string("texture"));
        QCOMPARE(taken(Interpolation::nearest, Precision::single, "texture", 102), std::string("alu"));
        QCOMPARE(taken(Interpolation::linear, Precision::half, "hybrid", 104), std::string("hybrid"));
        QCOMPARE(taken(Interpolation::linear, Precision::single, "hybrid", 200), std::string("alu"));
        // The slice mode of a volume.
        request.setting.kernel.slicesPerPass = 1;
        request.place.setSlices({0, 4});
        useMeasuredSpeeds({});
        const int ranked = slicesPerPassFor(request);
        QVERIFY(ranked == 4);
        useMeasuredSpeeds({{device, "parallel", "alu", Interpolation::linear, Precision::single, 4, 100},
                           {device, "parallel", "alu", Interpolation::linear, Precision::single, 2, 150}});
        QCOMPARE(slicesPerPassFor(request), 2);
    }

    // What the benchmark says of a kernel: it fits a multiprocessor.
    void kernelsHaveAnOccupancy()
    {
        SINOSCOPE_NEEDS_GPU();
        for (const char* geometry : {"parallel", "cone"}) {
            BenchmarkOptions options;
            options.geometry = geometry;
            options.size = 64;
            options.projections = 32;
            options.device.backend = "cuda";
            options.interpolation = Interpolation::linear;
            options.repeat = 1;
            options.everyVariant = true;
            for (const BenchmarkRow& row : benchmarkMethods(options)) {
                const KernelOccupancy& kernel = row.occupancy;
                QVERIFY2(kernel.registers > 0 && kernel.registers <= 255, row.method.c_str());
                QVERIFY2(kernel.threads >= 32 && kernel.threads <= 1024 && kernel.blocks >= 1, row.method.c_str());
                QVERIFY2(kernel.occupancy > 0 && kernel.occupancy <= 1, row.method.c_str());
                QVERIFY2(kernel.sharedBytes >= 0 && kernel.sharedBytes <= 227 * 1024, row.method.c_str());
            }
        }
    }

    void cancelsBetweenPasses()
    {
        SINOSCOPE_NEEDS_GPU();
        const auto scan = sample(256, 200, 40);
        Reconstructor reconstructor;
        Request request = gpuRequestFor(scan, "alu");
        int seen = 0;
        std::stop_source stop;
        const auto onProgress = [&](Stage stage, double fraction) {
            if (stage == Stage::backproject && fraction > 0.3 && ++seen == 1)
                stop.request_stop();
        };
        QVERIFY(fails(ErrorKind::cancelled, [&] { reconstructor.run(request, onProgress, stop.get_token()); }));
        const auto again = reconstructor.run(request).image.values;
        QCOMPARE(again, Reconstructor().run(request).image.values);
    }

    void refusesWhatItCannot()
    {
        SINOSCOPE_NEEDS_GPU();
        Request request = gpuRequestFor(sample(32, 20, 1), "alu");
        request.resources.device = {"cuda", 99};
        const auto error = errorOf([&] { Reconstructor().run(request); });
        QVERIFY(error && contains(error->what(), "99")); // there is no such GPU
        request.resources.device = {};
        request.setting.kernel.slicesPerPass = 8;
        QVERIFY_EXCEPTION_THROWN(Reconstructor().run(request), Error);
        request.setting.kernel.slicesPerPass = 1;
        request.setting.kernel.method = "texture";
        request.setting.kernel.interpolation = Interpolation::cubic;
        QVERIFY_EXCEPTION_THROWN(Reconstructor().run(request), Error);
    }
};

SINOSCOPE_TEST(MethodsTest, QCoreApplication)
#include "methods_test.moc"
