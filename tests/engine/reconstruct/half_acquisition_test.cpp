// SPDX-License-Identifier: GPL-3.0-or-later
// Parallel beams over a full turn whose axis is displaced from the detector's middle: rays that only one side
// recorded count twice, and the slice is as good as with the axis in the middle.
#include "engine/axis/axis.h"
#include "engine/compare/metrics.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/scan/ray_weights.h"
#include "engine/scan/some_projections.h"
#include "engine/stages/stages.h"
#include "engine/volume/reconstruct_volume.h"
#include "tests/fixtures.h"

using namespace engine;
using namespace fixtures;

namespace
{

constexpr int halfBins = 200;

std::shared_ptr<const Scan> scanAside(double offsetBins, double arcDeg = 360, Phantom phantom = Phantom::sheppLogan)
{
    Simulation simulation;
    simulation.phantom = phantom;
    simulation.size = halfBins;
    simulation.projections = 400;
    simulation.arcDeg = arcDeg;
    simulation.axisOffsetBins = offsetBins;
    return simulate(simulation);
}

double rmseOf(const std::shared_ptr<const Scan>& scan, const Request& request)
{
    const Volume image = Reconstructor().run(request).image, truth = scan->exactImage(0, whole(halfBins));
    Mask mask;
    mask.discRadius = 0.98;
    return compareImages(image.values, truth.values, halfBins, halfBins, mask).rmse;
}

// Returns the scan without some of its projections from number 100 on.
std::shared_ptr<const Scan> withoutSome(const std::shared_ptr<const Scan>& all, int count)
{
    std::vector<int> kept;
    for (int p = 0; p < all->projections(); ++p)
        if (p < 100 || p >= 100 + count)
            kept.push_back(p);
    auto scan = std::make_shared<Scan>(*all);
    scan->geometry = withProjections(all->geometry, kept);
    scan->readFrames = {};
    scan->read = [all, kept](RowRange rows, std::stop_token stop) {
        RawRows raw = all->read(rows, stop);
        const Values from = raw.data.toFloats();
        const auto frame = static_cast<std::ptrdiff_t>(rows.count) * raw.bins;
        Values to;
        for (const int p : kept)
            to.insert(to.end(), from.begin() + p * frame, from.begin() + (p + 1) * frame);
        raw.data = Samples(std::move(to));
        raw.projections = static_cast<int>(kept.size());
        return raw;
    };
    return scan;
}

} // namespace

class HalfAcquisitionTest : public QObject
{
    Q_OBJECT

  private slots:
    void asGoodAsInTheMiddle_data()
    {
        QTest::addColumn<double>("offsetBins");
        for (const double offsetBins : {0.5, 1.2, 5.0, 20.3, 60.0, 80.0, -3.4, -80.0})
            QTest::addRow("%g bins", offsetBins) << offsetBins;
    }

    void asGoodAsInTheMiddle()
    {
        QFETCH(double, offsetBins);
        const double middle = rmseOf(scanAside(0), requestFor(scanAside(0)));
        const auto scan = scanAside(offsetBins);
        for (const char* method : {"cpu", "exact"}) {
            const Request request = requestFor(scan, method);
            const Reconstruction made = Reconstructor().run(request);
            QCOMPARE(mentions(made.notes, "Wang"), std::abs(offsetBins) >= 1);
            QCOMPARE(made.axisBins, scan->axisBins().front());
            const double error = rmseOf(scan, request);
            qInfo("%s: RMSE %.5f, in the middle %.5f", method, error, middle);
            QVERIFY(error < 1.2 * middle);
        }
    }

    // Half a turn contains no opposite side.
    void halfTurn() { QVERIFY(!mentions(Reconstructor().run(requestFor(scanAside(20, 180))).notes, "Wang")); }

    // An object that is as wide as the area that the detector sees during a full turn is reconstructed completely, in a
    // slice of that size.
    void wholeWidth()
    {
        Simulation simulation;
        simulation.phantom = Phantom::sheppLogan;
        simulation.size = 320;
        simulation.projections = 400;
        simulation.arcDeg = 360;
        simulation.counts = false;
        const auto wide = simulate(simulation);
        const Volume expected = Reconstructor().run(requestFor(wide)).image;
        constexpr int left = 140; // number of bins cut off
        auto scan = std::make_shared<Scan>(*wide);
        auto& beam = std::get<ParallelBeam>(scan->geometry);
        beam.bins = 320 - left;
        beam.axisBins = {159.5 - left};
        const auto cut = [original = wide->read](RowRange rows, std::stop_token stop) {
            RawRows raw = original(rows, stop);
            const std::vector<float> all(raw.data.floats().begin(), raw.data.floats().end());
            auto& some = raw.data.floats();
            some.clear();
            for (std::size_t line = 0; line < all.size() / 320; ++line)
                some.insert(some.end(), all.begin() + line * 320 + left, all.begin() + (line + 1) * 320);
            raw.bins -= left;
            return raw;
        };
        scan->read = cut;
        const Reconstruction narrow = Reconstructor().run(requestFor(scan));
        QCOMPARE(narrow.image.width, 180);
        QVERIFY(mentions(narrow.notes, "A slice size of 320 pixels shows the whole"));
        auto sized = std::make_shared<Scan>(*scan);
        std::get<ParallelBeam>(sized->geometry).sliceSize = 320;
        const Reconstruction made = Reconstructor().run(requestFor(sized));
        QCOMPARE(made.image.width, 320);
        QVERIFY(!mentions(made.notes, "slice size"));
        QVERIFY2(relativeError(made.image, expected) < 0.02,
                 qPrintable(QString::number(relativeError(made.image, expected))));
    }

    void axisOffTheDetector()
    {
        for (const double axis : {-3.0, 400.0, 1e9}) {
            Request request = requestFor(scanAside(0));
            request.setting.axis = {AxisSettings::Mode::given, axis};
            try {
                QVERIFY(!mentions(Reconstructor().run(request).notes, "Wang"));
            } catch (const Error& error) {
                QVERIFY(error.kind() == ErrorKind::badRequest);
            }
        }
    }

    // The requested axis decides about the weights, and filtered data of another axis are not reused.
    void followsTheAxis()
    {
        const auto scan = scanAside(20);
        Request right = requestFor(scan), wrong = right;
        wrong.setting.axis = {AxisSettings::Mode::given, 99.5};
        Request given = right;
        given.setting.axis = {AxisSettings::Mode::given, 119.5};
        Reconstructor kept;
        const Values expected = Reconstructor().run(right).image.values;
        QVERIFY(!mentions(kept.run(wrong).notes, "Wang"));
        QVERIFY(kept.run(right).image.values == expected);
        QVERIFY(kept.run(given).image.values == expected);
        QVERIFY(kept.run(wrong).image.values != expected);
        // Without ray weights, another axis needs no new filtering.
        wrong.setting.axis.bins = 99.0;
        QVERIFY(kept.run(wrong).timings.filter.reused);
    }

    // A gap takes away rays that nothing else measured. The image gets worse with it, but never at once.
    void gapsOfTheTurn()
    {
        const auto all = scanAside(60);
        double before = rmseOf(all, requestFor(all));
        const double least = before;
        for (int missing = 4; missing <= 64; missing += 4) { // 3.6° to 57.6°
            const auto scan = withoutSome(all, missing);
            const Reconstruction made = Reconstructor().run(requestFor(scan));
            QVERIFY2(mentions(made.notes, "Wang"), qPrintable(QString::number(missing)));
            const double error = rmseOf(scan, requestFor(scan));
            QVERIFY2(error < before + 0.6 * least,
                     qPrintable(QString("%1: %2 after %3").arg(missing).arg(error).arg(before)));
            before = error;
        }
    }

    // A ray and its opposite have the weight 2 together; a ray without an opposite has it alone.
    void lineWeightsWithGaps()
    {
        const auto scan = withoutSome(scanAside(60), 30);
        const auto& beam = std::get<ParallelBeam>(scan->geometry);
        const auto made = oneSided(beam);
        QVERIFY(made && made->weights.size() == beam.anglesRad.size() * static_cast<std::size_t>(beam.bins));
        const std::vector<double> ofTurn = angularSampling(beam.anglesRad).weights,
                                  single = angularSampling(beam.anglesRad, Turn::full).weights;
        int pairs = 0, alone = 0;
        for (std::size_t p = 0; p < beam.anglesRad.size(); ++p)
            for (int bin = 0; bin < beam.bins; ++bin) {
                const auto isOpposite = [&](double angle) {
                    return std::abs(std::abs(angle - beam.anglesRad[p]) - std::numbers::pi) < 1e-6;
                };
                const auto opposite = std::ranges::find_if(beam.anglesRad, isOpposite) - beam.anglesRad.begin();
                const int mirrored = static_cast<int>(std::lround(2 * beam.axisBins.front())) - bin;
                const bool hasOpposite = opposite < static_cast<std::ptrdiff_t>(beam.anglesRad.size()) &&
                                         mirrored >= 0 && mirrored < beam.bins;
                const auto weight = [&](std::size_t of, int at) {
                    return made->weights[of * beam.bins + at] * ofTurn[of] / single[of];
                };
                const double sum = weight(p, bin) + (hasOpposite ? weight(opposite, mirrored) : 0);
                QVERIFY2(std::abs(sum - 2) < 1e-6, qPrintable(QString("%1, %2: %3").arg(p).arg(bin).arg(sum)));
                (hasOpposite ? pairs : alone) += 1;
            }
        QVERIFY(pairs > 1000 && alone > 1000);
    }

    void volumesAndPreviews()
    {
        auto scan = std::make_shared<Scan>(*scanAside(60));
        Request request = requestFor(scan);
        request.place.setSlices({0, 1});
        const Values expected = Reconstructor().run(request).image.values;
        Values volume;
        reconstructVolume(request, planVolume(request),
                          [&](const Reconstruction& group, std::stop_token) { volume = group.image.values; });
        QVERIFY(volume == expected);
        request.place.previewStep = 4;
        const Volume coarse = Reconstructor().run(request).image;
        const double middle = coarse.values[static_cast<std::size_t>(25) * coarse.width + 25];
        QVERIFY(std::abs(middle - expected[static_cast<std::size_t>(101) * halfBins + 101]) < 0.3 * std::abs(middle));
    }

    void axisIsFound()
    {
        for (const double offsetBins : {80.0, -80.0, 33.3}) {
            Simulation simulation;
            simulation.size = halfBins;
            simulation.projections = 400;
            simulation.arcDeg = 360;
            simulation.axisOffsetBins = offsetBins;
            simulation.photons = 1e4;
            simulation.rings = 0.01;
            auto scan = std::make_shared<Scan>(*simulate(simulation));
            const double truth = scan->axisBins().front();
            std::get<ParallelBeam>(scan->geometry).axisBins.clear();
            const double found = Reconstructor().run(requestFor(scan)).axisBins;
            qInfo("found %.3f, true %.3f", found, truth);
            QVERIFY(std::abs(found - truth) < 0.25);
        }
    }
};

SINOSCOPE_TEST(HalfAcquisitionTest, QCoreApplication)
#include "half_acquisition_test.moc"
