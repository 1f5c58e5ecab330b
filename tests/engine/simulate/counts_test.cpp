// SPDX-License-Identifier: GPL-3.0-or-later
// Simulated counts: transmission between darks and flats, Poisson noise, and rings from bins of unequal sensitivity.
#include "tests/engine/simulate/shepp_logan.h"

using namespace engine;
using namespace fixtures;
using namespace shepp_logan;
using std::numbers::pi;

class CountsTest : public QObject
{
    Q_OBJECT

  private slots:
    void countsComeFromTransmission()
    {
        Simulation simulation = lineIntegrals(Phantom::sheppLogan, 90, 7);
        const RawRows truth = simulate(simulation)->read({0, 1}, {});
        simulation.counts = true;
        const auto scan = simulate(simulation);
        const RawRows raw = scan->read({0, 1}, {});
        QCOMPARE(scan->quantity, Quantity::counts);
        QCOMPARE(raw.darkFrames, scan->darkFrames);
        QCOMPARE(raw.flatFrames, scan->flatFrames);
        QVERIFY(raw.darkFrames > 1 && raw.flatFrames > 1);
        QCOMPARE(raw.darks.size(), std::size_t(raw.darkFrames) * 90);
        double largest = 0;
        for (std::size_t i = 0; i < raw.data.size(); ++i) {
            const double p = -std::log((raw.data[i] - raw.darks[i % 90]) / (raw.flats[i % 90] - raw.darks[i % 90]));
            largest = std::max(largest, std::isnan(p) ? INFINITY : std::abs(p - truth.data[i]));
        }
        QVERIFY2(largest < 1e-5, qPrintable(QString::number(largest)));
    }

    void noiseIsPoisson_data()
    {
        QTest::addColumn<double>("photons");
        QTest::newRow("3") << 3.0;
        QTest::newRow("12") << 12.0;
        QTest::newRow("1000") << 1000.0;
        QTest::newRow("1e6") << 1e6;
    }

    void noiseIsPoisson()
    {
        QFETCH(double, photons);
        Simulation simulation;
        simulation.phantom = Phantom::disc;
        simulation.size = 400;
        simulation.projections = 500;
        simulation.photons = photons;
        const RawRows raw = simulate(simulation)->read({0, 1}, {});
        // Only the outer 10 % of the bins are in air.
        double count = 0, mean = 0, square = 0, cube = 0;
        for (int projection = 0; projection < 500; ++projection)
            for (int bin = 0; bin < 36; ++bin)
                mean += raw.data[projection * 400 + bin] - 100, ++count;
        mean /= count;
        for (int projection = 0; projection < 500; ++projection)
            for (int bin = 0; bin < 36; ++bin) {
                const double d = raw.data[projection * 400 + bin] - 100 - mean;
                square += d * d / count;
                cube += d * d * d / count;
            }
        // Mean, variance and third moment of a Poisson distribution are equal; bounds of five deviations.
        QVERIFY(std::abs(mean - photons) < 5 * std::sqrt(photons / count));
        QVERIFY(std::abs(square / photons - 1) < 5 * std::sqrt((2 + 1 / photons) / count));
        QVERIFY(std::abs(cube - photons) <
                5 * std::sqrt((15 * std::pow(photons, 3) + 100 * photons * photons) / count));
    }

    void ringsAreFixedPerBin()
    {
        Simulation simulation = lineIntegrals(Phantom::disc, 2000, 3);
        const RawRows clean = simulate(simulation)->read({0, 1}, {});
        simulation.rings = .05;
        const RawRows rings = simulate(simulation)->read({0, 1}, {});
        double square = 0, change = 0;
        for (int bin = 0; bin < 2000; ++bin) {
            const double gain = std::exp(clean.data[bin] - rings.data[bin]);
            square += (gain - 1) * (gain - 1) / 2000;
            change = std::max(change, std::abs(double(rings.data[2000 + bin]) - clean.data[2000 + bin] -
                                               rings.data[bin] + clean.data[bin]));
        }
        QVERIFY(change < 1e-5);
        QVERIFY(std::abs(std::sqrt(square) / .05 - 1) < .1);
        simulation.counts = true; // the flat does not contain the rings
        const RawRows counts = simulate(simulation)->read({0, 1}, {});
        QCOMPARE(*std::min_element(counts.flats.begin(), counts.flats.end()),
                 *std::max_element(counts.flats.begin(), counts.flats.end()));
    }
};

SINOSCOPE_TEST(CountsTest, QCoreApplication)
#include "counts_test.moc"
