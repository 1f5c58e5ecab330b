// SPDX-License-Identifier: GPL-3.0-or-later
// `cpu` against `exact`, with the kernels of every instruction set that this processor has.
#include "tests/engine/backends/noise.h"

#include <atomic>
#include <thread>

using namespace fixtures;
using namespace noise;
using std::numbers::pi;

class CpuTest : public QObject
{
    Q_OBJECT

  private slots:
    void everyInstructionSet_data() { addTargets(); }

    // The kernels of each instruction set that this processor has: rays along and across the pixels, at 45° and at
    // other angles; an axis off the middle and one outside the detector; pixels beyond the detector; odd sizes.
    void everyInstructionSet()
    {
        QFETCH(QString, target);
        const ForcedTarget forced(target.toStdString());
        std::vector<double> angles = {0, pi / 4, pi / 2, 3 * pi / 4, pi, -pi / 2, 2 * pi};
        std::mt19937 generator(9);
        std::uniform_real_distribution<double> uniform(0, 2 * pi);
        for (int k = 0; k < 12; ++k) // more than one block of 16 in total
            angles.push_back(uniform(generator));
        const struct {
            SliceGrid grid;
            double axis;
        } places[] = {{whole(sanitized ? 23 : 45), 22.3},
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
                    for (const int slices : sanitized ? std::vector{1, 64} : std::vector{1, 8, 16, 32, 64}) {
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

    // Launches at the same time, each with an instruction set of its own: each gives the bits that it gives alone.
    void setsAtTheSameTime()
    {
        const std::vector<std::string> sets = processorTargets();
        if (sets.size() < 2)
            QSKIP("this processor has a single instruction set");
        Case c(67, {0, 0.3, 1.1, 1.9, 2.7}, 3, whole(67));
        const auto imageWith = [&](const std::string& set) {
            const ForcedTarget forced(set);
            return c.run(*findMethod("cpu"), Interpolation::linear, Precision::single, 1, 0, 1);
        };
        std::vector<Volume> alone;
        for (const std::string& set : sets)
            alone.push_back(imageWith(set));
        QVERIFY(std::ranges::any_of(alone, [&](const Volume& image) { return image.values != alone[0].values; }));
        std::atomic<int> wrong = 0;
        std::vector<std::jthread> threads;
        for (std::size_t k = 0; k < sets.size(); ++k)
            threads.emplace_back([&, k] {
                for (int again = 0; again < 200; ++again)
                    wrong += imageWith(sets[k]).values != alone[k].values;
            });
        threads.clear(); // joins
        QCOMPARE(wrong.load(), 0);
    }

    void stepsOnAnyPlace_data() { addTargets(); }

    // The positions in one slice are computed for a whole tile together, with nearest and oversampled interpolation.
    // The cases are edges of tiles and of their regions; rays along and across the pixels and at 45°; and the tile's
    // middle on the detector, at its ends and far from it.
    void stepsOnAnyPlace()
    {
        QFETCH(QString, target);
        const ForcedTarget forced(target.toStdString());
        std::vector<double> angles = {0, pi / 4, pi / 2, 3 * pi / 4, pi};
        std::mt19937 generator(23);
        std::uniform_real_distribution<double> uniform(0, 2 * pi);
        for (int k = 0; k < 14; ++k) // more projections than a block of 16
            angles.push_back(uniform(generator));
        for (const int bins : sanitized ? std::vector{1, 130} : std::vector{1, 17, 64, 129, 512})
            for (const double axis : {(bins - 1) / 2.0 + 0.137, -61.37, bins + 44.63, bins + 300.13}) {
                Case c(bins, angles, 1, whole(std::max(bins, 17)));
                if (bins == 512) // so that the test takes only seconds
                    c.grid = {512, 0, 190, 512, 129, 1};
                c.beam.axisBins = {axis};
                for (const auto& [interpolation, steps] :
                     {std::pair(Interpolation::nearest, 4), std::pair(Interpolation::oversampled, 1),
                      std::pair(Interpolation::oversampled, 2), std::pair(Interpolation::oversampled, 3),
                      std::pair(Interpolation::oversampled, 4), std::pair(Interpolation::oversampled, 5)})
                    for (const Precision precision : {Precision::single, Precision::half}) {
                        const Volume exact = c.run(*findMethod("exact"), interpolation, precision, 1, 0, steps);
                        const Volume image = c.run(*findMethod("cpu"), interpolation, precision, 1, 0, steps);
                        // About one position in 10⁷ is nearer to a tie than fixed-point numbers can resolve.
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

    void notFiniteStaysWhereItIs_data() { addTargets(); }

    // A NaN or infinite bin reaches the pixels whose rays meet it, and no other pixel or slice.
    void notFiniteStaysWhereItIs()
    {
        QFETCH(QString, target);
        const ForcedTarget forced(target.toStdString());
        const int size = sanitized ? 48 : 70, slices = 17, slice = 4, projection = 3, bin = 31;
        for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
            Case c(size, evenAngles(21), slices, whole(size));
            c.beam.axisBins = {33.3};
            auto& values = std::get<engine::Values>(c.single.values);
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

    // Regions, previews, axis per projection, and images wider than the detector.
    void cpuOnAnyGrid()
    {
        const SliceGrid grids[] = {{200, 37, 120, 70, 33, 1},
                                   {200, 0, 0, 50, 50, 4},
                                   {300, 0, 0, 10, 10, 33.0},
                                   {200, -20.5, 13.25, 90, 20, 0.5}};
        for (const SliceGrid& grid : grids) {
            Case c(101, evenAngles(31, 2 * pi), 18, grid);
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

    // The error must not grow with the size of the image.
    void cpuFarFromTheAxis()
    {
        const SliceGrid corner{16384, 2390, 2390, 64, 64, 1};
        Case c(16384, evenAngles(61), 1, corner);
        for (const Interpolation interpolation : allInterpolations)
            QVERIFY(relativeError(c.run(*findMethod("cpu"), interpolation),
                                  c.run(*findMethod("exact"), interpolation)) < 1e-5);
    }

    // At 0°, 45° and 90° with the axis in the middle, whole lines of pixels lie on the edge between two bins. These
    // pixels get either of the two bins, all other pixels the bin that `exact` uses.
    void tiesAreEitherSide()
    {
        const double angles[] = {0, pi / 4, pi / 2, 3 * pi / 4, pi, pi / 3, pi / 6};
        for (const double angle : angles)
            for (const int size : sanitized ? std::vector{63, 64} : std::vector{63, 64, 257})
                for (const int oversampling : sanitized ? std::vector{1, 3, 4} : std::vector{1, 2, 3, 4, 7})
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
        Case c(sanitized ? 70 : 150, evenAngles(40), 19, whole(sanitized ? 70 : 150));
        for (const Interpolation interpolation : allInterpolations)
            for (const Precision precision : {Precision::single, Precision::half})
                for (const int slices : {1, 16}) {
                    const Volume one = c.run(*findMethod("cpu"), interpolation, precision, slices, 1);
                    for (const int threads : {0, 2, 7})
                        QVERIFY(c.run(*findMethod("cpu"), interpolation, precision, slices, threads).values ==
                                one.values);
                }
    }
};

SINOSCOPE_TEST(CpuTest, QCoreApplication)
#include "cpu_test.moc"
