// SPDX-License-Identifier: GPL-3.0-or-later
// The methods for OpenCL devices against `exact`, and what a launch promises: several passes, progress, cancellation.
#include "engine/backends/method.h"
#include "engine/base/error.h"
#include "engine/measure/verify.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/scan/cone_options.h"
#include "engine/simulate/phantom.h"
#include "engine/volume/reconstruct_volume.h"
#include "engine/volume/volume_plan.h"
#include "tests/opencl/opencl.h"

#include <cmath>
#include <random>

using namespace engine;
using namespace fixtures;

namespace
{

constexpr DeviceSettings openCl{"opencl", 0};

Request openClRequest(const std::string& method, std::shared_ptr<const Scan> scan)
{
    Request request = requestFor(std::move(scan), method);
    request.resources.device = openCl;
    return request;
}

// Random line integrals, so that also the margins of the rows matter. arcDeg: of a cone beam; 0: a parallel beam.
std::shared_ptr<const Scan> noiseScan(int size, int projections, int rows, double arcDeg)
{
    Simulation simulation;
    simulation.size = size;
    simulation.projections = projections;
    simulation.slices = rows;
    if (arcDeg > 0) {
        simulation.arcDeg = arcDeg;
        ConeOptions& cone = simulation.cone.emplace();
        cone.sourceAxisMm = 200;
        cone.sourceDetectorMm = 300;
        cone.pixelUMm = 1.5;
    }
    auto scan = std::make_shared<Scan>(*simulate(simulation));
    scan->quantity = Quantity::attenuation;
    scan->read = [=](RowRange wanted, const std::stop_token&) {
        RawRows raw;
        raw.rows = wanted;
        raw.bins = size;
        raw.projections = projections;
        Values values(std::size_t(projections) * wanted.count * size);
        std::mt19937 generator(5);
        for (float& value : values)
            value = 0.5F + 0x1p-32F * static_cast<float>(generator());
        raw.data = std::move(values);
        return raw;
    };
    return scan;
}

double largestDifference(const Volume& a, const Volume& b)
{
    double largest = 0, scale = 0;
    for (std::size_t k = 0; k < a.values.size(); ++k) {
        const double difference = std::abs(a.values[k] - b.values[k]);
        if (!(difference <= largest))
            largest = difference;
        scale = std::max(scale, std::abs(static_cast<double>(b.values[k])));
    }
    return largest / scale;
}

} // namespace

class OpenClMethodsTest : public QObject
{
    Q_OBJECT

  private slots:
    void initTestCase() { SINOSCOPE_NEEDS_OPENCL(); }

    // Small sizes: PoCL compiles each kernel, which takes most of the time.
    void everyRowAgainstExact()
    {
        VerifyOptions options;
        options.device = openCl;
        options.sizes = {1, 65};
        options.projections = {1, 17};
        options.largeSize = 0;
        const auto cases = verifyMethods(options);
        QVERIFY(cases.size() >= 4 * settingsOn(openCl, options.mostSlicesPerPass));
        for (const VerifyCase& c : cases)
            if (!(c.error <= c.bound) || !c.passed)
                QFAIL(
                    qPrintable(QString("%1 %2 %3 ×%4, %5², %6 projections, %7: %8 > %9")
                                   .arg(c.method.c_str(), toText(c.interpolation).c_str(), toText(c.precision).c_str())
                                   .arg(c.slicesPerPass)
                                   .arg(c.size)
                                   .arg(c.projections)
                                   .arg(c.detail.c_str())
                                   .arg(c.error)
                                   .arg(c.bound)));
    }

    void variantsOfCones()
    {
        for (const char* variant : {"single", "mirrored", "fourfold"}) {
            VerifyOptions options;
            options.device = openCl;
            options.geometry = "cone";
            options.sizes = {33};
            options.projections = {12};
            options.largeSize = 0;
            options.variant = variant;
            for (const VerifyCase& c : verifyMethods(options))
                QVERIFY2(c.passed, variant);
        }
    }

    // Five slices in passes of two: the last pass has one slice. Progress grows.
    void severalPasses()
    {
        const auto scan = smallScan(48, 40, 5);
        Request request = openClRequest("alu-opencl", scan);
        request.place.setSlices({0, 5});
        request.setting.kernel.slicesPerPass = 2;
        double before = -1;
        bool grows = true;
        const Reconstruction made = Reconstructor().run(request, [&](Stage stage, double fraction) {
            if (stage == Stage::backproject) {
                grows = grows && fraction >= before;
                before = fraction;
            }
        });
        QVERIFY(grows && before == 1);
        QCOMPARE(made.method, std::string("alu-opencl"));
        QVERIFY(QString::fromStdString(made.device).endsWith("(OpenCL)"));
        Request onProcessor = requestFor(scan, "cpu");
        onProcessor.place.setSlices({0, 5});
        QVERIFY(largestDifference(made.image, Reconstructor().run(onProcessor).image) < 1e-5);
    }

    // The device's filter and the processor's give the same images, for all ways to extend a row, odd sizes, and the
    // weights of cones.
    void filterOnTheDevice_data()
    {
        QTest::addColumn<QString>("geometry");
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QString>("pad");
        for (const char* geometry : {"parallel", "one-bin", "cone", "short-scan"})
            for (const char* filter : {"ram-lak", "hann", "none"})
                for (const char* pad : {"zero", "edge", "cylinder"})
                    if (filter == QByteArray("ram-lak") || pad == QByteArray("zero"))
                        QTest::addRow("%s, %s, %s", geometry, filter, pad) << geometry << filter << pad;
    }
    void filterOnTheDevice()
    {
        if (!hasOpenClTransforms())
            QSKIP("built without VkFFT");
        QFETCH(QString, geometry);
        QFETCH(QString, filter);
        QFETCH(QString, pad);
        const bool isCone = geometry == "cone" || geometry == "short-scan";
        const auto scan = geometry == "one-bin" ? noiseScan(1, 7, 3, 0)
                          : isCone              ? noiseScan(24, 20, 16, geometry == "cone" ? 360 : 220)
                                                : noiseScan(45, 37, 5, 0);
        Request request = openClRequest(isCone ? "texture-opencl" : "alu-opencl", scan);
        request.place.setSlices({0, isCone ? 12 : scan->rows});
        request.setting.filter.window = windowFromText(filter.toStdString());
        request.setting.filter.padMode = padModeFromText(pad.toStdString());
        request.resources.filterOn = FilterOn::processor;
        QVERIFY(!filtersItself(methodFor(request), request));
        const Reconstruction byProcessor = Reconstructor().run(request);
        request.resources.filterOn = FilterOn::gpu;
        QVERIFY(filtersItself(methodFor(request), request));
        const Reconstruction byDevice = Reconstructor().run(request);
        QCOMPARE(byDevice.method, byProcessor.method);
        QVERIFY(byDevice.timings.filter.seconds > 0);
        const double difference = largestDifference(byDevice.image, byProcessor.image);
        QVERIFY2(difference < 1e-5, qPrintable(QString::number(difference)));
    }

    // Slices of a symmetric cone are made in mirrored pairs, those of a slab are not; the values are the same.
    void slabsOfSymmetricCones()
    {
        const auto scan = noiseScan(24, 20, 16, 360);
        Request request = openClRequest("texture-opencl", scan);
        request.place.setSlices({0, scan->slices()});
        QVERIFY(inPairs(request).place.pairsOf().has_value());
        request.place.part = SlabPart{request.place.slices(), Slab{12, 12, 30, 9, 4}};
        QVERIFY(inPairs(request) == request);
        const auto keep = [](Volume& volume) {
            return [&volume](Reconstruction& of, const std::stop_token&) {
                volume.values.insert(volume.values.end(), of.image.values.begin(), of.image.values.end());
            };
        };
        Volume byDevice, byProcessor;
        reconstructVolume(request, planVolume(request), keep(byDevice));
        request.setting.kernel.method = "cpu";
        request.resources.device = {"cpu", 0};
        reconstructVolume(request, planVolume(request), keep(byProcessor));
        QCOMPARE(byDevice.values.size(), std::size_t(9) * 4 * scan->slices());
        const double error = relativeError(byDevice.values, byProcessor.values);
        QVERIFY2(error < 5e-3, qPrintable(QString::number(error))); // textures of GPUs have weights of 8 bits
    }

    void cancelled()
    {
        Request request = openClRequest("texture-opencl", smallScan(48, 40, 5));
        request.place.setSlices({0, 5});
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(fails(ErrorKind::cancelled, {}, [&] { Reconstructor().run(request, {}, stop.get_token()); }));
    }

    // With the device opencl, `auto` takes a method of OpenCL; without it none of these, even by name.
    void chosenOnlyByItsDevice()
    {
        Request request = openClRequest("auto", smallScan(48, 40, 1));
        QCOMPARE(methodFor(request).backend, &openClBackend);
        request.resources.device = {};
        QVERIFY(methodFor(request).backend != &openClBackend);
        request.setting.kernel.method = "texture-opencl";
        QVERIFY(fails(ErrorKind::badRequest, {"choose the device opencl"}, [&] { methodFor(request); }));
        request.resources.device = {"opencl", 99};
        QVERIFY(fails(ErrorKind::device, {"there is no OpenCL device 99"}, [&] { methodFor(request); }));
    }

    void axisPerProjection()
    {
        const auto scan = smallScan(48, 40, 1);
        auto shifted = std::make_shared<Scan>(*scan);
        auto& beam = std::get<ParallelBeam>(shifted->geometry);
        beam.axisBins.assign(beam.anglesRad.size(), 0);
        for (std::size_t p = 0; p < beam.axisBins.size(); ++p)
            beam.axisBins[p] = 23.5 + 0.01 * static_cast<double>(p);
        Request request = openClRequest("alu-opencl", shifted);
        const Volume made = Reconstructor().run(request).image;
        QVERIFY(largestDifference(made, Reconstructor().run(requestFor(shifted, "cpu")).image) < 1e-5);
    }
};

SINOSCOPE_TEST(OpenClMethodsTest, QCoreApplication)
#include "opencl_methods_test.moc"
