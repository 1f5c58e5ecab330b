// SPDX-License-Identifier: GPL-3.0-or-later
// Rays that were measured from both sides count once in total; weights change smoothly.
#include "engine/scan/ray_weights.h"
#include "tests/fixtures.h"

using namespace engine;
using namespace fixtures;
using std::numbers::pi;

namespace
{

constexpr int weightBins = 101;
constexpr double stepDeg = 0.1;

// Returns a beam with angles in steps of a tenth of a degree.
ConeBeam beamOf(double arcDeg, double halfAngleDeg, double offsetBins = 0)
{
    ConeOptions options;
    options.sourceAxisMm = 100;
    options.sourceDetectorMm = 100;
    options.pixelUMm = 100 * std::tan(halfAngleDeg * degree) / ((weightBins - 1) / 2.0);
    std::vector<double> angles;
    for (int k = 0; k * stepDeg < arcDeg - 1e-9; ++k)
        angles.push_back((17 + k * stepDeg) * degree);
    ConeBeam beam = coneBeamFrom(options, weightBins, 1, std::move(angles), "test");
    beam.axisBins = {beam.middleBins() + offsetBins};
    return beam;
}

double gammaOf(const ConeBeam& beam, int bin)
{
    return std::atan((bin - beam.axisBins.front()) * beam.pixelUMm / beam.sourceDetectorMm);
}

// Returns the weight at an angle by interpolation between projections; 0 beyond the arc.
double weightAt(const ConeBeam& beam, const std::vector<float>& redundancy, double angleRad, int bin)
{
    double place = std::fmod(angleRad / degree - 17 + 720, 360.0) / stepDeg;
    const int projection = static_cast<int>(std::floor(place));
    if (projection + 1 >= beam.projections())
        return 0;
    place -= projection;
    const auto at = [&](int p) {
        return static_cast<double>(redundancy[static_cast<std::size_t>(p) * weightBins + bin]);
    };
    return (1 - place) * at(projection) + place * at(projection + 1);
}

} // namespace

class RayWeightsTest : public QObject
{
    Q_OBJECT

  private slots:
    void bothSidesAddUp_data()
    {
        QTest::addColumn<double>("arcDeg");
        QTest::addColumn<double>("halfAngleDeg");
        for (const double halfAngleDeg : {3.0, 10.0, 25.0})
            for (const double more : {0.3, 10.0, 90.0, 100.0})
                QTest::addRow("±%g°, %g° more than needed", halfAngleDeg, more)
                    << 180 + 2 * halfAngleDeg + more << halfAngleDeg;
    }

    // The weights of a ray's two measurements add up to 2; the weight is 2 if only one side measured the ray.
    void bothSidesAddUp()
    {
        QFETCH(double, arcDeg);
        QFETCH(double, halfAngleDeg);
        const ConeBeam beam = beamOf(arcDeg, halfAngleDeg);
        const WeighedRays weighed = weighRays(beam);
        QVERIFY(mentions(weighed.notes, "Parker"));
        const std::vector<float>& redundancy = weighed.weights.redundancy;
        QCOMPARE(redundancy.size(), beam.anglesRad.size() * weightBins);
        double worst = 0;
        for (int p = 0; p < beam.projections(); p += 7)
            for (int bin = 3; bin < weightBins - 3; ++bin) { // at the fan's ends weights rise within few projections
                const double there = beam.anglesRad[p] + pi - 2 * gammaOf(beam, bin);
                const double sum = redundancy[static_cast<std::size_t>(p) * weightBins + bin] +
                                   weightAt(beam, redundancy, there, weightBins - 1 - bin);
                worst = std::max(worst, std::isnan(sum) ? INFINITY : std::abs(sum - 2));
            }
        qInfo("sum off by %.4f", worst);
        QVERIFY(worst < 0.03);
    }

    void smooth()
    {
        const ConeBeam beam = beamOf(180 + 2 * 10 + 8, 10);
        const WeighedRays weighed = weighRays(beam);
        const std::vector<float>& redundancy = weighed.weights.redundancy;
        // Weights rise as 2·sin², over a length of 2·(over + γ) or more, which is at least 8°; the slope of sin² is at
        // most π/2 divided by that length.
        const double mostStep = pi * stepDeg / 8 * 1.05;
        for (int p = 0; p < beam.projections(); ++p)
            for (int bin = 0; bin < weightBins; ++bin) {
                const double here = redundancy[static_cast<std::size_t>(p) * weightBins + bin];
                QVERIFY(here >= 0 && here <= 2);
                if (p > 0)
                    QVERIFY(std::abs(here - redundancy[static_cast<std::size_t>(p - 1) * weightBins + bin]) < mostStep);
                else
                    QVERIFY(here < 1e-3); // starts at zero
            }
    }

    // An arc that is too short for the fan: what the other side measured away from the ends of the arc, the first and
    // the last projection hardly add to, as a step in the weights would show; rays measured once have weight 2.
    void endsOfALimitedArc()
    {
        const ConeBeam beam = beamOf(190, 10); // 200° are needed
        const WeighedRays weighed = weighRays(beam);
        QVERIFY(mentions(weighed.notes, "limited angle"));
        int once = 0, twice = 0;
        for (const int p : {0, beam.projections() - 1})
            for (int bin = 0; bin < weightBins; ++bin) {
                const double weight = weighed.weights.redundancy[static_cast<std::size_t>(p) * weightBins + bin];
                // From the first projection to the other side's.
                const double alongDeg =
                    std::fmod((beam.anglesRad[p] + 3 * pi - 2 * gammaOf(beam, bin)) / degree - 17, 360.0);
                if (alongDeg > 10.5 && alongDeg < 179.5) {
                    ++twice;
                    QVERIFY(weight >= 0 && weight < 0.03);
                } else if (alongDeg > 191 && alongDeg < 359) {
                    ++once;
                    QVERIFY(std::abs(weight - 2) < 1e-6);
                }
            }
        QVERIFY2(once > 40 && twice > 80, qPrintable(QString("%1 and %2").arg(once).arg(twice)));
    }

    // The weights are the same whether central rays are given or follow from the matrices.
    void sameFromMatrices()
    {
        for (const ConeBeam& circle : {beamOf(210, 10), beamOf(360, 10, 12), beamOf(120, 10)}) {
            ConeBeam matrices = circle;
            matrices.matrices = projectionMatrices(circle);
            matrices.axisBins.clear();
            const WeighedRays a = weighRays(circle), b = weighRays(matrices);
            QVERIFY(a.notes == b.notes);
            QVERIFY(largestDifference(a.weights.redundancy, b.weights.redundancy) < 1e-5);
            QVERIFY(largestDifference(a.weights.projections, b.weights.projections) < 1e-12);
        }
    }

    void displacedDetectors()
    {
        ConeBeam beam = beamOf(360, 10, 20); // 71 bins on the left of the central ray, 31 on its right
        QVERIFY(widened(beamOf(360, 10, 0.4)) == beamOf(360, 10, 0.4));
        QVERIFY(widened(beamOf(250, 10, 20)) == beamOf(250, 10, 20));
        QVERIFY(widened(beamOf(300, 10, 20)).blankRight == 40);
        const ConeBeam wide = widened(beam);
        QCOMPARE(wide.bins, weightBins + 40);
        QCOMPARE(wide.blankRight, 40);
        QVERIFY(widened(wide) == wide);
        const WeighedRays weighed = weighRays(wide);
        QVERIFY(mentions(weighed.notes, "Wang"));
        QVERIFY(upright(beam) == beam);
        const std::vector<float>& line = weighed.weights.redundancy;
        for (int bin = 0; bin < wide.bins; ++bin) { // the axis is bin 70
            QVERIFY(std::abs(line[bin] + line[140 - bin] - 2) < 1e-5);
            QVERIFY(bin > 38 || line[bin] == 2);
            QVERIFY(bin == 0 || line[bin] <= line[bin - 1]);
        }
        beam.axisBins = {beam.middleBins() - 20};
        QCOMPARE(widened(beam).blankLeft, 40);
        QCOMPARE(widened(beam).axisBins.front(), 70.0);
        beam.matrices = projectionMatrices(beam);
        const ConeBeam wideMatrices = widened(beam);
        QCOMPARE(wideMatrices.blankLeft, 40);
        QVERIFY(std::abs(centralRayOf(wideMatrices.matrices[9]).bin - 70) < 1e-9);
    }

    // If a detector is displaced by little, rays near its middle keep their weight.
    void littleAside()
    {
        const ConeBeam wide = widened(beamOf(360, 10, 2)); // 52 bins on the left of the central ray, 48 on its right
        QCOMPARE(wide.blankRight, 4);
        const WeighedRays weighed = weighRays(wide);
        QVERIFY(mentions(weighed.notes, "Wang"));
        const std::vector<float>& line = weighed.weights.redundancy;
        for (int bin = 0; bin < wide.bins; ++bin) { // the axis is bin 52
            QVERIFY(std::abs(line[bin] + line[104 - bin] - 2) < 1e-5);
            QVERIFY(bin > 3 || line[bin] == 2);
            QVERIFY(bin < 22 || bin > 82 || line[bin] == 1);
            QVERIFY(bin == 0 || line[bin] <= line[bin - 1]);
        }
    }

    // A displaced, tilted detector is turned upright by its roll or by its matrices, and all of its rows then see
    // every bin that is not blank.
    void leaningAxes()
    {
        for (const double rollRad : {0.05, -0.05}) {
            ConeBeam beam = beamOf(360, 10, 20);
            beam.rows = 81;
            beam.centralRow = 30;
            beam.pixelVMm = 0.7 * beam.pixelUMm;
            beam.rollRad = rollRad;
            const double shift = 50 * std::tan(0.05) * 0.7; // of the last row, in bins
            const AxisImage image = axisImageOf(projectionMatrices(beam)[5], beam);
            QVERIFY(std::abs(image.mostShift(81) - shift) < 1e-9);
            QVERIFY(std::abs(image.leanRad + rollRad) < 1e-9); // the axis' top, at low rows, is at higher bins
            const ConeBeam turned = upright(beam);
            QCOMPARE(turned.rollRad, 0.0);
            QCOMPARE(turned.blankRight, static_cast<int>(std::ceil(shift)));
            QCOMPARE(widened(turned).bins, weightBins + 40);
            QVERIFY(widened(widened(turned)) == widened(turned));
            ConeBeam matrices = beam;
            matrices.matrices = projectionMatrices(beam);
            const auto expected = projectionMatrices(turned), got = upright(matrices).matrices;
            for (std::size_t p = 0; p < expected.size(); ++p)
                for (int i = 0; i < 12; ++i)
                    QVERIFY(std::abs(got[p][i] - expected[p][i]) < 1e-9);
            beam.axisBins = {beam.middleBins()};
            QVERIFY(upright(beam) == beam);
        }
        ConeBeam lying = beamOf(360, 10, 20); // lies on its side: left as it is
        lying.rows = 81;
        lying.matrices = projectionMatrices(lying);
        for (ProjectionMatrix& m : lying.matrices)
            for (int i = 0; i < 4; ++i)
                std::swap(m[i], m[4 + i]);
        QVERIFY(upright(lying) == lying);
    }
};

SINOSCOPE_TEST(RayWeightsTest, QCoreApplication)
#include "ray_weights_test.moc"
