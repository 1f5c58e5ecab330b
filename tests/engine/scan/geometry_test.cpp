// SPDX-License-Identifier: GPL-3.0-or-later
// Angular weights and the conversions of axis positions.
#include "engine/scan/geometry.h"
#include "tests/test_program.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

using namespace engine;
using std::numbers::pi;

namespace
{

double sum(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0);
}

std::vector<double> evenly(int count, double arc, bool bothEnds)
{
    std::vector<double> angles;
    for (int k = 0; k < count; ++k)
        angles.push_back(arc * k / (bothEnds ? count - 1 : count));
    return angles;
}

double largestExcess(const std::vector<double>& weights, double expected)
{
    double error = 0;
    for (const double weight : weights)
        error = std::max(error, std::abs(weight / expected - 1));
    return weights.empty() ? NAN : error;
}

} // namespace

class GeometryTest : public QObject
{
    Q_OBJECT
  private slots:
    void evenAnglesWeighTheSame()
    {
        for (const int count : {2, 3, 7, 180, 805}) {
            QVERIFY(largestExcess(angularWeights(evenly(count, pi, false)), pi / (2 * count)) < 1e-12);
            QVERIFY(largestExcess(angularWeights(evenly(count, -pi, false)), pi / (2 * count)) < 1e-12);
        }
        // Over 360°, an even number N of angles sees N/2 directions twice, and an odd number N of angles sees N
        // directions once.
        for (const int count : {4, 7, 360, 361})
            QVERIFY(largestExcess(angularWeights(evenly(count, 2 * pi, false)), pi / (2 * count)) < 1e-9);
    }

    void bothEndsShareADirection()
    {
        const auto half = angularWeights(evenly(181, pi, true)); // 0° … 180°, 180 directions
        QVERIFY(std::abs(half.front() - pi / 720) < 1e-12);
        QVERIFY(std::abs(half.back() - pi / 720) < 1e-12);
        QVERIFY(largestExcess({half.begin() + 1, half.end() - 1}, pi / 360) < 1e-9);
        QVERIFY(std::abs(sum(half) - pi / 2) < 1e-12);

        // 0° … 360°: the direction of 0°, 180° and 360° is seen three times.
        const auto full = angularWeights(evenly(361, 2 * pi, true));
        for (const int k : {0, 180, 360})
            QVERIFY(std::abs(full[k] - pi / 360 / 3) < 1e-12);
        QVERIFY(std::abs(full[1] - pi / 360 / 2) < 1e-12);
        QVERIFY(std::abs(sum(full) - pi / 2) < 1e-12);
    }

    void anyOrderGivesTheSameWeights()
    {
        std::mt19937 generator(3);
        std::uniform_real_distribution<double> uniform(0, pi);
        std::vector<double> angles(400);
        for (double& angle : angles)
            angle = uniform(generator);
        const auto weights = angularWeights(angles);
        QVERIFY(std::all_of(weights.begin(), weights.end(), [](double weight) { return weight > 0; }));
        std::vector<double> reversed(angles.rbegin(), angles.rend());
        auto backwards = angularWeights(reversed);
        std::reverse(backwards.begin(), backwards.end());
        for (std::size_t k = 0; k < weights.size(); ++k)
            QVERIFY(std::abs(backwards[k] - weights[k]) < 1e-12);
        QVERIFY(std::abs(sum(weights) - pi / 2) < 1e-12);
    }

    // Random angles leave wide gaps that are not missing wedges: their weights fill the half circle.
    void randomAnglesFillTheHalfCircle()
    {
        std::mt19937 generator(7);
        std::uniform_real_distribution<double> uniform(-pi, 2 * pi);
        for (const int count : {2, 3, 5, 6, 7, 8, 10, 14, 20, 30, 50, 75, 100, 200, 402, 1000, 2000}) {
            const int sets = count > 200 ? 200 : 1000;
            int wedges = 0;
            for (int set = 0; set < sets; ++set) {
                std::vector<double> angles(count);
                for (double& angle : angles)
                    angle = uniform(generator);
                const AngularSampling sampling = angularSampling(angles);
                if (sampling.missingWedges.empty())
                    QVERIFY(std::abs(sum(sampling.weights) - pi / 2) < 1e-9);
                else
                    ++wedges;
                QVERIFY(sampling.uneven || count < 20);
            }
            // About one set in a hundred of few random angles looks like a limited arc.
            if (!(wedges <= (count < 6 || count >= 200 ? 0 : sets / 50)))
                QFAIL(qPrintable(QString("%1 angles: %2 wedges in %3 sets").arg(count).arg(wedges).arg(sets)));
        }
    }

    void lostProjectionsAreNoWedge()
    {
        std::vector<double> angles = evenly(402, pi, false);
        angles.erase(angles.begin() + 100, angles.begin() + 105);
        const AngularSampling sampling = angularSampling(angles);
        QVERIFY(sampling.missingWedges.empty());
        QVERIFY(sampling.uneven);
        QVERIFY(std::abs(sum(sampling.weights) - pi / 2) < 1e-12);
        QVERIFY(std::abs(sampling.weights[99] - 7 * pi / 402 / 4) < 1e-12);
        QVERIFY(std::abs(sampling.weights[98] - pi / 804) < 1e-12);
        QVERIFY(std::abs(sampling.leastStepRad - pi / 402) < 1e-12);
        QVERIFY(std::abs(sampling.mostStepRad - 6 * pi / 402) < 1e-12);
    }

    void unevenAnglesFillTheHalfCircle()
    {
        // Steps of 1° and 2°: every gap has its full weight.
        std::vector<double> angles;
        for (int degree = 0; degree < 90; ++degree)
            angles.push_back(degree * pi / 180);
        for (int degree = 90; degree < 180; degree += 2)
            angles.push_back(degree * pi / 180);
        const auto weights = angularWeights(angles);
        QVERIFY(std::abs(sum(weights) - pi / 2) < 1e-12);
        QVERIFY(std::abs(weights[45] - pi / 360) < 1e-12);
        QVERIFY(std::abs(weights[100] - pi / 180) < 1e-12);
        QVERIFY(angularSampling(angles).uneven);

        // Steps of 0.25° and 1°: the larger one is four times the median of all gaps.
        angles.clear();
        for (int quarter = 0; quarter < 360; ++quarter)
            angles.push_back(quarter * pi / 720);
        for (int degree = 90; degree < 180; ++degree)
            angles.push_back(degree * pi / 180);
        const AngularSampling sampling = angularSampling(angles);
        QVERIFY(std::abs(sum(sampling.weights) - pi / 2) < 1e-12);
        QVERIFY(std::abs(sampling.weights[400] - pi / 360) < 1e-12);
        QVERIFY(sampling.uneven && sampling.missingWedges.empty());
    }

    void aMissingWedgeIsNotCredited()
    {
        std::vector<double> angles;
        for (int degree = -60; degree <= 60; ++degree)
            angles.push_back(degree * pi / 180);
        QVERIFY(largestExcess(angularWeights(angles), pi / 360) < 1e-9);
        const AngularSampling sampling = angularSampling(angles);
        QVERIFY(!sampling.uneven);
        QCOMPARE(sampling.missingWedges.size(), std::size_t(1));
        QVERIFY(std::abs(sampling.missingWedges[0].fromRad - pi / 3) < 1e-9); // 60°, in the scan's own angles
        QVERIFY(std::abs(sampling.missingWedges[0].widthRad - pi / 3) < 1e-9);
    }

    // Limited arcs of many and few angles, with both ends and without, in any order, from any first angle, slightly
    // irregular, measured twice, and with a changing step.
    void everyLimitedArcIsAWedge()
    {
        std::mt19937 generator(5);
        std::uniform_real_distribution<double> uniform(-1, 1);
        for (const double arc : {pi * 2 / 3, pi * 5 / 6})
            for (const int count : {10, 11, 15, 20, 33, 60, 101, 402, 2000})
                for (const bool bothEnds : {false, true})
                    for (const double turned : {0.0, 1.0, -2.0, pi / 2, 9.0}) {
                        std::vector<double> angles = evenly(count, arc, bothEnds);
                        const double step = angles[1] - angles[0];
                        for (double& angle : angles)
                            angle += turned + 0.01 * step * uniform(generator);
                        if (count == 33) // the second half of 360°
                            for (int k = 0; k < count; ++k)
                                angles.push_back(angles[k] + pi);
                        std::shuffle(angles.begin(), angles.end(), generator);
                        const AngularSampling sampling = angularSampling(angles);
                        QCOMPARE(sampling.missingWedges.size(), std::size_t(1));
                        const double width = pi - (count - 1) * step;
                        QVERIFY(std::abs(sampling.missingWedges[0].widthRad - width) < 0.03 * step);
                        const double from = sampling.missingWedges[0].fromRad - turned - (count - 1) * step;
                        QVERIFY(std::abs(std::remainder(from, pi)) < 0.02 * step);
                        QVERIFY(std::find(angles.begin(), angles.end(), sampling.missingWedges[0].fromRad) !=
                                angles.end());
                        QVERIFY(!sampling.uneven);
                        const double each = step / 2 / (count == 33 ? 2 : 1);
                        QVERIFY(largestExcess(sampling.weights, each) < 0.03);
                    }
        // 0 to 60° by 0.5°, then to 120° by 2°: projections beside the wedge are weighted by their own step.
        std::vector<double> angles;
        for (int k = 0; k < 120; ++k)
            angles.push_back(k * pi / 360);
        for (int k = 0; k <= 30; ++k)
            angles.push_back(pi / 3 + k * pi / 90);
        const AngularSampling sampling = angularSampling(angles);
        QCOMPARE(sampling.missingWedges.size(), std::size_t(1));
        QVERIFY(std::abs(sampling.weights.front() - pi / 720) < 1e-12);
        QVERIFY(std::abs(sampling.weights.back() - pi / 180) < 1e-12);
        QVERIFY(sampling.uneven);
        // Six angles, the fewest that show a wedge.
        QCOMPARE(angularSampling(evenly(6, pi * 2 / 3, true)).missingWedges.size(), std::size_t(1));
        QVERIFY(angularSampling(evenly(5, pi / 2, true)).missingWedges.empty());
        // Two wedges: 0 to 60° and 90 to 150° are covered.
        angles.clear();
        for (int k = 0; k <= 60; ++k)
            angles.insert(angles.end(), {k * pi / 180, (90 + k) * pi / 180});
        QCOMPARE(angularSampling(angles).missingWedges.size(), std::size_t(2));
        QVERIFY(largestExcess(angularWeights(angles), pi / 360) < 1e-9);
        // Random angles between 0 and 120°.
        std::vector<double> random(402);
        for (double& angle : random)
            angle = pi / 3 * (1 + uniform(generator));
        QCOMPARE(angularSampling(random).missingWedges.size(), std::size_t(1));
        QVERIFY(sum(angularWeights(random)) < 0.35 * pi);
    }

    void evenAnglesAreEven()
    {
        for (const int count : {1, 2, 3, 5, 6, 7, 9, 10, 36, 180, 181, 402, 805, 2000})
            for (const double arc : {pi, 2 * pi, -pi, -2 * pi, 3 * pi})
                for (const bool bothEnds : {false, true}) {
                    const AngularSampling sampling = angularSampling(evenly(count, arc, bothEnds && count > 1));
                    QVERIFY(!sampling.uneven);
                    QVERIFY(sampling.missingWedges.empty());
                    QVERIFY(std::abs(sum(sampling.weights) - pi / 2) < 1e-9);
                }
        // Golden angles: the gaps have at most three different widths.
        for (const int count : {6, 7, 12, 13, 20, 54, 88, 89, 376, 987}) {
            std::vector<double> angles(count);
            for (int k = 0; k < count; ++k)
                angles[k] = k * pi * (std::sqrt(5.0) - 1) / 2;
            const AngularSampling sampling = angularSampling(angles);
            QVERIFY(sampling.missingWedges.empty());
            QVERIFY(std::abs(sum(sampling.weights) - pi / 2) < 1e-9);
        }
    }

    void fewAngles()
    {
        QVERIFY(angularWeights({}).empty());
        QCOMPARE(angularWeights({1.0}), std::vector<double>{pi / 2});
        const auto same = angularWeights({0.0, pi, 2 * pi});
        QVERIFY(largestExcess(same, pi / 6) < 1e-9);
    }
};

SINOSCOPE_TEST(GeometryTest, QCoreApplication)
#include "geometry_test.moc"
