// SPDX-License-Identifier: GPL-3.0-or-later
// Figures that need no reference image, on scans whose noise and axis are known.
#include "engine/compare/consistency.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/scan/cone_options.h"
#include "engine/simulate/random.h"
#include "tests/fixtures.h"

#include <set>

using namespace engine;
using namespace fixtures;

namespace
{

Simulation phantomOf(int size, int projections)
{
    Simulation simulation;
    simulation.size = size;
    simulation.projections = projections;
    simulation.arcDeg = 360;
    return simulation;
}

// Returns a scan whose line integrals are only noise of standard deviation 1.
std::shared_ptr<const Scan> noiseScan(int bins, int projections)
{
    auto scan = std::make_shared<Scan>(*smallScan(bins, projections));
    scan->quantity = Quantity::attenuation;
    scan->darkFrames = scan->flatFrames = 0;
    scan->exactImage = {};
    scan->read = [bins, projections](RowRange rows, std::stop_token) {
        RawRows raw;
        raw.rows = rows;
        raw.bins = bins;
        raw.projections = projections;
        Values values(static_cast<std::size_t>(bins) * projections * rows.count);
        Random random(7, {static_cast<std::uint64_t>(rows.first)});
        for (float& value : values)
            value = static_cast<float>(random.normal());
        raw.data = std::move(values);
        return raw;
    };
    return scan;
}

Consistency consistencyOfImage(const Request& request)
{
    return consistencyOf(Reconstructor().run(request), request.place.slices().first);
}

double residualOf(const std::shared_ptr<const Scan>& scan, double axisOffset = 0)
{
    Request request = requestFor(scan, "exact");
    request.place.setSlices({0, 1});
    if (axisOffset != 0)
        request.setting.axis = {AxisSettings::Mode::given, scan->axisBins().at(0) + axisOffset};
    return consistencyOfImage(request).residual.value_or(notANumber);
}

} // namespace

class ConsistencyTest : public QObject
{
    Q_OBJECT
  private slots:
    // The ramp filter and linear interpolation blur edges, so that a residual of a few per cent remains.
    void aSliceAgreesWithItsProjections_data()
    {
        QTest::addColumn<double>("pixelMm");
        QTest::addColumn<double>("pixelBins");
        QTest::addColumn<double>("axisOffset");
        QTest::newRow("1/pixel") << 0.0 << 1.0 << 0.0;
        QTest::newRow("1/mm") << 0.02 << 1.0 << 0.0;
        QTest::newRow("pixels of 1.5 bins") << 0.0 << 1.5 << 0.0;
        QTest::newRow("pixels of 1.5 bins, 1/mm") << 0.02 << 1.5 << 0.0;
        QTest::newRow("axis beside the middle") << 0.0 << 1.0 << 6.5;
    }
    void aSliceAgreesWithItsProjections()
    {
        QFETCH(double, pixelMm);
        QFETCH(double, pixelBins);
        QFETCH(double, axisOffset);
        Simulation simulation = phantomOf(256, 360);
        simulation.axisOffsetBins = axisOffset;
        auto scan = std::make_shared<Scan>(*simulate(simulation));
        auto& beam = std::get<ParallelBeam>(scan->geometry);
        if (pixelMm > 0)
            beam.pixelSizeMm = pixelMm;
        beam.pixelBins = pixelBins;
        beam.sliceSize = static_cast<int>(256 / pixelBins);
        const double residual = residualOf(scan);
        QVERIFY2(residual > 0 && residual < 0.025, qPrintable(QString::number(residual)));
        const double wrong = residualOf(scan, 3);
        QVERIFY2(wrong > 3 * residual, qPrintable(QString::number(wrong)));
    }

    void aFanBeamAgrees()
    {
        Simulation simulation = phantomOf(256, 360);
        simulation.cone.emplace();
        simulation.cone->sourceAxisMm = 800;
        simulation.cone->sourceDetectorMm = 1600;
        simulation.cone->pixelUMm = 2;
        simulation.slices = 1;
        const std::shared_ptr<const Scan> scan = simulate(simulation);
        QCOMPARE(scan->rows, 1);
        const double residual = residualOf(scan);
        QVERIFY2(residual > 0 && residual < 0.02, qPrintable(QString::number(residual)));
    }

    // Values that are a tenth too large everywhere leave a residual of a tenth of the measured values.
    void aWrongScaleIsSeen()
    {
        Request request = requestFor(simulate(phantomOf(256, 360)), "exact");
        Reconstruction image = Reconstructor().run(request);
        for (float& value : image.image.values)
            value *= 1.1F;
        const double residual = consistencyOf(image, 0).residual.value_or(notANumber);
        QVERIFY2(std::abs(residual - 0.1) < 0.003, qPrintable(QString::number(residual)));
    }

    void noiseMakesBothWorse()
    {
        double lastResidual = 0, lastResolution = 0;
        for (const double photons : {0.0, 100'000.0, 3'000.0}) {
            Simulation simulation = phantomOf(256, 360);
            simulation.photons = photons;
            const Consistency made = consistencyOfImage(requestFor(simulate(simulation)));
            QVERIFY(made.halves && made.residual);
            QVERIFY(*made.residual > lastResidual);
            QVERIFY2(made.resolutionPixels > lastResolution, qPrintable(QString::number(made.resolutionPixels)));
            lastResidual = *made.residual;
            lastResolution = made.resolutionPixels;
        }
        QVERIFY2(lastResolution > 3 && lastResolution < 64, qPrintable(QString::number(lastResolution)));
    }

    // The two halves share no projection, so that pure noise does not correlate. If both halves held all projections,
    // the correlation would be 1.
    void halvesShareNoNoise()
    {
        const Consistency made = consistencyOfImage(requestFor(noiseScan(128, 200)));
        QVERIFY(made.halves.has_value());
        double sum = 0, weight = 0;
        for (std::size_t k = 0; k < made.halves->correlation.size(); ++k) {
            sum += made.halves->samples[k] * made.halves->correlation[k];
            weight += made.halves->samples[k];
        }
        QVERIFY2(std::abs(sum / weight) < 4 / std::sqrt(weight), qPrintable(QString::number(sum / weight)));
        QVERIFY(!(made.resolutionPixels < 10));
    }

    // Both halves have the same power, as each has half of the projections.
    void halvesHaveAScale()
    {
        const Consistency made = consistencyOfImage(requestFor(simulate(phantomOf(256, 360))));
        QVERIFY(made.halves.has_value());
        for (std::size_t k = 0; k < 40; ++k) {
            QVERIFY(std::abs(made.halves->powerImage[k] / made.halves->powerReference[k] - 1) < 0.1);
            QVERIFY2(made.halves->correlation[k] > 0.99, qPrintable(QString::number(made.halves->correlation[k])));
        }
    }

    void ringsInTheSettingCount()
    {
        Simulation simulation = phantomOf(128, 180);
        simulation.rings = 0.02;
        Request request = requestFor(simulate(simulation));
        const Consistency with = consistencyOfImage(request);
        request.setting.filter.window = Window::hann;
        const Consistency smooth = consistencyOfImage(request);
        QVERIFY(with.halves && smooth.halves && with.residual && smooth.residual);
        QVERIFY(*with.residual != *smooth.residual); // depends on the filter
        request.setting.axis = {AxisSettings::Mode::given, 60};
        QVERIFY(*consistencyOfImage(request).residual > *smooth.residual);
    }

    void groupsOfSlicesAndOtherRows()
    {
        Simulation simulation = phantomOf(96, 120);
        simulation.slices = 8;
        Request request = requestFor(simulate(simulation));
        request.place.setSlices({4, 4});
        request.setting.kernel.slicesPerPass = 4;
        const Reconstruction image = Reconstructor().run(request);
        request.place.setSlices({6, 1});
        request.setting.kernel.slicesPerPass = 1;
        const Consistency alone = consistencyOfImage(request), grouped = consistencyOf(image, 6);
        QVERIFY(std::abs(*alone.residual - *grouped.residual) < 1e-4);
        QVERIFY(std::abs(alone.resolutionPixels - grouped.resolutionPixels) < 1e-3);
    }

    void conesHaveHalvesAlone()
    {
        Simulation simulation = phantomOf(64, 90);
        simulation.cone.emplace();
        simulation.cone->sourceAxisMm = 300;
        simulation.cone->sourceDetectorMm = 450;
        simulation.cone->pixelUMm = 1.5;
        simulation.phantom = Phantom::sheppLogan3d;
        simulation.slices = 64;
        const std::shared_ptr<const Scan> scan = simulate(simulation);
        Request request = requestFor(scan);
        request.place.setSlices({scan->slices() / 2, 1});
        const Consistency made = consistencyOfImage(request);
        QVERIFY2(made.halves.has_value(), made.whyNoResolution.c_str());
        QVERIFY(made.halves->correlation[2] > 0.9);
        QVERIFY(!made.residual);
        QVERIFY(!made.whyNoResidual.empty());
    }

    void theSameBitsByAnyThreads()
    {
        Simulation simulation = phantomOf(96, 121);
        simulation.photons = 5000;
        Request request = requestFor(simulate(simulation));
        std::set<double> residuals, resolutions;
        for (const int threads : {1, 2, 3}) {
            request.resources.threads = threads;
            const Consistency made = consistencyOfImage(request);
            residuals.insert(made.residual.value());
            resolutions.insert(made.resolutionPixels);
        }
        QCOMPARE(residuals.size(), std::size_t{1});
        QCOMPARE(resolutions.size(), std::size_t{1});
    }

    void reasonsAreSaid()
    {
        Request request = requestFor(simulate(phantomOf(96, 90)));
        request.place.setRegion(Region{10, 10, 50, 40});
        const Consistency part = consistencyOfImage(request);
        QVERIFY(part.halves && !part.residual && !part.whyNoResidual.empty());
        request.place.setRegion({});
        request.setting.filter.window = Window::none;
        QVERIFY(!consistencyOfImage(request).residual);
        const Consistency few = consistencyOfImage(requestFor(simulate(phantomOf(96, 3))));
        QVERIFY(!few.halves && !few.whyNoResolution.empty());
        Reconstruction stored; // read from a file, so that its projections are unknown
        const Consistency unknown = consistencyOf(stored, 0);
        QVERIFY(!unknown.halves && !unknown.residual && !unknown.whyNoResolution.empty());
    }

    void itStops()
    {
        const Reconstruction image = Reconstructor().run(requestFor(smallScan()));
        std::stop_source source;
        source.request_stop();
        QVERIFY(fails(ErrorKind::cancelled, [&] { consistencyOf(image, 0, source.get_token()); }));
    }
};

SINOSCOPE_TEST(ConsistencyTest, QCoreApplication)
#include "consistency_test.moc"
