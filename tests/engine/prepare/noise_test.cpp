// SPDX-License-Identifier: GPL-3.0-or-later
// Noise like that of projections: its strength is right beside edges that move, and projections are independent.
#include "engine/prepare/noise.h"
#include "engine/simulate/random.h"
#include "tests/fixtures.h"

#include <QTest>

using namespace engine;

namespace
{

// Returns projections of a disc that lies off the axis, with normal noise of that standard deviation.
Sinograms discWithNoise(double sigma)
{
    Sinograms made{1, 180, 256, Values(std::size_t{180} * 256)};
    Random random(3, {1});
    for (int projection = 0; projection < made.projections; ++projection)
        for (int bin = 0; bin < made.bins; ++bin) {
            const double middle = 128 + 60 * std::cos(projection * std::numbers::pi / 180), s = (bin - middle) / 40;
            made.values[static_cast<std::size_t>(projection) * made.bins + bin] =
                static_cast<float>(5 * std::sqrt(std::max(0.0, 1 - s * s)) + sigma * random.normal());
        }
    return made;
}

} // namespace

class NoiseTest : public QObject
{
    Q_OBJECT
  private slots:
    void strength()
    {
        for (const double sigma : {0.05, 0.5}) {
            const Sinograms noise = noiseOf(discWithNoise(sigma), fixtures::evenAngles(180));
            double squares = 0, products = 0;
            for (std::size_t k = 0; k < noise.values.size(); ++k) {
                squares += noise.values[k] * noise.values[k];
                if (k >= 256)
                    products += noise.values[k] * noise.values[k - 256];
            }
            const double found = std::sqrt(squares / static_cast<double>(noise.values.size()));
            QVERIFY2(std::abs(found / sigma - 1) < 0.1, qPrintable(QString::number(found / sigma)));
            QVERIFY(std::abs(products / squares) < 0.1); // neighbouring projections
        }
    }

    // The order of the projections doesn't matter: neighbours are found by their angles.
    void anglesInAnyOrder()
    {
        const Sinograms sorted = discWithNoise(0.1);
        const std::vector<double> angles = fixtures::evenAngles(180);
        Sinograms mixed = sorted;
        std::vector<double> mixedAngles(180);
        for (int k = 0; k < 180; ++k) {
            const int from = k * 77 % 180; // 77 and 180 have no common divisor
            mixedAngles[k] = angles[from];
            std::copy_n(sorted.values.begin() + from * 256, 256, mixed.values.begin() + k * 256);
        }
        const Sinograms one = noiseOf(sorted, angles), other = noiseOf(mixed, mixedAngles);
        for (int k = 0; k < 180; ++k)
            for (int bin = 0; bin < 256; ++bin)
                QCOMPARE(std::abs(other.values[static_cast<std::size_t>(k) * 256 + bin]),
                         std::abs(one.values[static_cast<std::size_t>(k * 77 % 180) * 256 + bin]));
    }
};

SINOSCOPE_TEST(NoiseTest, QCoreApplication)
#include "noise_test.moc"
