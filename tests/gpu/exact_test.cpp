// SPDX-License-Identifier: GPL-3.0-or-later
// `exact-cuda`: its unrounded sums equal those of `exact` bit for bit, and so do its images.
#include "tests/engine/backends/noise.h"
#include "engine/backends/cuda/parallel/exact_sums.h"
#include "tests/gpu/device.h"

#include "engine/filter/windows.h"
#include "engine/reconstruct/reconstruct.h"

#include <bit>
#include <cstdint>

using namespace fixtures;
using namespace noise;
using std::numbers::pi;

namespace
{

// Whether all values have the same bits; any two NaNs are equal.
template <typename Values>
bool sameBits(const Values& values, const Values& exact)
{
    using Bits = std::conditional_t<sizeof(values[0]) == 8, std::uint64_t, std::uint32_t>;
    return std::ranges::equal(values, exact, [](auto a, auto b) {
        return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b) || (std::isnan(a) && std::isnan(b));
    });
}

bool sameSums(const Case& c, const Kernel& kernel)
{
    return sameBits(sumsOf(c, exactSumsOnGpu, kernel), sumsOf(c, exactSums, kernel));
}

// Fills the case with doubles that are not representable as float, with both signs and many magnitudes.
void fillWithDoubles(Case& c, std::mt19937& generator)
{
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (double& value : std::get<engine::Buffer<double>>(c.twice.values))
        value = uniform(generator) * std::exp(10 * uniform(generator));
}

} // namespace

class ExactOnGpuTest : public QObject
{
    Q_OBJECT

    static void addKernels()
    {
        QTest::addColumn<int>("interpolation");
        QTest::addColumn<int>("precision");
        for (const Interpolation interpolation : allInterpolations)
            for (const Precision precision : {Precision::single, Precision::half})
                QTest::addRow("%s %s", toText(interpolation).c_str(), toText(precision).c_str())
                    << int(interpolation) << int(precision);
    }

    static Kernel kernelOfRow()
    {
        QFETCH(int, interpolation);
        QFETCH(int, precision);
        return {.interpolation = Interpolation(interpolation), .oversampling = 7, .precision = Precision(precision)};
    }

  private slots:
    void sumsAreThoseOfTheProcessor_data() { addKernels(); }

    // Sizes up to several blocks; one or three slices; random angles and axes; one axis, or one per projection; rays
    // along, across and at 45°, where ties decide between two bins.
    void sumsAreThoseOfTheProcessor()
    {
        SINOSCOPE_NEEDS_GPU();
        const Kernel kernel = kernelOfRow();
        std::mt19937 generator(47);
        std::uniform_real_distribution<double> uniform(-1, 1);
        for (int size = 1; size <= 67; ++size) {
            std::vector<double> angles = {0, pi / 2, pi / 4, 3 * pi / 4, pi, -pi / 2, 2 * pi};
            const int count = 1 + size * 7 % 40;
            while (static_cast<int>(angles.size()) < count)
                angles.push_back(2 * pi * uniform(generator));
            angles.resize(count);
            std::shuffle(angles.begin(), angles.end(), generator);
            Case c(size, angles, 1 + size % 3, whole(size));
            fillWithDoubles(c, generator);
            if (size % 4 == 1)
                c.beam.axisBins = {2.0 * size * uniform(generator)};
            if (size % 4 == 3) {
                c.beam.axisBins.clear();
                for (int p = 0; p < count; ++p)
                    c.beam.axisBins.push_back((size - 1) / 2.0 + 5 * uniform(generator));
            }
            QVERIFY2(sameSums(c, kernel), qPrintable(QString("%1², %2 projections").arg(size).arg(count)));
        }
    }

    void anyGrid_data() { addKernels(); }

    // Regions, coarse steps, images far wider than the detector, pixels smaller than bins, and more than one band.
    void anyGrid()
    {
        SINOSCOPE_NEEDS_GPU();
        const Kernel kernel = kernelOfRow();
        const struct {
            int bins, projections;
            SliceGrid grid;
        } places[] = {{101, 31, {200, 37, 120, 71, 33, 1}},
                      {101, 31, {200, 0, 0, 50, 50, 4}},
                      {101, 31, {300, 0, 0, 10, 10, 33.0}},
                      {101, 31, {200, -20.5, 13.25, 91, 21, 0.5}},
                      {101, 31, {101, 0.25, 0.5, 67, 67, 1.5}},
                      {100, 31, {100, 49, 50, 131, 129, 0.01}},
                      {3001, 5, {3001, 1480, 20.125, 151, 65, 1}},
                      {7, 31, {4000, 0, 1900, 401, 9, 1}},
                      {257, 4200, whole(257)}};
        std::mt19937 generator(53);
        for (const auto& place : places) {
            Case c(place.bins, evenAngles(place.projections, 2 * pi), 2, place.grid);
            fillWithDoubles(c, generator);
            QVERIFY2(sameSums(c, kernel), qPrintable(QString("%1 bins, step %2").arg(place.bins).arg(place.grid.step)));
        }
    }

    void anyValues_data() { addKernels(); }

    // Values that are not finite reach the same pixels; the smallest and largest values are not flushed to zero or
    // infinity.
    void anyValues()
    {
        SINOSCOPE_NEEDS_GPU();
        const Kernel kernel = kernelOfRow();
        using Limits = std::numeric_limits<double>;
        for (const double bad : {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(), Limits::max()}) {
            Case c(70, evenAngles(21), 1, whole(70));
            c.beam.axisBins = {33.3};
            std::get<engine::Buffer<double>>(c.twice.values)[3 * 70 + 31] = bad;
            QVERIFY(sameSums(c, kernel));
        }
        for (const double factor : {1e-310, 1e-300, 1e-30, 1e30, 1e300, 0.0, -0.0}) {
            Case c(33, evenAngles(20), 1, whole(33));
            for (double& value : std::get<engine::Buffer<double>>(c.twice.values))
                value *= factor;
            QVERIFY2(sameSums(c, kernel), qPrintable(QString::number(factor)));
        }
    }

    void everyFilter_data()
    {
        QTest::addColumn<int>("window");
        for (const FilterWindow& row : filterWindows())
            QTest::newRow(toText(row.window).c_str()) << int(row.window);
    }

    // A complete reconstruction: uneven angles, several slices, a region, and a preview, which does not use coarse
    // bins.
    void everyFilter()
    {
        SINOSCOPE_NEEDS_GPU();
        QFETCH(int, window);
        auto uneven = std::make_shared<Scan>(*smallScan(129, 77, 3));
        auto& angles = std::get<ParallelBeam>(uneven->geometry).anglesRad;
        for (std::size_t p = 0; p < angles.size(); ++p)
            angles[p] += 0.01 * std::sin(7.0 * static_cast<double>(p));
        for (const auto& region : {std::optional<Region>(), std::optional<Region>({11, 23, 97, 81})})
            for (const int previewStep : {1, 4}) {
                Request request = gpuRequestFor(uneven, "exact-cuda");
                request.setting.filter.window = Window(window);
                request.place.setRegion(region);
                request.place.previewStep = previewStep;
                const Reconstruction gpu = Reconstructor().run(request);
                QCOMPARE(gpu.method, std::string("exact-cuda"));
                QVERIFY(gpu.device == cudaDevices().devices.front().name && gpu.timings.kernelSeconds > 0);
                request.setting.kernel.method = "exact";
                const Reconstruction exact = Reconstructor().run(request);
                QCOMPARE(exact.method, std::string("exact"));
                QVERIFY(sameBits(gpu.image.values, exact.image.values));
            }
    }

    void stopsBetweenBands()
    {
        SINOSCOPE_NEEDS_GPU();
        const auto scan = smallScan(128, 100, 30);
        const Request request = gpuRequestFor(scan, "exact-cuda");
        Reconstructor reconstructor;
        std::stop_source stop;
        const auto onProgress = [&](Stage stage, double fraction) {
            if (stage == Stage::backproject && fraction > 0.3)
                stop.request_stop();
        };
        QVERIFY(fails(ErrorKind::cancelled, [&] { reconstructor.run(request, onProgress, stop.get_token()); }));
        QCOMPARE(reconstructor.run(request).image.values, Reconstructor().run(request).image.values);
    }
};

SINOSCOPE_TEST(ExactOnGpuTest, QCoreApplication)
#include "exact_test.moc"
