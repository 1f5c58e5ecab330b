// SPDX-License-Identifier: GPL-3.0-or-later
// Empty projections are reported, and can be left out.
#include "engine/axis/find_axis.h"
#include "engine/axis/tilt.h"
#include "engine/documents/report.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/scan/empty_projections.h"
#include "engine/volume/reconstruct_volume.h"
#include "tests/engine/io/files.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>

using namespace engine;
using namespace fixtures;

namespace
{

// Returns the scan with changed rows.
std::shared_ptr<const Scan> changed(const std::shared_ptr<const Scan>& whole,
                                    const std::function<void(RawRows&, Values& numbers)>& change)
{
    auto scan = std::make_shared<Scan>(*whole);
    scan->readFrames = {};
    scan->read = [whole, change](RowRange rows, std::stop_token stop) {
        RawRows raw = whole->read(rows, stop);
        Values numbers = raw.data.toFloats();
        change(raw, numbers);
        raw.data = Samples(std::move(numbers));
        return raw;
    };
    return scan;
}

// Returns the scan with some of its projections emptied.
std::shared_ptr<const Scan> emptied(const std::shared_ptr<const Scan>& whole, RowRange empty, float value)
{
    return changed(whole, [empty, value](RawRows& raw, Values& numbers) {
        const std::size_t frame = static_cast<std::size_t>(raw.rows.count) * raw.bins;
        std::fill_n(numbers.begin() + static_cast<std::ptrdiff_t>(empty.first * frame), empty.count * frame, value);
    });
}

constexpr double darkNoise = 4, flatCounts = 2000;

// Returns counts with the given transmission, and dark frames of about 100 with independent noise.
std::shared_ptr<const Scan> withDarks(const std::shared_ptr<const Scan>& whole, int darks,
                                      const std::function<double(int projection, int bin)>& transmission)
{
    auto scan = std::make_shared<Scan>(*changed(whole, [=](RawRows& raw, Values& numbers) {
        std::mt19937 generator(static_cast<unsigned>(raw.rows.first + 1));
        std::normal_distribution<double> noise(0, darkNoise);
        const auto frame = static_cast<std::size_t>(raw.rows.count) * raw.bins;
        raw.darkFrames = darks;
        raw.darks.resize(frame * darks);
        for (float& value : raw.darks)
            value = static_cast<float>(100 + noise(generator));
        raw.flatFrames = 1;
        raw.flats = Values(frame, static_cast<float>(100 + flatCounts));
        for (std::size_t k = 0; k < numbers.size(); ++k) {
            const double light = flatCounts * transmission(static_cast<int>(k / frame), static_cast<int>(k % raw.bins));
            numbers[k] = static_cast<float>(std::round(100 + light + noise(generator)));
        }
    }));
    scan->darkFrames = darks;
    scan->flatFrames = 1;
    scan->quantity = Quantity::counts;
    return scan;
}

std::vector<int> emptyOf(const std::shared_ptr<const Scan>& scan)
{
    return emptyProjections(*scan, scan->read({0, scan->rows}, {}));
}

} // namespace

class EmptyProjectionsTest : public QObject
{
    Q_OBJECT
  private slots:
    void areTold()
    {
        const auto whole = smallScan(64, 90, 3);
        for (const float nothing : {0.0F, notANumber}) {
            const auto scan = emptied(whole, {30, 30}, nothing);
            Request request = requestFor(scan);
            const Reconstruction made = Reconstructor().run(request);
            QCOMPARE(made.emptyProjections.size(), std::size_t(30));
            const std::string text = emptyText(*scan, made.emptyProjections).in(commandLineStyle());
            for (const char* part : {"30 of 90 projections are empty", "30 to 59", "--leave-out 30:59"})
                QVERIFY2(contains(text, part), text.c_str());
            QVERIFY(contains(reconstructionJson(made), "30 of 90 projections are empty"));
            const Reconstruction volume = reconstructVolume(request, {.slicesPerGroup = 1, .overlapped = true},
                                                            [](const Reconstruction&, std::stop_token) {}, {}, {});
            QVERIFY(volume.emptyProjections == made.emptyProjections);
        }
        QVERIFY(Reconstructor().run(requestFor(whole)).emptyProjections.empty());
        QVERIFY(emptyText(*whole, {}).empty());
    }

    // A scan without any content is reported as such, and its axis is reported as a guess.
    void allAreTold()
    {
        auto whole = std::make_shared<Scan>(*smallScan(64, 90, 3));
        std::get<ParallelBeam>(whole->geometry).axisBins.clear();
        const auto scan = emptied(whole, {0, 90}, 0);
        const Reconstruction made = Reconstructor().run(requestFor(scan));
        QCOMPARE(made.emptyProjections.size(), std::size_t(90));
        const std::string text = emptyText(*scan, made.emptyProjections).in(commandLineStyle());
        QVERIFY2(contains(text, "All 90 projections are empty") && !contains(text, "--leave-out"), text.c_str());
        QVERIFY(contains(reconstructionJson(made), "All 90 projections are empty"));
        QCOMPARE(made.axisSource, std::string("guess"));
        QCOMPARE(made.axisBins, 31.5);
        QVERIFY(made.axisConfidence && *made.axisConfidence == 0);
        QVERIFY2(contains(made.axisDoubt, "is a guess, the middle of the detector") &&
                     contains(made.axisDoubt, "all empty"),
                 made.axisDoubt.plain().c_str());
        const AxisCandidates all = findAxisCandidates(requestFor(scan));
        QCOMPARE(*all.found.confidence, 0.0);
        QCOMPARE(all.emptyProjections.size(), std::size_t(90));
        QVERIFY(std::ranges::none_of(all.candidates, [](const AxisCandidate& each) { return each.unsuited.empty(); }));
        const AxisTilt tilt = findAxisTilt(requestFor(scan), 3);
        QCOMPARE(tilt.confidence, 0.0);
        QCOMPARE(tilt.emptyProjections.size(), std::size_t(90));
        QVERIFY2(tilt.uncertaintyRad > 5 * degree, "nothing is known of it");
    }

    // The axis is that of the other projections; with the empty ones included, it was up to 33 bins off.
    void theAxisIsFoundWithoutThem()
    {
        Simulation simulation;
        simulation.size = 128;
        simulation.projections = 200;
        simulation.slices = 3;
        simulation.axisOffsetBins = 3.3; // uncut: for a quarter turn, only the centre of mass gives the axis
        auto whole = std::make_shared<Scan>(*simulate(simulation));
        const double truth = whole->axisBins().front();
        std::get<ParallelBeam>(whole->geometry).axisBins.clear();
        for (const RowRange empty : {RowRange{0, 100}, {0, 20}, {90, 40}, {3, 40}, {160, 37}, {198, 2}})
            for (const float nothing : {0.0F, notANumber}) {
                const auto scan = emptied(whole, empty, nothing);
                Request request = requestFor(scan);
                request.setting.axis.mode = AxisSettings::Mode::find;
                const Reconstruction made = Reconstructor().run(request);
                qInfo("%d of %d: %.3f, %s", empty.count, empty.first, made.axisBins - truth, made.axisHow.c_str());
                QVERIFY(std::abs(made.axisBins - truth) < 0.5);
                const AxisCandidates all = findAxisCandidates(request);
                QVERIFY(std::abs(all.found.bins - truth) < 0.5);
                for (const AxisCandidate& each : all.candidates)
                    if (each.unsuited.empty() && each.guess.score > 0.5)
                        QVERIFY2(std::abs(each.guess.bins - truth) < 1, each.method->id);
            }
    }

    // If the other projections are too few to show the axis, it is a guess, and a request to find it is refused.
    void tooFewDontShowTheAxis()
    {
        auto whole = std::make_shared<Scan>(*smallScan(64, 90, 3));
        std::get<ParallelBeam>(whole->geometry).axisBins.clear();
        for (const int empty : {60, 88, 90}) {
            Request request = requestFor(emptied(whole, {0, empty}, 0));
            const Reconstruction made = Reconstructor().run(request);
            QCOMPARE(made.axisSource, std::string("guess"));
            QVERIFY2(contains(made.axisDoubt, empty == 60   ? "without the empty projections, from an arc of 58°"
                                              : empty == 88 ? "from 2 projections"
                                                            : "all empty"),
                     made.axisDoubt.plain().c_str());
            QVERIFY(contains(findAxisCandidates(request).found.doubt, "is a guess"));
            request.setting.axis.mode = AxisSettings::Mode::find;
            QVERIFY(fails(ErrorKind::badRequest, {"can't be found", "give it, or choose the middle"},
                          [&] { Reconstructor().run(request); }));
        }
    }

    // Empty rows in a volume that is not empty do not make a projection empty.
    void emptySlicesAreTold()
    {
        const auto scan = changed(smallScan(64, 90, 3), [](const RawRows& raw, Values& numbers) {
            for (std::size_t k = 0; k < numbers.size(); ++k)
                if (raw.rows.first + k / 64 % raw.rows.count == 2)
                    numbers[k] = 0;
        });
        Request request = requestFor(scan);
        request.place.setSlices({0, 3});
        const Reconstruction volume = reconstructVolume(request, {.slicesPerGroup = 1, .overlapped = false},
                                                        [](const Reconstruction&, std::stop_token) {}, {}, {});
        QVERIFY(volume.emptyProjections.empty());
        QVERIFY(mentions(volume.notes, "1 slice has only empty projections"));
        request.place.setSlices({2, 1});
        const Reconstruction empty = reconstructVolume(request, {.slicesPerGroup = 1, .overlapped = false},
                                                       [](const Reconstruction&, std::stop_token) {}, {}, {});
        QCOMPARE(empty.emptyProjections.size(), std::size_t(90));
    }

    // Behind a closed shutter, the detector counts as in its dark frames. Dim projections, and projections through a
    // slit, are not empty.
    void closedShuttersAreTold()
    {
        const auto whole = smallScan(64, 90, 3);
        std::vector<int> shut(30);
        std::iota(shut.begin(), shut.end(), 30);
        const auto isShut = [](int projection) { return projection >= 30 && projection < 60; };
        for (const int darks : {1, 2, 20}) {
            const auto scan =
                withDarks(whole, darks, [&](int projection, int) { return isShut(projection) ? 0 : 0.5; });
            QVERIFY2(emptyOf(scan) == shut, qPrintable(QString::number(emptyOf(scan).size())));
            const std::string text = emptyText(*scan, shut).in(commandLineStyle());
            QVERIFY2(contains(text, "at the level of the dark frames"), text.c_str());
            QCOMPARE(emptyOf(withDarks(whole, darks, [](int, int) { return 0.0; })).size(), std::size_t(90));
            // The dark level has drifted by half of its noise.
            const double drift = darkNoise / 2 / flatCounts;
            QVERIFY(emptyOf(withDarks(whole, darks, [&](int p, int) { return isShut(p) ? drift : 0.5; })) == shut);
            QVERIFY(emptyOf(withDarks(whole, darks, [&](int p, int) { return isShut(p) ? 0.01 : 0.5; })).empty());
            QVERIFY(emptyOf(withDarks(whole, darks, [&](int p, int bin) {
                        return isShut(p) && bin > 2 ? 0 : 0.5;
                    })).empty());
        }
        // Without flats, the brightest projection gives the full brightness.
        auto noFlats = std::make_shared<Scan>(*withDarks(whole, 4, [&](int p, int) { return isShut(p) ? 0 : 0.5; }));
        noFlats->read = [read = noFlats->read](RowRange rows, std::stop_token stop) {
            RawRows raw = read(rows, std::move(stop));
            raw.flatFrames = 0;
            raw.flats.clear();
            return raw;
        };
        QVERIFY(emptyOf(noFlats) == shut);
    }

    // In rows that the object does not reach, line integrals are 0 in all projections.
    void airIsNotEmpty()
    {
        auto scan = std::make_shared<Scan>(*smallScan(64, 30));
        scan->quantity = Quantity::attenuation;
        RawRows raw = scan->read({0, 1}, {});
        raw.data = Samples(Values(raw.data.size(), 0.0F));
        QVERIFY(emptyProjections(*scan, raw).empty());
        Values numbers(raw.data.size(), 1.0F);
        std::fill_n(numbers.begin() + 64, 64, 0.0F); // unlike the other projections
        raw.data = Samples(numbers);
        QVERIFY(emptyProjections(*scan, raw) == std::vector<int>{1});
        ConeBeam cone;
        cone.bins = 64;
        cone.anglesRad = evenAngles(30);
        scan->geometry = cone;
        QVERIFY(emptyProjections(*scan, raw).empty());
    }

    // Empty projections spoil the slice; without them it is nearly as good as the slice of a complete scan.
    void leavingThemOutHelps()
    {
        const TemporaryFolder folder;
        constexpr int projections = 180, bins = 64;
        const auto whole = smallScan(bins, projections);
        const RawRows raw = whole->read({0, 1}, {});
        std::vector<double> counts;
        for (std::size_t k = 0; k < raw.data.size(); ++k)
            counts.push_back(k / bins % 3 == 2 ? 0.0 : raw.data[k]);
        {
            made::Hdf5 file(folder / "third.h5");
            file.numbers("/exchange/data", {projections, 1, bins}, counts, H5T_IEEE_F32LE);
            file.numbers("/exchange/data_white", {hsize_t(raw.flatFrames), 1, bins},
                         std::vector<double>(raw.flats.begin(), raw.flats.end()), H5T_IEEE_F32LE);
            file.numbers("/exchange/data_dark", {hsize_t(raw.darkFrames), 1, bins},
                         std::vector<double>(raw.darks.begin(), raw.darks.end()), H5T_IEEE_F32LE);
            file.numbers("/exchange/theta", {projections}, made::counting(projections, 180.0 / projections));
        }
        const Volume truth = whole->exactImage(0, fixtures::whole(bins));
        const auto make = [&](const OpenOptions& options) {
            Request request = requestFor(openScan(folder / "third.h5", options));
            request.setting.axis = {AxisSettings::Mode::given, whole->axisBins().front()};
            return Reconstructor().run(request);
        };
        const Reconstruction spoilt = make({});
        QCOMPARE(spoilt.emptyProjections.size(), std::size_t(60));
        OpenOptions options;
        options.reduction.leftOut = leftOutWith(*spoilt.request.scan, spoilt.emptyProjections);
        const Reconstruction good = make(options);
        QVERIFY(good.emptyProjections.empty());
        const double best = relativeError(Reconstructor().run(requestFor(whole)).image, truth);
        const double error = relativeError(good.image, truth), before = relativeError(spoilt.image, truth);
        qInfo("relative error of all %.3f, of a third empty %.3f, of those left out %.3f", best, before, error);
        QVERIFY(before > 2 * best);
        QVERIFY(error < 1.2 * best);
        // Projections are numbered as recorded, including those that were left out earlier.
        QVERIFY(leftOutWith(*good.request.scan, {0}).front() == (RowRange{0, 1}));
        QVERIFY(leftOutWith(*good.request.scan, {2}).front() == (RowRange{2, 2})); // number 3 as recorded
    }
};

SINOSCOPE_TEST(EmptyProjectionsTest, QCoreApplication)
#include "empty_projections_test.moc"
