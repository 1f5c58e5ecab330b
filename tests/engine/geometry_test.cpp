// Angular weights and the conversions of axis positions.
#include "engine/scan/geometry.h"

#include <QTest>

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

double largestError(const std::vector<double>& weights, double expected)
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
    void axisConversions()
    {
        // The middle of 640 bins: 319.5 here, 320 for tomopy and skimage.
        QCOMPARE(axisFromTomopy(320), 319.5);
        QCOMPARE(axisToTomopy(319.5), 320.0);
        QCOMPARE(axisFromSkimage(320, 640), 319.5);
        QCOMPARE(axisFromSkimage(320, 641), 320.0);
    }

    void evenAnglesWeighTheSame()
    {
        for (const int count : {2, 3, 7, 180, 805}) {
            QVERIFY(largestError(angularWeights(evenly(count, pi, false)), pi / (2 * count)) < 1e-12);
            QVERIFY(largestError(angularWeights(evenly(count, -pi, false)), pi / (2 * count)) < 1e-12);
        }
        // An even number over 360° sees each direction twice, an odd number 2·N directions once.
        for (const int count : {4, 7, 360, 361})
            QVERIFY(largestError(angularWeights(evenly(count, 2 * pi, false)), pi / (2 * count)) < 1e-9);
    }

    void bothEndsShareADirection()
    {
        const auto half = angularWeights(evenly(181, pi, true)); // 0° … 180°, 180 directions
        QVERIFY(std::abs(half.front() - pi / 720) < 1e-12);
        QVERIFY(std::abs(half.back() - pi / 720) < 1e-12);
        QVERIFY(largestError({half.begin() + 1, half.end() - 1}, pi / 360) < 1e-9);
        QVERIFY(std::abs(sum(half) - pi / 2) < 1e-12);

        // 0° … 360°: the directions 0° and 180° are seen three times, 0°, 180° and 360°.
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
        // Wide random gaps are cut, so that a little of the half circle is missing, never more than it.
        QVERIFY(sum(weights) < pi / 2 + 1e-12);
        QVERIFY(sum(weights) > 0.6 * pi / 2);
    }

    void unevenAnglesFillTheHalfCircle()
    {
        // Steps of 1° and 2°: every gap counts in full.
        std::vector<double> angles;
        for (int degree = 0; degree < 90; ++degree)
            angles.push_back(degree * pi / 180);
        for (int degree = 90; degree < 180; degree += 2)
            angles.push_back(degree * pi / 180);
        const auto weights = angularWeights(angles);
        QVERIFY(std::abs(sum(weights) - pi / 2) < 1e-12);
        QVERIFY(std::abs(weights[45] - pi / 360) < 1e-12);
        QVERIFY(std::abs(weights[100] - pi / 180) < 1e-12);
    }

    void aMissingWedgeIsNotCredited()
    {
        std::vector<double> angles;
        for (int degree = -60; degree <= 60; ++degree)
            angles.push_back(degree * pi / 180);
        QVERIFY(largestError(angularWeights(angles), pi / 360) < 1e-9);
    }

    void fewAngles()
    {
        QVERIFY(angularWeights({}).empty());
        QCOMPARE(angularWeights({1.0}), std::vector<double>{pi / 2});
        const auto same = angularWeights({0.0, pi, 2 * pi});
        QVERIFY(largestError(same, pi / 6) < 1e-9);
    }
};

QTEST_GUILESS_MAIN(GeometryTest)
#include "geometry_test.moc"
