// Phase retrieval against objects of one material whose near-field images are known; and the rows beside a slice that
// it takes: read, used and left out, the same bits by slices and by volumes.
#include "engine/options.h"
#include "engine/reconstruct.h"
#include "engine/reconstruct_volume.h"
#include "engine/stages.h"
#include "tests/fixtures.h"

#include <cmath>
#include <functional>

using namespace engine;
using namespace fixtures;

namespace
{

using Field = std::function<double(double x, double y)>; // in pixels from the middle

constexpr int fieldSize = 96;

Request phaseRequest(std::shared_ptr<const Scan> scan, double distanceMm)
{
    Request request = requestFor(std::move(scan));
    for (const auto& [id, text] : {std::pair<const char*, std::string>{"phase", "paganin"},
                                   {"phase-energy", "25"},
                                   {"phase-distance", std::to_string(distanceMm)},
                                   {"phase-delta-beta", "200"},
                                   {"phase-pixel", "2"}})
        setOption(option(id), request, text);
    return request;
}

// L² of the filter, in pixels: λ·z·(δ/β)/4π over the pixel's area.
double squaredLength(double distanceMm)
{
    const double wavelengthMm = 12.39841984e-7 / 25;
    return wavelengthMm * distanceMm * 200 / (4 * std::numbers::pi) / (0.002 * 0.002);
}

// Two projections, of one object each.
RawRows projectionsOf(const Field& a, const Field& b)
{
    RawRows raw;
    raw.rows = {0, fieldSize};
    raw.bins = fieldSize;
    raw.projections = 2;
    Values values;
    for (const Field* field : {&a, &b})
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

// A scan of transmissions with many rows.
std::shared_ptr<const Scan> tallScan()
{
    Simulation simulation;
    simulation.size = 40;
    simulation.projections = 33;
    simulation.slices = 60;
    simulation.phantom = Phantom::sheppLogan3d;
    return simulate(simulation);
}

} // namespace

class PhaseTest : public QObject
{
    Q_OBJECT

  private slots:
    // t = exp(−μT) with a Gaussian μT; the detector sees t − L²·∇²t, all of it in formulas.
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

    // A sphere of a homogeneous material, seen by pixels of 4 × 4 finer points, on which the Laplacian is that of
    // differences.
    void spheres()
    {
        constexpr double radius = 30, attenuation = 0.02; // a pixel
        constexpr int fine = 4;
        const double squared = squaredLength(20);
        const auto light = [](double x, double y) {
            const double rest = radius * radius - x * x - y * y;
            return std::exp(-attenuation * 2 * std::sqrt(std::max(0.0, rest)));
        };
        const Field seen = [&](double x, double y) {
            constexpr double step = 1.0 / fine;
            double sum = 0;
            for (int i = 0; i < fine; ++i)
                for (int k = 0; k < fine; ++k) {
                    const double u = x + (i + 0.5) * step - 0.5, v = y + (k + 0.5) * step - 0.5;
                    const double laplacian = (light(u + step, v) + light(u - step, v) + light(u, v + step) +
                                              light(u, v - step) - 4 * light(u, v)) /
                                             (step * step);
                    sum += light(u, v) - squared * laplacian;
                }
            return sum / (fine * fine);
        };
        const Prepared prepared = retrieved(projectionsOf(seen, seen), 20);
        const double most = 2 * attenuation * radius;
        double worst = 0, plain = 0; // with the logarithm alone
        for (int row = 0; row < fieldSize; ++row)
            for (int bin = 0; bin < fieldSize; ++bin) {
                const double x = bin - (fieldSize - 1) / 2.0, y = row - (fieldSize - 1) / 2.0, r = std::hypot(x, y);
                if (std::abs(r - radius) < 2)
                    continue; // where the thickness falls by more than its own within a pixel
                const double truth = r < radius ? 2 * attenuation * std::sqrt(radius * radius - r * r) : 0;
                const double error = std::abs(valueAt(prepared, 0, row, bin) - truth);
                worst = std::isfinite(error) ? std::max(worst, error) : 1e9;
                plain = std::max(plain, std::abs(-std::log(seen(x, y)) - truth));
            }
        qInfo("of the thickness: %.4f, without phase retrieval %.4f", worst / most, plain / most);
        QVERIFY(worst < 0.01 * most);
        QVERIFY(plain > 0.02 * most);
    }

    // Dark and missing values don't spread: they are mended first.
    void gapsAreMendedFirst()
    {
        const Field even = [](double, double) { return 0.5; };
        RawRows raw = projectionsOf(even, even);
        raw.data.floats()[30 * fieldSize + 40] = notANumber;
        raw.data.floats()[31 * fieldSize + 41] = -0.2F; // below the dark level, alone
        const Prepared prepared = retrieved(raw, 40);
        for (const float value : prepared.sinograms.values)
            QVERIFY(std::abs(value - std::log(2.0F)) < 1e-5F);
        QVERIFY(mentions(prepared.notes, "1 value that is not a number"));
        QVERIFY(mentions(prepared.notes, "1 value without light"));
    }

    // A slice by itself, a preview of it, in a group and in a volume: the same bits, from the rows that its halo needs.
    void rowsBesideASliceAreUsed()
    {
        const CountedScan counted(tallScan());
        Request request = phaseRequest(counted.scan, 4);
        request.setting.axis = {AxisSettings::Mode::middle, 0};
        const Preparation preparation = preparationOf(request);
        const int halo = haloOf(preparation);
        QVERIFY2(halo > 4 && halo < 20, qPrintable(QString::number(halo)));
        request.place.slices = {30, 1};
        const Reconstruction one = Reconstructor().run(request);
        QCOMPARE(counted.reads->size(), std::size_t(1));
        QVERIFY(counted.reads->back() == (RowRange{30 - halo, 2 * halo + 1}));
        request.place.slices = {3, 1}; // at the detector's end
        const Reconstruction first = Reconstructor().run(request);
        QVERIFY(counted.reads->back() == (RowRange{0, 3 + halo + 1}));

        request.place.slices = {0, 60};
        const Reconstruction all = Reconstructor().run(request);
        QCOMPARE(all.image.slices, 60);
        const auto sliceOf = [](const Reconstruction& made, int slice) {
            const std::size_t size = made.image.sliceSize();
            return std::vector<float>(made.image.values.begin() + slice * size,
                                      made.image.values.begin() + (slice + 1) * size);
        };
        QVERIFY(sliceOf(one, 0) == sliceOf(all, 30));
        QVERIFY(sliceOf(first, 0) == sliceOf(all, 3));

        // Other rows matter: without phase retrieval a slice is another.
        Request plain = request;
        setOption(option("phase"), plain, "off");
        QVERIFY(Reconstructor().run(plain).image.values != all.image.values);

        std::vector<std::vector<float>> written(60);
        VolumePlan plan = planVolume(request, true);
        plan.slicesPerGroup = 16;
        reconstructVolume(request, plan, [&](const Reconstruction& group, std::stop_token) {
            for (int slice = 0; slice < group.image.slices; ++slice)
                written[group.request.place.slices.first + slice] = sliceOf(group, slice);
        });
        for (int slice = 0; slice < 60; ++slice)
            QVERIFY2(written[slice] == sliceOf(all, slice), qPrintable(QString::number(slice)));

        request.place.slices = {30, 1};
        request.place.previewStep = 2;
        const Reconstruction preview = Reconstructor().run(request);
        QCOMPARE(preview.image.width, one.image.width / 2);
        Request again = plain;
        again.place = request.place;
        QVERIFY(Reconstructor().run(again).image.values != preview.image.values);
    }

    // The axis is found in rows that are prepared the same way, and memory is planned for the rows read.
    void axisAndMemoryKnowTheHalo()
    {
        const CountedScan counted(tallScan());
        Request request = phaseRequest(counted.scan, 4);
        request.place.slices = {0, 1};
        Request plain = request;
        setOption(option("phase"), plain, "off");
        QVERIFY(!(axisKey(request) == axisKey(plain)));
        const int halo = haloOf(preparationOf(request));
        Reconstructor().run(request);
        QVERIFY(std::ranges::find(*counted.reads, RowRange{30 - halo, 2 * halo + 1}) != counted.reads->end());
        request.place.slices = plain.place.slices = {0, 60};
        QVERIFY(planVolume(request, false).bytes > planVolume(plain, false).bytes);
    }

    void withoutAPixelItIsRefused()
    {
        Request request = requestFor(smallScan());
        setOption(option("phase"), request, "paganin");
        QVERIFY(fails(ErrorKind::badRequest, {"--phase-pixel", "µm"}, [&] { Reconstructor().run(request); }));
        setOption(option("phase-pixel"), request, "3");
        validate(request);
        // Line integrals have no light left: it means nothing there, as the command line says, and is left out.
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
