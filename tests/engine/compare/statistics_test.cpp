// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of areas against values computed by hand; the noise estimate against the noise that was added to images
// and to scans.
#include "engine/compare/statistics.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/simulate/random.h"
#include "tests/fixtures.h"

using namespace engine;
using namespace fixtures;

namespace
{

Values normalNoise(int width, int height, double sigma, std::uint64_t seed)
{
    Random random(seed, {0});
    Values values(static_cast<std::size_t>(width) * height);
    for (float& value : values)
        value = static_cast<float>(sigma * random.normal());
    return values;
}

// Returns rings of densities 0 and 1, 40 pixels wide, on a slope; a fifth of the noise masks meet an edge.
double structureAt(int column, int row)
{
    return (static_cast<int>(std::hypot(column - 101.3, row - 89.8) / 40) % 2) + 0.03 * column - 0.02 * row;
}

Volume headWithPhotons(double photons, Window window)
{
    Simulation simulation;
    simulation.size = 256;
    simulation.projections = 300;
    simulation.photons = photons;
    Request request = requestFor(simulate(simulation));
    request.setting.filter.window = window;
    return Reconstructor().run(request).image;
}

} // namespace

class StatisticsTest : public QObject
{
    Q_OBJECT
  private slots:
    void byHand()
    {
        const std::vector<float> image = {1, 2, 3, 6, 100, 100};
        const AreaStatistics four = statisticsOf(image, 2, 3, {.region = Region{0, 0, 2, 2}});
        QCOMPARE(four.pixels, 4LL);
        QCOMPARE(four.notFinite, 0LL);
        QCOMPARE(four.mean, 3.0);
        QVERIFY(std::abs(four.deviation - std::sqrt(14.0 / 4)) < 1e-12);
        QCOMPARE(four.minimum, 1.0);
        QCOMPARE(four.maximum, 6.0);
        QVERIFY(std::isnan(four.noise)); // too small for a noise mask
    }

    void aLargeMeanTakesNoDigits()
    {
        Values image = normalNoise(50, 50, 1, 3);
        const double deviation = statisticsOf(image, 50, 50).deviation;
        for (float& value : image)
            value += 1 << 20; // floats near 2^20 are 1/8 apart: rounding adds noise of 0.036 to that of 1
        QVERIFY(std::abs(statisticsOf(image, 50, 50).deviation / deviation - 1) < 0.003);
    }

    void whatIsNotFiniteIsCounted()
    {
        std::vector<float> image(400, 2.0f);
        image[0] = notANumber;
        image[21] = std::numeric_limits<float>::infinity();
        const AreaStatistics statistics = statisticsOf(image, 20, 20);
        QCOMPARE(statistics.notFinite, 2LL);
        QCOMPARE(statistics.pixels, 400LL);
        QCOMPARE(statistics.mean, 2.0);
        QCOMPARE(statistics.deviation, 0.0);
        QCOMPARE(statistics.maximum, 2.0);
        QCOMPARE(statistics.noise, 0.0);
        const AreaStatistics none = statisticsOf(std::vector<float>(100, notANumber), 10, 10);
        QCOMPARE(none.notFinite, 100LL);
        for (const double figure : {none.mean, none.deviation, none.minimum, none.maximum, none.noise})
            QVERIFY(std::isnan(figure));
    }

    void mistakesAreSaid()
    {
        QVERIFY(fails(ErrorKind::badRequest, {"5 pixels", "2 × 2"}, [] { statisticsOf(std::vector<float>(5), 2, 2); }));
        QVERIFY(fails(ErrorKind::badRequest, {"no pixel"}, [] {
            statisticsOf(std::vector<float>(4), 2, 2, {.area = EllipseArea{9, 9, 1, 1}});
        }));
    }

    void whiteNoiseIsFound()
    {
        // The relative standard deviation of the estimate is about 1.2/√n for n pixels, as neighbouring masks are
        // correlated: 1.5 % is 3 σ and more here.
        const Values image = normalNoise(400, 300, 2.5, 1);
        for (const Mask& mask : {Mask{}, Mask{.area = EllipseArea{200, 150, 190, 140}},
                                 Mask{.area = PolygonArea{{{5, 5}, {390, 20}, {300, 290}, {40, 250}}}}}) {
            const AreaStatistics statistics = statisticsOf(image, 400, 300, mask);
            QVERIFY2(std::abs(statistics.noise / 2.5 - 1) < 0.015, std::to_string(statistics.noise).c_str());
            QVERIFY(std::abs(statistics.deviation / 2.5 - 1) < 0.01);
            QVERIFY(std::abs(statistics.mean) < 0.04);
        }
    }

    void planesAreNoNoise()
    {
        Values image(100 * 80);
        for (int row = 0; row < 80; ++row)
            for (int column = 0; column < 100; ++column)
                image[row * 100 + column] = static_cast<float>(column * 2 - row * 4);
        const AreaStatistics statistics = statisticsOf(image, 100, 80);
        QCOMPARE(statistics.noise, 0.0);
        QVERIFY(statistics.deviation > 50);
    }

    void edgesAreHardlyNoise()
    {
        const int size = 240;
        for (const double sigma : {0.05, 0.2}) {
            Values image = normalNoise(size, size, sigma, 2);
            for (int row = 0; row < size; ++row)
                for (int column = 0; column < size; ++column)
                    image[row * size + column] += static_cast<float>(structureAt(column, row));
            const AreaStatistics statistics = statisticsOf(image, size, size);
            QVERIFY(statistics.deviation > 2); // from the slope and the rings
            QVERIFY2(statistics.noise > 0.99 * sigma && statistics.noise < 1.35 * sigma,
                     std::to_string(statistics.noise / sigma).c_str());
        }
    }

    // The true noise is the difference of two reconstructions, with and without photon noise.
    void noiseOfReconstructions()
    {
        const int size = 256;
        for (const Window window : {Window::ramLak, Window::hann}) {
            const Volume clean = headWithPhotons(0, window), noisy = headWithPhotons(20000, window);
            Values noise(clean.values.size());
            for (std::size_t k = 0; k < noise.size(); ++k)
                noise[k] = noisy.values[k] - clean.values[k];
            const auto share = [&](const char* area) {
                const Mask mask{.area = areaFromText(area)};
                return statisticsOf(noisy.values, size, size, mask).noise /
                       statisticsOf(noise, size, size, mask).deviation;
            };
            const double even = share("ellipse 128,75,20,20"), edges = share("disc 0.9");
            QVERIFY2(even > 0.8 && even < 1.2, std::to_string(even).c_str());
            QVERIFY2(edges > 0.8 && edges < 1.5, std::to_string(edges).c_str());
        }
    }

    void contrastsToNoise()
    {
        AreaStatistics a, b;
        a.mean = 5;
        a.deviation = 3;
        b.mean = 1;
        b.deviation = 4;
        QVERIFY(std::abs(contrastToNoise(a, b) - 4 / std::sqrt(12.5)) < 1e-12);
        QCOMPARE(contrastToNoise(a, b), contrastToNoise(b, a));
        a.deviation = b.deviation = 0;
        QVERIFY(std::isinf(contrastToNoise(a, b)));
        QVERIFY(std::isnan(contrastToNoise(a, a)));
    }
};

SINOSCOPE_TEST(StatisticsTest, QCoreApplication)
#include "statistics_test.moc"
