// Every row of the table against `exact`, and `exact` against the sum written down once more here.
#include "engine/backproject/parallel/cpu/double_sums.h"
#include "engine/backproject/parallel/cpu/kernels.h"
#include "engine/half_scale.h"
#include "engine/backproject/method.h"
#include "engine/backproject/support.h"
#include "engine/error.h"
#include "engine/measure/benchmark.h"
#include "engine/measure/verify.h"

#include <QElapsedTimer>
#include <QScopeGuard>
#include <QTest>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>
#include <numbers>
#include <random>

using namespace engine;
using std::numbers::pi;

namespace
{

// Sanitizers make everything many times slower: fewer cases of each kind.
#ifdef SINOSCOPE_SANITIZED
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

constexpr Interpolation allInterpolations[] = {Interpolation::nearest, Interpolation::linear,
                                               Interpolation::oversampled, Interpolation::cubic};

// A case with filtered sinograms of noise, in both precisions.
struct Case {
    FilteredSinograms single, twice;
    ParallelBeam beam;
    SliceGrid grid;

    Case(int bins, const std::vector<double>& anglesRad, int slices, const SliceGrid& grid_) : grid(grid_)
    {
        const int projections = static_cast<int>(anglesRad.size());
        std::mt19937 generator(11);
        std::uniform_real_distribution<float> uniform(-1, 1);
        std::vector<float> values(static_cast<std::size_t>(slices) * projections * bins);
        for (float& value : values)
            value = uniform(generator);
        twice = {slices, projections, bins, std::vector<double>(values.begin(), values.end())};
        single = {slices, projections, bins, values};
        beam.bins = bins;
        beam.anglesRad = anglesRad;
        beam.axisBins = {(bins - 1) / 2.0};
    }

    Volume run(const Method& method, Interpolation interpolation, Precision precision = Precision::single,
               int slicesPerPass = 1, int threads = 0, int oversampling = 4) const
    {
        const auto& sinograms = method.filterPrecision == FilterPrecision::float64 ? twice : single;
        Volume image(sinograms.slices, grid.height, grid.width);
        std::fill(image.values.begin(), image.values.end(), std::numeric_limits<float>::quiet_NaN());
        Workspace workspace;
        method.launch({.sinograms = sinograms,
                       .geometry = beam,
                       .grid = {grid, 0, 1, sinograms.slices},
                       .kernel = {.interpolation = interpolation,
                                  .oversampling = oversampling,
                                  .precision = precision,
                                  .slicesPerPass = slicesPerPass},
                       .threads = threads,
                       .image = image},
                      workspace);
        return image;
    }
};

std::vector<double> evenly(int count, double arc = pi)
{
    std::vector<double> angles;
    for (int k = 0; k < count; ++k)
        angles.push_back(arc * k / count);
    return angles;
}

SliceGrid whole(int size)
{
    return {size, 0, 0, size, size, 1};
}

double relativeError(const Volume& image, const Volume& exact)
{
    double difference = 0, norm = 0;
    for (std::size_t k = 0; k < exact.values.size(); ++k) {
        difference += std::pow(double(image.values[k]) - exact.values[k], 2);
        norm += std::pow(double(exact.values[k]), 2);
    }
    return std::sqrt(difference / norm);
}

// Every sum of one of the two methods in double precision, before it is rounded; NaN where none was handed over.
std::vector<double> sumsOf(const Case& c, LaunchReport (*sums)(const LaunchArguments&, const TakeSums&),
                           Precision precision = Precision::single, int threads = 0)
{
    const SliceGrid& grid = c.grid;
    Volume size(c.twice.slices, grid.height, grid.width);
    std::vector<double> values(size.values.size(), std::numeric_limits<double>::quiet_NaN());
    sums({.sinograms = c.twice,
          .geometry = c.beam,
          .grid = {grid, 0, 1, c.twice.slices},
          .kernel = {.precision = precision},
          .threads = threads,
          .image = size},
         [&](int slice, int row, int firstColumn, std::span<const double> some) {
             std::copy(some.begin(), some.end(),
                       values.begin() + (static_cast<std::ptrdiff_t>(slice) * grid.height + row) * grid.width +
                           firstColumn);
         });
    return values;
}

// Largest difference, relative to the largest value; NaN when one of them isn't finite.
double largestDifference(const std::vector<double>& values, const std::vector<double>& exact)
{
    double difference = 0, largest = 0;
    for (std::size_t k = 0; k < exact.size(); ++k) {
        const double here = std::abs(values[k] - exact[k]);
        difference = here <= difference ? difference : here; // keeps NaN
        if (std::isnan(here))
            return here;
        largest = std::max(largest, std::abs(exact[k]));
    }
    return values.size() != exact.size() ? NAN : difference == 0 ? 0 : difference / largest;
}

// The hat, Catmull-Rom and nearest kernels as functions of the distance, not as bins and fractions.
double kernel(Interpolation interpolation, double distance)
{
    const double d = std::abs(distance);
    if (interpolation == Interpolation::cubic) {
        if (d < 1)
            return 1.5 * d * d * d - 2.5 * d * d + 1;
        return d < 2 ? -0.5 * d * d * d + 2.5 * d * d - 4 * d + 2 : 0;
    }
    if (interpolation == Interpolation::nearest)
        return distance >= -0.5 && distance < 0.5 ? 1 : 0; // distance = bin − h … a tie goes up
    return std::max(0.0, 1 - d);
}

// Σ over projections and all bins of value × kernel(distance): slow and unlike any method.
double naivePixel(const Case& c, int slice, double x, double y, Interpolation interpolation, int oversampling)
{
    const auto& values = std::get<std::vector<double>>(c.twice.values);
    double sum = 0;
    for (int p = 0; p < c.twice.projections; ++p) {
        const double axis = c.beam.axisBins.size() == 1 ? c.beam.axisBins[0] : c.beam.axisBins[p];
        double h = axis + x * std::cos(c.beam.anglesRad[p]) + y * std::sin(c.beam.anglesRad[p]);
        if (interpolation == Interpolation::oversampled)
            h = std::floor(h * oversampling + 0.5) / oversampling;
        const double* row = values.data() + (static_cast<std::size_t>(slice) * c.twice.projections + p) * c.twice.bins;
        for (int bin = 0; bin < c.twice.bins; ++bin)
            sum += row[bin] * kernel(interpolation, interpolation == Interpolation::nearest ? h - bin : bin - h);
    }
    return sum;
}

} // namespace

class MethodsTest : public QObject
{
    Q_OBJECT
  private slots:
    void halfRoundTrip()
    {
        for (int bits = 0; bits < 0x10000; ++bits) {
            const float value = fromHalf(static_cast<std::uint16_t>(bits));
            const bool special = (bits & 0x7c00) == 0x7c00;
            if (special && (bits & 0x3ff))
                QVERIFY(std::isnan(value));
            else
                QCOMPARE(int(toHalf(value)), bits);
        }
        QCOMPARE(fromHalf(0x3c00), 1.0f);
        QCOMPARE(fromHalf(0x0001), 0x1p-24f);
        QCOMPARE(fromHalf(0x7bff), 65504.0f);
        QCOMPARE(int(toHalf(65519.9)), 0x7bff);
        QVERIFY(std::isinf(fromHalf(toHalf(65520.0))));
        QVERIFY(std::isnan(fromHalf(toHalf(std::nan("")))));
        QCOMPARE(int(toHalf(1 + 0x1p-11)), 0x3c00); // a tie goes to the even one
        QCOMPARE(int(toHalf(1 + 3 * 0x1p-11)), 0x3c02);
        QCOMPARE(int(toHalf(2 - 0x1p-12)), 0x4000); // carries into the exponent
    }

    void halfOfFloatsAndDoublesAgree()
    {
        std::mt19937 generator(2);
        for (int k = 0; k < 200000; ++k) {
            // Any float, and one on or beside a tie of halves.
            const auto any = std::bit_cast<float>(static_cast<std::uint32_t>(generator()));
            const auto tie = std::bit_cast<float>((static_cast<std::uint32_t>(generator()) & 0xfffff000u) + k % 3 - 1);
            for (const float value : {any, tie})
                QCOMPARE(toHalf(value), toHalf(static_cast<double>(value)));
        }
    }

    void everyInstructionSet_data()
    {
        QTest::addColumn<QString>("target");
        for (const std::string& target : processorTargets())
            QTest::newRow(target.c_str()) << QString::fromStdString(target);
    }

    // The kernels of each instruction set that this processor has: rays along and across the pixels, at 45° and
    // anywhere; an axis off the middle and outside the detector; pixels beyond the detector; odd sizes.
    void everyInstructionSet()
    {
        QFETCH(QString, target);
        QVERIFY(forceProcessorTarget(target.toStdString()));
        const auto restore = qScopeGuard([] { forceProcessorTarget(""); });
        QCOMPARE(QString::fromStdString(processorTarget()), target);
        std::vector<double> angles = {0, pi / 4, pi / 2, 3 * pi / 4, pi, -pi / 2, 2 * pi};
        std::mt19937 generator(9);
        std::uniform_real_distribution<double> uniform(0, 2 * pi);
        for (int k = 0; k < 12; ++k) // more than a block of 16 in all
            angles.push_back(uniform(generator));
        const struct {
            SliceGrid grid;
            double axis;
        } places[] = {{whole(45), 22.3},
                      {whole(45), -17.7},
                      {whole(45), 60.2},
                      {{90, 0, 0, 90, 83, 1}, 31.15},
                      {{45, 3, 7, 17, 1, 0.5}, 9.1}};
        for (const auto& place : places) {
            if (sanitized && place.grid.step == 1 && place.axis != 22.3)
                continue;
            Case c(45, angles, 64 + 16 + 8 + 3, place.grid);
            c.beam.axisBins = {place.axis};
            for (const Interpolation interpolation : allInterpolations) {
                const Volume exact = c.run(*findMethod("exact"), interpolation);
                for (const Precision precision : {Precision::single, Precision::half})
                    for (const int slices : {1, 8, 16, 32, 64}) {
                        const double error =
                            relativeError(c.run(*findMethod("cpu"), interpolation, precision, slices), exact);
                        if (!(error < (precision == Precision::half ? 1e-3 : 1e-5)))
                            QFAIL(qPrintable(QString("%1 %2 ×%3, axis %4: %5")
                                                 .arg(toText(interpolation).c_str(), toText(precision).c_str())
                                                 .arg(slices)
                                                 .arg(place.axis)
                                                 .arg(error)));
                    }
            }
        }
    }

    void stepsOnAnyPlace_data() { everyInstructionSet_data(); }

    // One slice, nearest and oversampled, where the positions of a whole tile are found at once: edges of tiles and
    // of their regions, rays along, across and at 45°, the tile's middle on the detector, at its ends and far from it.
    void stepsOnAnyPlace()
    {
        QFETCH(QString, target);
        QVERIFY(forceProcessorTarget(target.toStdString()));
        const auto restore = qScopeGuard([] { forceProcessorTarget(""); });
        std::vector<double> angles = {0, pi / 4, pi / 2, 3 * pi / 4, pi};
        std::mt19937 generator(23);
        std::uniform_real_distribution<double> uniform(0, 2 * pi);
        for (int k = 0; k < 14; ++k) // one projection more than a block
            angles.push_back(uniform(generator));
        for (const int bins : {1, 17, 64, 129, sanitized ? 130 : 512})
            for (const double axis : {(bins - 1) / 2.0 + 0.137, -61.37, bins + 44.63, bins + 300.13}) {
                Case c(bins, angles, 1, whole(std::max(bins, 17)));
                if (bins == 512) // within seconds
                    c.grid = {512, 0, 190, 512, 129, 1};
                c.beam.axisBins = {axis};
                for (const auto& [interpolation, steps] :
                     {std::pair(Interpolation::nearest, 4), std::pair(Interpolation::oversampled, 1),
                      std::pair(Interpolation::oversampled, 2), std::pair(Interpolation::oversampled, 3),
                      std::pair(Interpolation::oversampled, 4), std::pair(Interpolation::oversampled, 5)})
                    for (const Precision precision : {Precision::single, Precision::half}) {
                        const Volume exact = c.run(*findMethod("exact"), interpolation, precision, 1, 0, steps);
                        const Volume image = c.run(*findMethod("cpu"), interpolation, precision, 1, 0, steps);
                        // One position in 10⁷ is nearer to a tie than fixed point tells apart.
                        int beside = 0;
                        for (std::size_t k = 0; k < exact.values.size(); ++k) {
                            const double difference = std::abs(double(image.values[k]) - exact.values[k]);
                            QVERIFY(difference < 2.0 / (interpolation == Interpolation::nearest ? 1 : steps) + 1e-5);
                            beside += !(difference < 2e-5);
                        }
                        if (beside > 2)
                            QFAIL(qPrintable(QString("%1 ×%2 %3, %4 bins, axis %5: %6 pixels")
                                                 .arg(toText(interpolation).c_str())
                                                 .arg(steps)
                                                 .arg(toText(precision).c_str())
                                                 .arg(bins)
                                                 .arg(axis)
                                                 .arg(beside)));
                    }
            }
    }

    void notFiniteStaysWhereItIs_data() { everyInstructionSet_data(); }

    // A NaN or infinite bin reaches the pixels whose rays meet it, and no other pixel or slice.
    void notFiniteStaysWhereItIs()
    {
        QFETCH(QString, target);
        QVERIFY(forceProcessorTarget(target.toStdString()));
        const auto restore = qScopeGuard([] { forceProcessorTarget(""); });
        const int size = 70, slices = 17, slice = 4, projection = 3, bin = 31;
        for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
            Case c(size, evenly(21), slices, whole(size));
            c.beam.axisBins = {33.3};
            auto& values = std::get<std::vector<float>>(c.single.values);
            values[(static_cast<std::size_t>(slice) * 21 + projection) * size + bin] = bad;
            for (const Interpolation interpolation : allInterpolations)
                for (const Precision precision : {Precision::single, Precision::half})
                    for (const int slicesPerPass : {1, 16}) {
                        const Volume image = c.run(*findMethod("cpu"), interpolation, precision, slicesPerPass);
                        const double reach = interpolation == Interpolation::cubic         ? 2
                                             : interpolation == Interpolation::oversampled ? 1 + 1 / 8.0 // half a step
                                                                                           : 1;
                        int met = 0;
                        for (std::size_t k = 0; k < image.values.size(); ++k) {
                            const int row = k / size % size, column = k % size;
                            const double angle = c.beam.anglesRad[projection];
                            const double h = c.beam.axisBins[0] + c.grid.x(column) * std::cos(angle) +
                                             c.grid.y(row) * std::sin(angle);
                            const bool near =
                                static_cast<int>(k / (size * size)) == slice && std::abs(h - bin) <= reach + 1e-5;
                            const bool finite = std::isfinite(image.values[k]);
                            if (!near && !finite)
                                QFAIL(qPrintable(QString("%1 %2 ×%3: slice %4, %5 bins from it")
                                                     .arg(toText(interpolation).c_str(), toText(precision).c_str())
                                                     .arg(slicesPerPass)
                                                     .arg(k / (size * size))
                                                     .arg(h - bin)));
                            if (near && std::abs(h - bin) < 0.4) {
                                QVERIFY(!finite);
                                ++met;
                            }
                        }
                        QVERIFY(met > size / 4);
                    }
        }
    }

    void doubleIsExact_data() { everyInstructionSet_data(); }

    // The sums of `double` are those of `exact` before either is rounded to floats: every size up to more than a tile,
    // random data, angles and axes, one axis or one a projection, and rays along, across and at 45°, where ties decide
    // between two bins.
    void doubleIsExact()
    {
        QFETCH(QString, target);
        QVERIFY(forceProcessorTarget(target.toStdString()));
        const auto restore = qScopeGuard([] { forceProcessorTarget(""); });
        std::mt19937 generator(31);
        std::uniform_real_distribution<double> uniform(-1, 1);
        double largest = 0;
        for (int size = 1; size <= 70; ++size) {
            std::vector<double> angles = {0, pi / 2, pi / 4, 3 * pi / 4, pi, -pi / 2, 2 * pi};
            const int count = 1 + size * 7 % 40; // blocks of 16, whole and not
            while (static_cast<int>(angles.size()) < count)
                angles.push_back(2 * pi * uniform(generator));
            angles.resize(count);
            std::shuffle(angles.begin(), angles.end(), generator);
            Case c(size, angles, 1 + size % 2, whole(size));
            const int kind = size % 4;
            if (kind == 1)
                c.beam.axisBins = {(size - 1) / 2.0 + 3 * uniform(generator)};
            if (kind == 2)
                c.beam.axisBins = {2.0 * size * uniform(generator)};
            if (kind == 3) {
                c.beam.axisBins.clear();
                for (int p = 0; p < count; ++p)
                    c.beam.axisBins.push_back((size - 1) / 2.0 + 5 * uniform(generator));
            }
            for (const Precision precision : {Precision::single, Precision::half}) {
                const std::vector<double> exact = sumsOf(c, exactSums, precision);
                const double difference = largestDifference(sumsOf(c, doubleSums, precision), exact);
                if (!(difference <= 1e-12))
                    QFAIL(qPrintable(QString("%1², %2 projections: %3").arg(size).arg(count).arg(difference)));
                largest = std::max(largest, difference);
            }
        }
        qInfo("%s: %.2g of the largest value", qPrintable(target), largest);
    }

    void doubleOnAnyGrid_data() { everyInstructionSet_data(); }

    // Regions, previews, images wider and far wider than the detector, pixels closer than bins, one far from the axis.
    void doubleOnAnyGrid()
    {
        QFETCH(QString, target);
        QVERIFY(forceProcessorTarget(target.toStdString()));
        const auto restore = qScopeGuard([] { forceProcessorTarget(""); });
        const struct {
            int bins;
            SliceGrid grid;
        } places[] = {{101, {200, 37, 120, 70, 33, 1}},
                      {101, {200, 0, 0, 50, 50, 4}},
                      {101, {300, 0, 0, 10, 10, 33.0}},
                      {101, {200, -20.5, 13.25, 90, 20, 0.5}},
                      {101, {101, 0.25, 0.5, 67, 67, 1.5}},
                      {101, {100, 49, 50, 130, 129, 0.01}},
                      {3000, {3000, 1480, 20.125, 150, 65, 1}},
                      {7, {4000, 0, 1900, 400, 9, 1}},
                      {1, {1, 0, 0, 1, 1, 1}}};
        for (const auto& place : places) {
            Case c(place.bins, evenly(31, 2 * pi), 2, place.grid);
            c.beam.axisBins.clear();
            for (int p = 0; p < 31; ++p)
                c.beam.axisBins.push_back((place.bins - 1) / 2.0 + 0.1 * (p - 13));
            const double difference = largestDifference(sumsOf(c, doubleSums), sumsOf(c, exactSums));
            if (!(difference <= 1e-12))
                QFAIL(qPrintable(QString("%1 bins, step %2: %3").arg(place.bins).arg(place.grid.step).arg(difference)));
        }
        Case c(150, evenly(40), 2, whole(150));
        const std::vector<double> one = sumsOf(c, doubleSums, Precision::single, 1);
        for (const int threads : {0, 2, 7})
            QVERIFY(sumsOf(c, doubleSums, Precision::single, threads) == one);
    }

    void doubleTakesAnyValues_data() { everyInstructionSet_data(); }

    // A NaN or infinite bin reaches the pixels whose rays meet it, and no others; values of any size are right.
    void doubleTakesAnyValues()
    {
        QFETCH(QString, target);
        QVERIFY(forceProcessorTarget(target.toStdString()));
        const auto restore = qScopeGuard([] { forceProcessorTarget(""); });
        const int size = 70, projection = 3, bin = 31;
        for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
            for (const double step : {1.0, 2.0}) {
                Case c(size, evenly(21), 1, {size, 0, 0, 60, 60, step});
                c.beam.axisBins = {33.3};
                std::get<std::vector<double>>(c.twice.values)[projection * size + bin] = bad;
                const std::vector<double> sums = sumsOf(c, doubleSums);
                int met = 0;
                for (int k = 0; k < static_cast<int>(sums.size()); ++k) {
                    const double angle = c.beam.anglesRad[projection];
                    const double h =
                        c.beam.axisBins[0] + c.grid.x(k % 60) * std::cos(angle) + c.grid.y(k / 60) * std::sin(angle);
                    if (std::abs(h - bin) > 1 + 1e-9)
                        QVERIFY(std::isfinite(sums[k]));
                    if (std::abs(h - bin) < 1 - 1e-9) {
                        QVERIFY(!std::isfinite(sums[k]));
                        ++met;
                    }
                }
                QVERIFY(met > 10);
            }
        for (const double factor : {1e-300, 1e-30, 1e30, 1e300}) {
            Case c(33, evenly(20), 1, whole(33));
            for (double& value : std::get<std::vector<double>>(c.twice.values))
                value *= factor;
            QVERIFY(largestDifference(sumsOf(c, doubleSums), sumsOf(c, exactSums)) <= 1e-12);
        }
        Case c(33, evenly(20), 1, whole(33));
        for (double& value : std::get<std::vector<double>>(c.twice.values))
            value = std::numeric_limits<double>::quiet_NaN();
        const std::vector<double> sums = sumsOf(c, doubleSums);
        QVERIFY(std::isnan(sums[16 * 33 + 16]));
    }

    void doubleIsTakenOnlyByName()
    {
        auto scan = std::make_shared<Scan>();
        scan->geometry = ParallelBeam{8, {0.0, 0.5, 1.0}, {}, std::nullopt};
        scan->rows = 8;
        Request request;
        request.scan = scan;
        request.resources.device.kind = DeviceSettings::Kind::cpu;
        for (const Interpolation interpolation : allInterpolations) {
            request.setting.kernel.interpolation = interpolation;
            request.setting.kernel.method = "auto";
            QCOMPARE(std::string(methodFor(request).id), std::string("cpu"));
            request.setting.kernel.method = doubleMethod.id;
            if (interpolation == Interpolation::linear) {
                QCOMPARE(&methodFor(request), findMethod("double"));
                continue;
            }
            try {
                methodFor(request);
                QFAIL("accepted");
            } catch (const Error& error) {
                QVERIFY(error.kind() == ErrorKind::badRequest);
                QVERIFY(std::string(error.what()).find("`exact`") != std::string::npos);
            }
            Case c(8, evenly(3), 1, whole(8));
            try {
                c.run(*findMethod("double"), interpolation);
                QFAIL("accepted");
            } catch (const Error& error) {
                QVERIFY(error.kind() == ErrorKind::badRequest);
            }
        }
        for (const Method& method : methods())
            QCOMPARE(method.rank != nullptr, method.id != std::string("exact") && method.id != std::string("double"));
    }

    void halfScaleKeepsTheRange()
    {
        for (const double largest : {1e-30, 0.7, 1.0, 3e5, 1e30}) {
            const std::vector<double> values = {0, -largest, largest / 3, INFINITY, NAN};
            const double scaled = largest * halfScale(std::span<const double>(values));
            QVERIFY(scaled >= 1024 && scaled < 2048);
        }
        QCOMPARE(halfScale(std::span<const float>()), 1.0);
    }

    void exactIsTheSum_data()
    {
        QTest::addColumn<int>("interpolation");
        for (const Interpolation interpolation : allInterpolations)
            QTest::newRow(toText(interpolation).c_str()) << static_cast<int>(interpolation);
    }

    // Axis per projection, a region, a preview step, and a slice much wider than the detector.
    void exactIsTheSum()
    {
        QFETCH(int, interpolation);
        const auto kind = static_cast<Interpolation>(interpolation);
        const SliceGrid grids[] = {whole(9), {40, 3, 5, 11, 7, 1}, {40, 0, 0, 10, 10, 4}, {41, 0.5, 0.25, 5, 6, 7}};
        for (const SliceGrid& grid : grids) {
            Case c(13, evenly(7), 2, grid);
            c.beam.axisBins.clear();
            for (int p = 0; p < 7; ++p)
                c.beam.axisBins.push_back(6.2 + 0.37 * p);
            for (const int oversampling : {3, 4}) {
                const Volume image = c.run(*findMethod("exact"), kind, Precision::single, 1, 0, oversampling);
                for (int slice = 0; slice < 2; ++slice)
                    for (int row = 0; row < grid.height; ++row)
                        for (int column = 0; column < grid.width; ++column) {
                            const double expected =
                                naivePixel(c, slice, grid.x(column), grid.y(row), kind, oversampling);
                            const float value = image.slice(slice)[row * grid.width + column];
                            QVERIFY(std::abs(value - expected) < 1e-6);
                        }
            }
        }
    }

    // p = 0 outside: half a bin past the end a hat still gives half of the last bin.
    void detectorEnds()
    {
        for (const Method& method : methods()) {
            if (method.device != DeviceSettings::Kind::cpu)
                continue;
            Case c(4, {0.0}, 1, whole(9)); // x = −4…4 at bins −2.5, −1.5, …, 5.5
            c.beam.axisBins = {1.5};
            c.single.values = std::vector<float>(4, 1.0f);
            c.twice.values = std::vector<double>(4, 1.0);
            const Volume linear = c.run(method, Interpolation::linear);
            const float expected[] = {0, 0, 0.5f, 1, 1, 1, 0.5f, 0, 0};
            for (int column = 0; column < 9; ++column)
                QCOMPARE(linear.values[column], expected[column]);
        }
    }

    void everyRowAgainstExact()
    {
        QElapsedTimer timer;
        timer.start();
        VerifyOptions options;
        if (sanitized) {
            options.sizes = {1, 7, 65};
            options.largeSize = 130;
        }
        const auto cases = verifyMethods(options);
        qInfo("%zu cases in %.1f s", cases.size(), timer.elapsed() / 1000.0);
        QVERIFY(cases.size() >= methods().size() * 4 * 2 * 3 * options.sizes.size());
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

    // Regions, previews, axis per projection, and images wider than the detector.
    void cpuOnAnyGrid()
    {
        const SliceGrid grids[] = {{200, 37, 120, 70, 33, 1},
                                   {200, 0, 0, 50, 50, 4},
                                   {300, 0, 0, 10, 10, 33.0},
                                   {200, -20.5, 13.25, 90, 20, 0.5}};
        for (const SliceGrid& grid : grids) {
            Case c(101, evenly(31, 2 * pi), 18, grid);
            c.beam.axisBins.clear();
            for (int p = 0; p < 31; ++p)
                c.beam.axisBins.push_back(47.3 + 0.1 * p);
            for (const Interpolation interpolation : allInterpolations)
                for (const int slices : {1, 16}) {
                    const Volume exact = c.run(*findMethod("exact"), interpolation);
                    QVERIFY(relativeError(c.run(*findMethod("cpu"), interpolation, Precision::single, slices), exact) <
                            1e-5);
                }
        }
    }

    // The error may not grow with the image.
    void cpuFarFromTheAxis()
    {
        const SliceGrid corner{16384, 2390, 2390, 64, 64, 1};
        Case c(16384, evenly(61), 1, corner);
        for (const Interpolation interpolation : allInterpolations)
            QVERIFY(relativeError(c.run(*findMethod("cpu"), interpolation),
                                  c.run(*findMethod("exact"), interpolation)) < 1e-5);
    }

    // At 0°, 45° and 90° with the axis in the middle, whole lines of pixels lie on the edge between two bins.
    // Those get one of the two, all others the bin that `exact` takes.
    void tiesAreEitherSide()
    {
        const double angles[] = {0, pi / 4, pi / 2, 3 * pi / 4, pi, pi / 3, pi / 6};
        for (const double angle : angles)
            for (const int size : {63, 64, 257})
                for (const int oversampling : {1, 2, 3, 4, 7})
                    for (const Interpolation interpolation : {Interpolation::nearest, Interpolation::oversampled})
                        for (const int shift : {0, 1}) {
                            Case c(size, {angle}, 1, whole(size));
                            const auto exactAt = [&](double axis) {
                                c.beam.axisBins = {axis};
                                return c.run(*findMethod("exact"), interpolation, Precision::single, 1, 0,
                                             oversampling);
                            };
                            const double axis = size / 2.0 - 0.5 * shift;
                            const Volume left = exactAt(axis - 1e-7), right = exactAt(axis + 1e-7);
                            c.beam.axisBins = {axis};
                            const Volume image =
                                c.run(*findMethod("cpu"), interpolation, Precision::single, 1, 0, oversampling);
                            for (std::size_t k = 0; k < image.values.size(); ++k)
                                QVERIFY(std::abs(image.values[k] - left.values[k]) < 1e-5 ||
                                        std::abs(image.values[k] - right.values[k]) < 1e-5);
                        }
    }

    void sameForAnyNumberOfThreads()
    {
        Case c(150, evenly(40), 19, whole(150));
        for (const Interpolation interpolation : allInterpolations)
            for (const Precision precision : {Precision::single, Precision::half})
                for (const int slices : {1, 16}) {
                    const Volume one = c.run(*findMethod("cpu"), interpolation, precision, slices, 1);
                    for (const int threads : {0, 2, 7})
                        QVERIFY(c.run(*findMethod("cpu"), interpolation, precision, slices, threads).values ==
                                one.values);
                }
    }

    void halfSurvivesAnyScale()
    {
        Case c(64, evenly(31), 1, whole(64));
        for (const double factor : {1e-20, 1e20}) {
            for (double& value : std::get<std::vector<double>>(c.twice.values))
                value *= factor;
            for (float& value : std::get<std::vector<float>>(c.single.values))
                value *= static_cast<float>(factor);
            const Volume exact = c.run(*findMethod("exact"), Interpolation::linear);
            for (const Method& method : methods())
                if (method.device == DeviceSettings::Kind::cpu) {
                    const double error = relativeError(c.run(method, Interpolation::linear, Precision::half), exact);
                    QVERIFY(error < 1e-3);
                    QVERIFY(error > 1e-6); // it is rounded
                }
            for (double& value : std::get<std::vector<double>>(c.twice.values))
                value /= factor;
            for (float& value : std::get<std::vector<float>>(c.single.values))
                value /= static_cast<float>(factor);
        }
    }

    void stopsAtOnce()
    {
        for (const Method& method : methods()) {
            if (method.device != DeviceSettings::Kind::cpu)
                continue;
            Case c(2048, evenly(512), 1, whole(2048));
            Volume image(1, 2048, 2048);
            std::stop_source source;
            const auto& sinograms = method.filterPrecision == FilterPrecision::float64 ? c.twice : c.single;
            std::chrono::steady_clock::time_point asked;
            std::once_flag once;
            const auto stopAtFirstProgress = [&](double) {
                std::call_once(once, [&] {
                    asked = std::chrono::steady_clock::now();
                    source.request_stop();
                });
            };
            bool cancelled = false;
            try {
                const auto interpolation = supportOf(method).interpolations.back(); // the slowest
                Workspace workspace;
                method.launch({.sinograms = sinograms,
                               .geometry = c.beam,
                               .grid = {c.grid, 0, 1, sinograms.slices},
                               .kernel = {.interpolation = interpolation},
                               .image = image,
                               .progress = stopAtFirstProgress,
                               .stop = source.get_token()},
                              workspace);
            } catch (const Error& error) {
                cancelled = error.kind() == ErrorKind::cancelled;
            }
            const auto end = std::chrono::steady_clock::now();
            QVERIFY(cancelled);
            const double milliseconds = std::chrono::duration<double, std::milli>(end - asked).count();
            qInfo("%s stopped after %.1f ms", method.id, milliseconds);
            QVERIFY(milliseconds < 500); // 100 on a machine with nothing else to do
        }
    }

    void badArguments()
    {
        Case c(8, evenly(3), 1, whole(8));
        const auto fails = [](const Case& bad) {
            for (const Method& method : methods()) {
                if (method.device != DeviceSettings::Kind::cpu)
                    continue;
                try {
                    bad.run(method, Interpolation::linear);
                    return false;
                } catch (const Error& error) {
                    if (error.kind() != ErrorKind::badRequest)
                        return false;
                }
            }
            return true;
        };
        QVERIFY(!fails(c));
        Case axes = c;
        axes.beam.axisBins = {3.5, 3.5};
        QVERIFY(fails(axes));
        Case lost = c;
        lost.beam.axisBins = {NAN};
        QVERIFY(fails(lost));
        Case angles = c;
        angles.beam.anglesRad[1] = INFINITY;
        QVERIFY(fails(angles));
        Case fewer = c;
        fewer.beam.anglesRad.pop_back();
        QVERIFY(fails(fewer));
    }

    void progressReachesTheEnd()
    {
        for (const Method& method : methods()) {
            if (method.device != DeviceSettings::Kind::cpu)
                continue;
            Case c(100, evenly(9), 3, whole(100));
            const auto& sinograms = method.filterPrecision == FilterPrecision::float64 ? c.twice : c.single;
            Volume image(3, 100, 100);
            double last = 0;
            Workspace workspace;
            const LaunchReport times =
                method.launch({.sinograms = sinograms,
                               .geometry = c.beam,
                               .grid = {c.grid, 0, 1, sinograms.slices},
                               .kernel = {.slicesPerPass = 2},
                               .threads = 1,
                               .image = image,
                               .progress = [&](double fraction) { last = std::max(last, fraction); }},
                              workspace);
            QCOMPARE(last, 1.0);
            QVERIFY(times.kernelSeconds > 0 && times.totalSeconds >= times.kernelSeconds);
        }
    }

    void benchmarkMeasures()
    {
        BenchmarkOptions options;
        options.size = 32;
        options.projections = 16;
        options.repeat = 2;
        int seen = 0;
        const auto rows = benchmarkMethods(options, [&](const BenchmarkRow&) { ++seen; });
        QCOMPARE(static_cast<std::size_t>(seen), rows.size());
        QVERIFY(rows.size() >= 5);
        for (const BenchmarkRow& row : rows) {
            QVERIFY(row.kernelGups > 0 && row.totalGups > 0 && row.totalGups <= row.kernelGups);
            QVERIFY(row.fastestKernelSeconds <= row.kernelSeconds && row.kernelSeconds <= row.slowestKernelSeconds);
        }
        options.methods = {"nonsense"};
        try {
            benchmarkMethods(options);
            QFAIL("accepted");
        } catch (const Error& error) {
            QVERIFY(error.kind() == ErrorKind::badRequest);
        }
    }
};

QTEST_GUILESS_MAIN(MethodsTest)
#include "methods_test.moc"
