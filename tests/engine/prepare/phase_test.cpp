// SPDX-License-Identifier: GPL-3.0-or-later
// Phase retrieval against objects of one material whose near-field images are known; and the neighbouring rows that a
// slice needs: they are read, used and dropped, with identical results for single slices and whole volumes.
#include "engine/base/json_text.h"
#include "engine/json/request_json.h"
#include "engine/options/options.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/resolve/resolve.h"
#include "engine/stages/stages.h"
#include "engine/volume/reconstruct_volume.h"
#include "tests/fixtures.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>

using namespace engine;
using namespace fixtures;

namespace
{

using Wave = std::function<double(double x, double y)>; // in pixels from the middle

constexpr int fieldSize = 96;

Request phaseRequest(std::shared_ptr<const Scan> scan, double distanceMm)
{
    Request request = scan ? requestFor(std::move(scan)) : Request();
    for (const auto& [id, text] : {std::pair<const char*, std::string>{"phase", "paganin"},
                                   {"phase-energy", "25"},
                                   {"phase-distance", std::to_string(distanceMm)},
                                   {"phase-delta-beta", "200"},
                                   {"phase-pixel", "2"}})
        setField(option(id), request, text);
    return request;
}

// Returns L² of the filter in pixels²: λ·z·(δ/β)/4π divided by the pixel's area.
double squaredLength(double distanceMm)
{
    const double wavelengthMm = 12.39841984e-7 / 25;
    return wavelengthMm * distanceMm * 200 / (4 * std::numbers::pi) / (0.002 * 0.002);
}

// Returns two projections, each of another object.
RawRows projectionsOf(const Wave& a, const Wave& b)
{
    RawRows raw;
    raw.rows = {0, fieldSize};
    raw.bins = fieldSize;
    raw.projections = 2;
    Values values;
    for (const Wave* field : {&a, &b})
        for (int row = 0; row < fieldSize; ++row)
            for (int bin = 0; bin < fieldSize; ++bin)
                values.push_back(
                    static_cast<float>((*field)(bin - (fieldSize - 1) / 2.0, row - (fieldSize - 1) / 2.0)));
    raw.data = Samples(std::move(values));
    return raw;
}

Prepared retrieved(const RawRows& raw, double distanceMm)
{
    const Request request = phaseRequest(nullptr, distanceMm);
    return prepareRows(raw, Quantity::transmission, preparationOf(Quantity::transmission, request.setting.preparation),
                       2);
}

double valueAt(const Prepared& prepared, int projection, int row, int bin)
{
    return prepared.sinograms.values[(static_cast<std::size_t>(row) * 2 + projection) * fieldSize + bin];
}

// Returns a scan of transmission values with many rows.
std::shared_ptr<const Scan> tallScan()
{
    Simulation simulation;
    simulation.size = 40;
    simulation.projections = 33;
    simulation.slices = 160;
    simulation.phantom = Phantom::sheppLogan3d;
    return simulate(simulation);
}

// Multiplies the spectrum of the first projection by 1/(1 + L²k²). The projection is extended to a larger frame
// first; each edge is continued to the middle of the added space.
std::vector<double> filteredWhole(const RawRows& raw, double squared)
{
    using Complex = std::complex<double>;
    constexpr int frame = 256;
    const auto inField = [](int k) {
        return k < fieldSize ? k : k < fieldSize + (frame - fieldSize) / 2 ? fieldSize - 1 : 0;
    };
    std::vector<Complex> turns(frame), grid(std::size_t(frame) * frame), line(frame);
    for (int k = 0; k < frame; ++k)
        turns[k] = std::polar(1.0, -2 * std::numbers::pi * k / frame);
    const auto value = raw.data.floats();
    for (int row = 0; row < frame; ++row)
        for (int bin = 0; bin < frame; ++bin)
            grid[row * frame + bin] = value[inField(row) * fieldSize + inField(bin)];
    const auto transform = [&](int first, int step, bool back) {
        for (int f = 0; f < frame; ++f) {
            Complex sum = 0;
            for (int k = 0; k < frame; ++k)
                sum += grid[first + k * step] * (back ? std::conj(turns[f * k % frame]) : turns[f * k % frame]);
            line[f] = back ? sum / double(frame) : sum;
        }
        for (int f = 0; f < frame; ++f)
            grid[first + f * step] = line[f];
    };
    const auto frequency = [](int k) { return 2 * std::numbers::pi * std::min(k, frame - k) / frame; };
    for (int k = 0; k < frame; ++k)
        transform(k * frame, 1, false);
    for (int k = 0; k < frame; ++k)
        transform(k, frame, false);
    for (int row = 0; row < frame; ++row)
        for (int bin = 0; bin < frame; ++bin)
            grid[row * frame + bin] /= 1 + squared * (std::pow(frequency(row), 2) + std::pow(frequency(bin), 2));
    for (int k = 0; k < frame; ++k)
        transform(k, frame, true);
    for (int k = 0; k < frame; ++k)
        transform(k * frame, 1, true);
    std::vector<double> made;
    for (int row = 0; row < fieldSize; ++row)
        for (int bin = 0; bin < fieldSize; ++bin)
            made.push_back(grid[row * frame + bin].real());
    return made;
}

} // namespace

class PhaseTest : public QObject
{
    Q_OBJECT

  private slots:
    // t = exp(−μT) with a Gaussian thickness T; the detector sees t − L²·∇²t, computed by formulas.
    void smoothObjects()
    {
        const double squared = squaredLength(40), width = 9;
        const auto seen = [&](double height) {
            return [=](double x, double y) {
                const double thick = height * std::exp(-(x * x + y * y) / (2 * width * width));
                const double gradient = thick * thick * (x * x + y * y) / std::pow(width, 4);
                const double laplacian = thick * ((x * x + y * y) / std::pow(width, 4) - 2 / (width * width));
                return std::exp(-thick) * (1 - squared * (gradient - laplacian));
            };
        };
        const Prepared prepared = retrieved(projectionsOf(seen(1.5), seen(0.4)), 40);
        QVERIFY(squared > 3 && squared < 100);
        for (const auto& [projection, height] : {std::pair(0, 1.5), std::pair(1, 0.4)})
            for (int row = 0; row < fieldSize; ++row)
                for (int bin = 0; bin < fieldSize; ++bin) {
                    const double x = bin - (fieldSize - 1) / 2.0, y = row - (fieldSize - 1) / 2.0;
                    const double truth = height * std::exp(-(x * x + y * y) / (2 * width * width));
                    const double error = std::abs(valueAt(prepared, projection, row, bin) - truth);
                    QVERIFY2(error < 0.002 * height, qPrintable(QString("%1 %2: %3").arg(row).arg(bin).arg(error)));
                }
        QVERIFY(mentions(prepared.notes, "Phase retrieval"));
    }

    // A sphere of homogeneous material, sampled at four points per pixel along each direction, with the Laplacian as
    // finite differences, and a detector that blurs by one pixel. The result is compared with the sphere's thickness,
    // except near its rim.
    void spheres()
    {
        constexpr double radius = 30, attenuation = 0.02; // per pixel
        constexpr int fine = 4, side = fine * fieldSize;
        const double squared = squaredLength(20);
        const auto grid = [](const auto& value) {
            std::vector<double> all(std::size_t(side) * side);
            for (int k = 0; k < side * side; ++k)
                all[k] = value(k % side, k / side);
            return all;
        };
        const auto clamped = [](int k) { return std::clamp(k, 0, side - 1); };
        const std::vector<double> light = grid([&](int i, int k) {
            const double x = (i - (side - 1) / 2.0) / fine, y = (k - (side - 1) / 2.0) / fine;
            return std::exp(-2 * attenuation * std::sqrt(std::max(0.0, radius * radius - x * x - y * y)));
        });
        const auto at = [&](const std::vector<double>& of, int i, int k) { return of[clamped(k) * side + clamped(i)]; };
        const std::vector<double> fringes = grid([&](int i, int k) {
            const double around = at(light, i + 1, k) + at(light, i - 1, k) + at(light, i, k + 1) + at(light, i, k - 1);
            return at(light, i, k) - squared * fine * fine * (around - 4 * at(light, i, k));
        });
        std::vector<double> weights;
        for (int d = -16; d <= 16; ++d)
            weights.push_back(std::exp(-d * d / 32.0) / (4 * std::sqrt(2 * std::numbers::pi))); // σ is one pixel
        const std::vector<double> across = grid([&](int i, int k) {
            double sum = 0;
            for (int d = -16; d <= 16; ++d)
                sum += weights[d + 16] * at(fringes, i + d, k);
            return sum;
        });
        const Wave seen = [&](double x, double y) {
            const int i = static_cast<int>(std::lround((x + (fieldSize - 1) / 2.0) * fine + 1.5)),
                      k = static_cast<int>(std::lround((y + (fieldSize - 1) / 2.0) * fine + 1.5));
            double sum = 0; // the pixel's middle lies between four points
            for (int d = -16; d <= 16; ++d)
                for (const int left : {0, 1})
                    for (const int up : {0, 1})
                        sum += weights[d + 16] * at(across, i - left, k - up + d) / 4;
            return sum;
        };
        const Prepared prepared = retrieved(projectionsOf(seen, seen), 20);
        const double most = 2 * attenuation * radius;
        double worst = 0, plain = 0; // plain: with the logarithm alone
        for (int row = 0; row < fieldSize; ++row)
            for (int bin = 0; bin < fieldSize; ++bin) {
                const double x = bin - (fieldSize - 1) / 2.0, y = row - (fieldSize - 1) / 2.0, r = std::hypot(x, y);
                if (std::abs(r - radius) < 4)
                    continue;
                const double truth = r < radius ? 2 * attenuation * std::sqrt(radius * radius - r * r) : 0;
                const double error = std::abs(valueAt(prepared, 0, row, bin) - truth);
                worst = std::isfinite(error) ? std::max(worst, error) : 1e9;
                plain = std::max(plain, std::abs(-std::log(seen(x, y)) - truth));
            }
        qInfo("of the thickness: %.4f, without phase retrieval %.4f", worst / most, plain / most);
        QVERIFY(worst < 0.01 * most);
        QVERIFY(plain > 0.02 * most);
    }

    // A sharp disc with noise, against the formula on the whole image: its Fourier transform, computed from the
    // definition, with continued edges. Rows beyond the halo contribute less than 10⁻⁵.
    void theWholeImage()
    {
        const Wave disc = [](double x, double y) {
            const double wave = std::sin(12.9898 * x + 78.233 * y) * 43758.5453;
            return (x * x + y * y < 900 ? 0.5 : 1.0) * (1 + 0.04 * (wave - std::floor(wave) - 0.5));
        };
        for (const double distanceMm : {6.0, 20.0, 80.0}) {
            const RawRows raw = projectionsOf(disc, disc);
            const Prepared prepared = retrieved(raw, distanceMm);
            const std::vector<double> whole = filteredWhole(raw, squaredLength(distanceMm));
            double worst = 0;
            for (int row = 0; row < fieldSize; ++row)
                for (int bin = 0; bin < fieldSize; ++bin) {
                    const double error =
                        std::abs(valueAt(prepared, 0, row, bin) + std::log(whole[row * fieldSize + bin]));
                    worst = std::isfinite(error) ? std::max(worst, error) : 1e9;
                }
            QVERIFY2(worst < 1e-5, qPrintable(QString("%1 mm: %2").arg(distanceMm).arg(worst)));
        }
    }

    // Dark and missing values don't spread, as they are repaired first.
    void gapsAreMendedFirst()
    {
        const Wave even = [](double, double) { return 0.5; };
        RawRows raw = projectionsOf(even, even);
        raw.data.floats()[30 * fieldSize + 40] = notANumber;
        raw.data.floats()[31 * fieldSize + 41] = -0.2F; // a single value below the dark level
        const Prepared prepared = retrieved(raw, 40);
        for (const float value : prepared.sinograms.values)
            QVERIFY(std::abs(value - std::log(2.0F)) < 1e-5F);
        QVERIFY(mentions(prepared.notes, "1 value that is not a number"));
        QVERIFY(mentions(prepared.notes, "1 value without light"));
    }

    // A slice alone, its preview, the slice in a group and in a volume are identical, bit for bit, and read exactly
    // the rows of the halo.
    void rowsBesideASliceAreUsed()
    {
        const CountedScan counted(tallScan());
        Request request = phaseRequest(counted.scan, 4);
        request.setting.axis = {AxisSettings::Mode::middle, 0};
        const Preparation preparation = preparationOf(request);
        const int halo = haloOf(preparation);
        QVERIFY2(halo == 48, qPrintable(QString::number(halo)));
        request.place.setSlices({80, 1});
        const Reconstruction one = Reconstructor().run(request);
        QCOMPARE(counted.reads->size(), std::size_t(1));
        QVERIFY(counted.reads->back() == (RowRange{80 - halo, 2 * halo + 1}));
        request.place.setSlices({3, 1}); // at the end of the detector
        const Reconstruction first = Reconstructor().run(request);
        QVERIFY(counted.reads->back() == (RowRange{0, 3 + halo + 1}));

        request.place.setSlices({0, 160});
        const Reconstruction all = Reconstructor().run(request);
        QCOMPARE(all.image.slices, 160);
        const auto sliceOf = [](const Reconstruction& made, int slice) {
            const std::size_t size = made.image.sliceSize();
            return std::vector<float>(made.image.values.begin() + slice * size,
                                      made.image.values.begin() + (slice + 1) * size);
        };
        QVERIFY(sliceOf(one, 0) == sliceOf(all, 80));
        QVERIFY(sliceOf(first, 0) == sliceOf(all, 3));

        // The neighbouring rows matter: without phase retrieval, the slice differs.
        Request plain = request;
        setField(option("phase"), plain, "off");
        QVERIFY(Reconstructor().run(plain).image.values != all.image.values);

        std::vector<std::vector<float>> written(160);
        VolumePlan plan = planVolume(request, true);
        plan.slicesPerGroup = 16;
        reconstructVolume(request, plan, [&](const Reconstruction& group, std::stop_token) {
            for (int slice = 0; slice < group.image.slices; ++slice)
                written[group.request.place.slices().first + slice] = sliceOf(group, slice);
        });
        for (int slice = 0; slice < 160; ++slice)
            QVERIFY2(written[slice] == sliceOf(all, slice), qPrintable(QString::number(slice)));

        request.place.setSlices({80, 1});
        request.place.previewStep = 2;
        const Reconstruction preview = Reconstructor().run(request);
        QCOMPARE(preview.image.width, one.image.width / 2);
        Request again = plain;
        again.place = request.place;
        QVERIFY(Reconstructor().run(again).image.values != preview.image.values);
    }

    // The axis is found in rows that are prepared in the same way, and the memory plan counts the rows of the halo.
    void axisAndMemoryKnowTheHalo()
    {
        const CountedScan counted(tallScan());
        Request request = phaseRequest(counted.scan, 4);
        request.place.setSlices({0, 1});
        Request plain = request;
        setField(option("phase"), plain, "off");
        QVERIFY(!(axisKey(request) == axisKey(plain)));
        const int halo = haloOf(preparationOf(request));
        Reconstructor().run(request);
        QVERIFY(std::ranges::find(*counted.reads, RowRange{80 - halo, 2 * halo + 1}) != counted.reads->end());
        request.place.setSlices({0, 160});
        plain.place.setSlices({0, 160});
        QVERIFY(planVolume(request, false).bytes > planVolume(plain, false).bytes);
    }

    // What the scan records is used and reported; what the user gives overrides it.
    void energyAndDistanceOfTheScan()
    {
        Scan scan = *smallScan();
        scan.energyKeV = 25;
        scan.detectorDistanceMm = 150;
        std::get<ParallelBeam>(scan.geometry).pixelSizeMm = 0.002;
        Request recorded = requestFor(std::make_shared<const Scan>(scan)), given = phaseRequest(smallScan(), 150);
        setField(option("phase"), recorded, "paganin");
        setField(option("phase-delta-beta"), recorded, "200");
        const Reconstruction image = Reconstructor().run(recorded), same = Reconstructor().run(given);
        const auto light = [](const Request& request) { // before the filter, in the same unit
            return prepareRows(request.scan->read({0, 1}, {}), request.scan->quantity, preparationOf(request), 0)
                .sinograms.values;
        };
        QVERIFY(light(recorded) == light(given));
        QVERIFY(mentions(image.notes, "uses the scan's energy 25 keV and distance 150 mm."));
        QVERIFY(!mentions(same.notes, "the scan's"));

        setField(option("phase-energy"), recorded, "30");
        QVERIFY(light(recorded) != light(given));
        QVERIFY(mentions(Reconstructor().run(recorded).notes, "uses the scan's distance 150 mm."));
        setField(option("phase-energy"), given, "30");
        QVERIFY(light(recorded) == light(given));
    }

    // A cone beam's geometry specifies the distance, and the pixel at the object whatever the voxels are.
    void distanceOfACone()
    {
        Simulation simulation = {.size = 32, .projections = 20};
        simulation.cone.emplace();
        simulation.cone->sourceAxisMm = 100;
        simulation.cone->sourceDetectorMm = 400;
        simulation.cone->pixelUMm = 0.2;
        simulation.cone->voxelMm = 0.025;
        Request request = requestFor(simulate(simulation));
        setField(option("phase"), request, "paganin");
        QVERIFY(fails(ErrorKind::badRequest, {"needs the energy of the beam (--phase-energy 20), which"},
                      [&] { validate(request); }));
        setField(option("phase-energy"), request, "25");
        const Preparation preparation = preparationOf(request);
        QCOMPARE(preparation.distanceMm.value_or(0), 75.0); // 300 mm / 4
        QCOMPARE(preparation.pixelSizeMm.value_or(0), 0.05);
        QVERIFY(mentions(Reconstructor().run(request).notes, "uses the scan's distance 75 mm."));
    }

    // A distance in metres passes for a short one in mm.
    void distancesInMetres_data()
    {
        QTest::addColumn<double>("mm");
        QTest::addColumn<QString>("why");
        // The filter of 0.00514 mm changes the highest frequency by 1 %, and half of 32 pixels of 2 µm are 0.032 mm.
        QTest::newRow("no effect") << 0.0051
                                   << "details change by less than 1 %. If it is 0.0051 m, enter it in mm "
                                      "(--phase-distance 5.1).";
        QTest::newRow("little effect") << 0.0052 << "would touch it. If it is 0.0052 m";
        QTest::newRow("within the detector's half") << 0.031 << "touch it. If it is 0.031 m";
        QTest::newRow("beyond") << 0.033 << "";
    }
    void distancesInMetres()
    {
        QFETCH(const double, mm);
        QFETCH(const QString, why);
        Simulation simulation;
        simulation.size = 32;
        simulation.projections = 20;
        const auto scan = simulate(simulation);
        QCOMPARE(scan->bins(), 32);
        const Reconstruction made = Reconstructor().run(phaseRequest(scan, mm));
        QCOMPARE(mentions(made.notes, "for phase retrieval is doubtful"), !why.isEmpty());
        QVERIFY(mentions(made.notes, why.toUtf8().constData()));
    }

    // A document that holds the values of before means the same; they were written whenever the step was on.
    void documentsKeepTheirValues()
    {
        Request request;
        takeOptions(parsedJson(R"({"preparation": {"phase": "paganin", "phaseEnergy": 20, "phaseDistance": 100,
                                                   "phaseDeltaBeta": 100}})"),
                    request);
        QCOMPARE(option("phase-energy").get(request), std::string("20"));
        QCOMPARE(option("phase-distance").get(request), std::string("100"));
        Json json;
        addOptions(json, request, true);
        QCOMPARE(json["preparation"]["phaseEnergy"].get<double>(), 20.0);
        QCOMPARE(json["preparation"]["phaseDistance"].get<double>(), 100.0);
    }

    void whatNobodyKnowsIsAskedFor()
    {
        Request request = requestFor(smallScan());
        setField(option("phase"), request, "paganin");
        QVERIFY(fails(ErrorKind::badRequest,
                      {"the energy of the beam (--phase-energy 20), the distance from the object to the detector "
                       "(--phase-distance 10cm) and the size of the detector's pixels (--pixel 1.5um), which the scan "
                       "doesn't record"},
                      [&] { Reconstructor().run(request); }));
        setField(option("phase-energy"), request, "25");
        setField(option("phase-distance"), request, "150");
        QVERIFY(fails(ErrorKind::badRequest, {"--pixel 1.5um"}, [&] { Reconstructor().run(request); }));
        setField(option("phase-pixel"), request, "3");
        validate(request);
        // Line integrals contain no light any more: phase retrieval has no effect, which the command line reports,
        // and is left out.
        Simulation simulation;
        simulation.size = 32;
        simulation.projections = 20;
        simulation.counts = false;
        request.scan = simulate(simulation);
        const auto reason = option("phase").idle(request);
        QVERIFY(reason && contains(*reason, "takes transmission"));
        QVERIFY(preparationSettingsOf(request) == PreparationSettings{});
        validate(request);
    }
};

SINOSCOPE_TEST(PhaseTest, QCoreApplication)
#include "phase_test.moc"
