// SPDX-License-Identifier: GPL-3.0-or-later
// The sums of `double` equal those of `exact` if neither is rounded to floats, and the method is used only when it is
// requested by name.
#include "tests/engine/backends/noise.h"

using namespace fixtures;
using namespace noise;
using std::numbers::pi;

namespace
{

// Returns the largest difference, relative to the largest value; infinite when one of the values isn't finite.
double largestError(const std::vector<double>& values, const std::vector<double>& exact)
{
    double largest = 0;
    for (const double value : exact)
        largest = std::max(largest, std::abs(value));
    const double difference = largestDifference(values, exact);
    return difference == 0 ? 0 : difference / largest;
}

} // namespace

class DoubleTest : public QObject
{
    Q_OBJECT

  private slots:
    void doubleIsExact_data() { addTargets(); }

    // The sums of `double` equal those of `exact` if neither is rounded to floats. The cases are all sizes up to more
    // than a tile; random data, angles and axes; one axis for all projections or one per projection; rays along and
    // across the pixels and at 45°, where ties decide between two bins.
    void doubleIsExact()
    {
        QFETCH(QString, target);
        const ForcedTarget forced(target.toStdString());
        std::mt19937 generator(31);
        std::uniform_real_distribution<double> uniform(-1, 1);
        for (int size = 1; size <= 70; size += sanitized ? 3 : 1) {
            std::vector<double> angles = {0, pi / 2, pi / 4, 3 * pi / 4, pi, -pi / 2, 2 * pi};
            const int count = 1 + size * 7 % 40; // complete and partial blocks of 16
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
                const std::vector<double> exact = sumsOf(c, exactSums, {.precision = precision});
                const double difference = largestError(sumsOf(c, doubleSums, {.precision = precision}), exact);
                if (!(difference <= 1e-12))
                    QFAIL(qPrintable(QString("%1², %2 projections: %3").arg(size).arg(count).arg(difference)));
            }
        }
    }

    void doubleOnAnyGrid_data() { addTargets(); }

    // Regions, previews, images wider and far wider than the detector, pixels smaller than bins, and an image far
    // from the axis.
    void doubleOnAnyGrid()
    {
        QFETCH(QString, target);
        const ForcedTarget forced(target.toStdString());
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
            Case c(place.bins, evenAngles(31, 2 * pi), 2, place.grid);
            c.beam.axisBins.clear();
            for (int p = 0; p < 31; ++p)
                c.beam.axisBins.push_back((place.bins - 1) / 2.0 + 0.1 * (p - 13));
            const double difference = largestError(sumsOf(c, doubleSums), sumsOf(c, exactSums));
            if (!(difference <= 1e-12))
                QFAIL(qPrintable(QString("%1 bins, step %2: %3").arg(place.bins).arg(place.grid.step).arg(difference)));
        }
        Case c(150, evenAngles(40), 2, whole(150));
        const std::vector<double> one = sumsOf(c, doubleSums, {}, 1);
        for (const int threads : {0, 2, 7})
            QVERIFY(sumsOf(c, doubleSums, {}, threads) == one);
    }

    void doubleTakesAnyValues_data() { addTargets(); }

    // A NaN or infinite bin reaches the pixels whose rays meet it, and no other pixels; values of any magnitude give
    // correct results.
    void doubleTakesAnyValues()
    {
        QFETCH(QString, target);
        const ForcedTarget forced(target.toStdString());
        const int size = 70, projection = 3, bin = 31;
        for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
            for (const double step : {1.0, 2.0}) {
                Case c(size, evenAngles(21), 1, {size, 0, 0, 60, 60, step});
                c.beam.axisBins = {33.3};
                std::get<engine::Buffer<double>>(c.twice.values)[projection * size + bin] = bad;
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
            Case c(33, evenAngles(20), 1, whole(33));
            for (double& value : std::get<engine::Buffer<double>>(c.twice.values))
                value *= factor;
            QVERIFY(largestError(sumsOf(c, doubleSums), sumsOf(c, exactSums)) <= 1e-12);
        }
        Case c(33, evenAngles(20), 1, whole(33));
        for (double& value : std::get<engine::Buffer<double>>(c.twice.values))
            value = std::numeric_limits<double>::quiet_NaN();
        const std::vector<double> sums = sumsOf(c, doubleSums);
        QVERIFY(std::isnan(sums[16 * 33 + 16]));
    }

    void doubleIsTakenOnlyByName()
    {
        auto scan = std::make_shared<Scan>();
        ParallelBeam beam;
        beam.bins = 8;
        beam.anglesRad = {0.0, 0.5, 1.0};
        scan->geometry = beam;
        scan->rows = 8;
        Request request = requestFor(scan);
        for (const Interpolation interpolation : allInterpolations) {
            request.setting.kernel.interpolation = interpolation;
            request.setting.kernel.method = "auto";
            QCOMPARE(std::string(methodFor(request).id), std::string("cpu"));
            request.setting.kernel.method = "double";
            if (interpolation == Interpolation::linear) {
                QCOMPARE(&methodFor(request), findMethod("double"));
                continue;
            }
            QVERIFY(fails(ErrorKind::badRequest, {"`exact`"}, [&] { methodFor(request); }));
            Case c(8, evenAngles(3), 1, whole(8));
            QVERIFY(fails(ErrorKind::badRequest, [&] { c.run(*findMethod("double"), interpolation); }));
        }
        QVERIFY(!findMethod("double")->rank);
    }
};

SINOSCOPE_TEST(DoubleTest, QCoreApplication)
#include "double_test.moc"
