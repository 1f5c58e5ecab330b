// SPDX-License-Identifier: GPL-3.0-or-later
// Simulated projections against formulas, and against sums over the exact images.
#include "tests/engine/simulate/shepp_logan.h"

using namespace engine;
using namespace fixtures;
using namespace shepp_logan;
using std::numbers::pi;

namespace
{

// The parallel rays of one direction, with the integral along each ray
class Rays
{
  public:
    Rays(double angle, bool original)
    {
        for (const TableRow& e : table) {
            const double turned = angle - e.angleDeg * pi / 180;
            const double r2 = std::pow(e.a * std::cos(turned), 2) + std::pow(e.b * std::sin(turned), 2);
            m_shadows.push_back({e.x * std::cos(angle) + e.y * std::sin(angle), r2,
                                 2 * (original ? e.original : e.modified) * e.a * e.b / r2});
        }
    }
    double integral(double t) const
    {
        double sum = 0;
        for (const Shadow& e : m_shadows)
            if (const double s = t - e.middle; s * s < e.r2)
                sum += e.scale * std::sqrt(e.r2 - s * s);
        return sum;
    }

  private:
    struct Shadow {
        double middle, r2, scale;
    };
    std::vector<Shadow> m_shadows;
};

} // namespace

class ProjectionsTest : public QObject
{
    Q_OBJECT

  private slots:
    void projectionsFollowTheFormula_data()
    {
        QTest::addColumn<bool>("original");
        QTest::addColumn<double>("offset");
        QTest::addColumn<Sampling>("sampling");
        QTest::newRow("modified") << false << 0.0 << Sampling::binMean;
        QTest::newRow("original, axis off the middle") << true << 7.3 << Sampling::binMean;
        QTest::newRow("modified, rays") << false << 0.0 << Sampling::ray;
        QTest::newRow("original, rays, axis off the middle") << true << 7.3 << Sampling::ray;
    }

    void projectionsFollowTheFormula()
    {
        QFETCH(bool, original);
        QFETCH(double, offset);
        QFETCH(Sampling, sampling);
        const int size = 65, projections = 9;
        Simulation simulation =
            lineIntegrals(original ? Phantom::sheppLoganOriginal : Phantom::sheppLogan, size, projections);
        simulation.axisOffsetBins = offset;
        simulation.attenuation = .02;
        simulation.sampling = sampling;
        const RawRows raw = simulate(simulation)->read({0, 1}, {});
        // The mean over a bin by the midpoint rule, with enough parts for the square root at the edges; a single part
        // is the ray through the bin's centre.
        const int parts = sampling == Sampling::ray ? 1 : 4000;
        double largest = 0;
        for (int i = 0; i < projections; ++i) {
            const Rays rays(pi * i / projections, original);
            for (int bin = 0; bin < size; ++bin) {
                double mean = 0;
                for (int k = 0; k < parts; ++k) {
                    const double t = bin - 32 - offset + (k + .5) / parts - .5;
                    mean += rays.integral(t * 2 / size) / parts;
                }
                const double expected = mean * size / 2 * .02;
                const double difference = std::abs(raw.data[i * size + bin] - expected);
                largest = std::max(largest, std::isnan(difference) ? INFINITY : difference);
            }
        }
        QVERIFY2(largest < 2e-6, qPrintable(QString::number(largest)));
    }

    void projectionsAreSumsOfTheImage_data()
    {
        QTest::addColumn<int>("phantom");
        for (Phantom phantom : phantoms())
            QTest::newRow(toText(phantom).c_str()) << static_cast<int>(phantom);
    }

    // Along the axes, bin means are sums of columns (0°: t = x) or of rows counted from the bottom (90°: t = y).
    void projectionsAreSumsOfTheImage()
    {
        QFETCH(int, phantom);
        const int size = 200;
        Simulation simulation = lineIntegrals(static_cast<Phantom>(phantom), size, 2);
        const auto scan = simulate(simulation);
        const RawRows raw = scan->read({0, 1}, {});
        const Volume image = scan->exactImage(0, whole(size));
        double largest = 0, highest = 0;
        for (int k = 0; k < size; ++k) {
            double column = 0, row = 0;
            for (int i = 0; i < size; ++i) {
                column += image.values[i * size + k];
                row += image.values[(size - 1 - k) * size + i];
            }
            largest = std::max({largest, std::abs(raw.data[k] - column), std::abs(raw.data[size + k] - row)});
            highest = std::max(highest, column);
        }
        QVERIFY2(highest > .1, qPrintable(QString::number(highest)));
        QVERIFY2(largest < 1e-5 * highest, qPrintable(QString("%1 of %2").arg(largest).arg(highest)));
        QVERIFY(std::abs(sum({raw.data.floats().data(), size}) / sum(image.values) - 1) < 1e-6);
    }

    void obliqueProjectionIsTheLineIntegralOfTheImage()
    {
        const int size = 256, projections = 12, chosen = 2; // 30°
        const auto scan = simulate(lineIntegrals(Phantom::sheppLogan, size, projections));
        const RawRows raw = scan->read({0, 1}, {});
        const Volume image = scan->exactImage(0, whole(size));
        const double c = std::cos(pi / 6), s = std::sin(pi / 6), middle = (size - 1) / 2.0;
        double largest = 0, total = 0;
        for (int bin = 0; bin < size; ++bin) {
            double integral = 0;
            for (int part = 0; part < 8; ++part)
                for (double along = -size; along < size; along += .25) {
                    const double t = bin - middle + (part - 3.5) / 8;
                    const double x = t * c - along * s, y = t * s + along * c;
                    const int column = static_cast<int>(std::lround(x + middle)),
                              row = static_cast<int>(std::lround(middle - y));
                    if (column >= 0 && row >= 0 && column < size && row < size)
                        integral += image.values[row * size + column] * .25 / 8;
                }
            const double difference = std::abs(integral - raw.data[chosen * size + bin]);
            largest = std::max(largest, difference);
            total += difference;
        }
        // Values are about 1. Nearest pixels cause the largest error where a ray runs along the skull; a wrong
        // rotation would give .3.
        QVERIFY2(largest < .05, qPrintable(QString::number(largest)));
        QVERIFY2(total / size < .005, qPrintable(QString::number(total / size)));
    }

    void anglesAndAxis()
    {
        Simulation simulation = lineIntegrals(Phantom::disc, 100, 4);
        simulation.arcDeg = 360;
        simulation.axisOffsetBins = -12.25;
        const auto scan = simulate(simulation);
        QCOMPARE(scan->projections(), 4);
        QVERIFY(std::abs(scan->anglesRad()[3] - 1.5 * pi) < 1e-12);
        QCOMPARE(scan->axisBins(), std::vector<double>{49.5 - 12.25});
        QCOMPARE(scan->bins(), 100);
        QCOMPARE(scan->quantity, Quantity::attenuation);
        // For a small, centred object that is seen completely, the centre of mass is the axis.
        simulation.axisOffsetBins = -9.25;
        const RawRows raw = simulate(simulation)->read({0, 1}, {});
        double mass = 0, moment = 0;
        for (int bin = 0; bin < 100; ++bin) {
            mass += raw.data[300 + bin];
            moment += bin * raw.data[300 + bin];
        }
        QVERIFY(std::abs(moment / mass - (49.5 - 9.25)) < 1e-4);
        // π r² in the unit square, with 50 pixels per unit and an attenuation of 4/100 per pixel.
        QVERIFY(std::abs(mass / (pi * .64 * 2500 * .04) - 1) < 1e-5);
        QVERIFY(
            QString::fromStdString(simulate({})->name).startsWith("Shepp-Logan (modified), 512 bins, 512 projections"));
    }

    void threeDimensionalRows()
    {
        Simulation simulation = lineIntegrals(Phantom::sheppLogan3d, 128, 1);
        simulation.attenuation = 1;
        simulation.slices = 8;
        const auto scan = simulate(simulation);
        // Row 1 lies at z = 2.5/4: it meets only the two large ellipsoids. It is .775 above the centre of the ellipsoid
        // at z0 = −.15, and meets none of the small ones.
        const double z = 2.5 / 4;
        const double expected =
            pi * 64 * 64 * (.69 * .92 * (1 - std::pow(z / .81, 2)) - .8 * .6624 * .874 * (1 - std::pow(z / .78, 2)));
        QVERIFY(std::abs(sum(scan->read({1, 1}, {}).data.floats()) / expected - 1) < 1e-4);
        // Row 0 lies at z = .875, above the head.
        QVERIFY(std::abs(sum(scan->read({0, 1}, {}).data.floats())) < 1e-9);
        QVERIFY(std::abs(sum(scan->exactImage(0, whole(128)).values)) < 1e-9);
        // The ellipsoid at z0 = −.15 makes the lower half heavier, as rows count downwards.
        const RawRows all = scan->read({0, 8}, {});
        QVERIFY(sum({all.data.floats().data() + 5 * 128, 128}) > sum({all.data.floats().data() + 2 * 128, 128}));
        simulation.slices = 1;
        const double middle = sum(simulate(simulation)->read({0, 1}, {}).data.floats());
        simulation.slices = 9;
        QVERIFY(std::abs(sum(simulate(simulation)->read({4, 1}, {}).data.floats()) / middle - 1) < 1e-6);
    }

    void anyRowRangeGivesTheSame()
    {
        Simulation simulation;
        simulation.phantom = Phantom::sheppLogan3d;
        simulation.size = 50;
        simulation.projections = 30;
        simulation.slices = 6;
        simulation.photons = 500;
        simulation.rings = .02;
        const RawRows all = simulate(simulation)->read({0, 6}, {});
        const RawRows some = simulate(simulation)->read({3, 2}, {});
        for (int projection = 0; projection < 30; ++projection)
            QCOMPARE(largestDifference({some.data.floats().data() + projection * 100, 100},
                                       {all.data.floats().data() + projection * 300 + 150, 100}),
                     0.0);
        for (int frame = 0; frame < some.flatFrames; ++frame)
            QCOMPARE(
                largestDifference({some.flats.data() + frame * 100, 100}, {all.flats.data() + frame * 300 + 150, 100}),
                0.0);
        // Rows and projections have different noise; another seed gives another scan.
        QVERIFY(largestDifference({all.flats.data(), 50}, {all.flats.data() + 50, 50}) > 0);
        QVERIFY(largestDifference({all.data.floats().data(), 50}, {all.data.floats().data() + 300, 50}) > 0);
        simulation.seed = 2;
        QVERIFY(largestDifference(simulate(simulation)->read({0, 6}, {}).data.floats(), all.data.floats()) > 0);
    }

    void badRowsAndCancelling()
    {
        Simulation simulation;
        simulation.size = 64;
        simulation.slices = 3;
        const auto scan = simulate(simulation);
        for (RowRange rows :
             {RowRange{-1, 1}, RowRange{3, 1}, RowRange{2, 2}, RowRange{0, 0}, RowRange{1, 2147483647}}) {
            QVERIFY(fails(ErrorKind::badRequest, [&] { scan->read(rows, {}); }));
        }
        std::stop_source source;
        source.request_stop();
        QVERIFY(fails(ErrorKind::cancelled, [&] { scan->read({0, 1}, source.get_token()); }));
    }

    // The largest usual size.
    void largeRow()
    {
        Simulation simulation;
        simulation.size = simulation.projections = sanitized ? 512 : 2048;
        for (Phantom phantom : {Phantom::sheppLogan, Phantom::resolution})
            for (double photons : {0.0, 1e5}) {
                simulation.phantom = phantom;
                simulation.photons = photons;
                const auto scan = simulate(simulation);
                const RawRows raw = scan->read({0, 1}, {});
                const Volume image = scan->exactImage(0, whole(simulation.size));
                QCOMPARE(raw.data.size(), std::size_t(simulation.size) * simulation.size);
                QVERIFY(std::isfinite(sum(raw.data.floats())) && std::isfinite(sum(image.values)));
            }
    }
};

SINOSCOPE_TEST(ProjectionsTest, QCoreApplication)
#include "projections_test.moc"
