// SPDX-License-Identifier: GPL-3.0-or-later
// Simulated cone-beam projections: integrals along rays that are computed here from the definitions in cone_beam.h,
// not from its matrices.
#include "tests/fixtures.h"
#include "tests/processor_time.h"

#include <random>

using namespace engine;
using namespace fixtures;

namespace
{

struct Place {
    double x, y, z;
};

// One of the ten ellipsoids by density, half axes, middle and rotation, after Kak and Slaney, in the cube −1…1
struct HeadPart {
    double density, a, b, c, x, y, z, turnDeg;
};
constexpr HeadPart head[] = {{1, .69, .92, .81, 0, 0, 0, 0},        {-.8, .6624, .874, .78, 0, -.0184, 0, 0},
                             {-.2, .11, .31, .22, .22, 0, 0, -18},  {-.2, .16, .41, .28, -.22, 0, 0, 18},
                             {.1, .21, .25, .41, 0, .35, -.15, 0},  {.1, .046, .046, .05, 0, .1, .25, 0},
                             {.1, .046, .046, .05, 0, -.1, .25, 0}, {.1, .046, .023, .05, -.08, -.605, 0, 0},
                             {.1, .023, .023, .02, 0, -.606, 0, 0}, {.1, .023, .046, .02, .06, -.605, 0, 0}};

double densityAt(const Place& p)
{
    double sum = 0;
    for (const HeadPart& e : head) {
        const double c = std::cos(e.turnDeg * degree), s = std::sin(e.turnDeg * degree), x = p.x - e.x, y = p.y - e.y;
        const double u = (x * c + y * s) / e.a, v = (y * c - x * s) / e.b, w = (p.z - e.z) / e.c;
        sum += u * u + v * v + w * w <= 1 ? e.density : 0;
    }
    return sum;
}

// Maps a point from the laboratory to the object. In the laboratory, X points to the right as the source sees it, Y
// from the source to the detector, and Z up; the source is at (0, −R, 0). The object is rotated clockwise by θ
// (angles count anticlockwise), its top is tilted towards the detector, and it is rolled clockwise as the source sees
// it.
Place toObject(Place p, double angleRad, const ConeBeam& beam)
{
    const auto turned = [](double& right, double& up, double rad) {
        const double c = std::cos(rad), s = std::sin(rad), r = right * c - up * s;
        up = right * s + up * c;
        right = r;
    };
    turned(p.x, p.z, beam.rollRad); // anticlockwise
    turned(p.y, p.z, beam.tiltRad); // from the detector back to upright
    turned(p.x, p.y, angleRad);
    return p;
}

// Integrates by the mean of many points along the ray.
double marched(const ConeBeam& beam, int projection, int row, int bin)
{
    const double unit = beam.volume.size * beam.volume.voxelMm / 2;
    const double u = (bin - beam.axisBins.front()) * beam.pixelUMm, v = (beam.centralRow - row) * beam.pixelVMm;
    const double way = std::hypot(beam.sourceDetectorMm, u, v);
    constexpr int steps = 20000;
    const double from = beam.sourceAxisMm - 1.8 * unit, to = beam.sourceAxisMm + 1.8 * unit, step = (to - from) / steps;
    double sum = 0;
    for (int k = 0; k < steps; ++k) {
        const double along = (from + (k + .5) * step) / way;
        const Place p = toObject({along * u, along * beam.sourceDetectorMm - beam.sourceAxisMm, along * v},
                                 beam.anglesRad[projection], beam);
        sum += densityAt({p.x / unit, p.y / unit, p.z / unit}) * step;
    }
    return sum;
}

ConeBeam someBeam()
{
    ConeOptions options;
    options.sourceAxisMm = 90;
    options.sourceDetectorMm = 150;
    options.pixelUMm = 0.5;
    options.pixelVMm = 0.7;
    options.size = 64;
    return coneBeamFrom(options, 80, 50, {0, 0.4, 1.9, 3.5, 5.5}, "test");
}

} // namespace

class ConeProjectionsTest : public QObject
{
    Q_OBJECT

  private slots:
    void headAlongDrawnRays_data();
    void headAlongDrawnRays();
    void ballFromAnyDistance();
    void discInTheFan();
    void exactImages();
    void everythingElseAsForParallelBeams();
    void inTime();
};

void ConeProjectionsTest::headAlongDrawnRays_data()
{
    QTest::addColumn<double>("tiltDeg");
    QTest::addColumn<double>("rollDeg");
    QTest::addColumn<double>("offsetBins");
    QTest::newRow("upright") << 0.0 << 0.0 << 0.0;
    QTest::newRow("offset") << 0.0 << 0.0 << 7.3;
    QTest::newRow("tilt") << 9.0 << 0.0 << 0.0;
    QTest::newRow("roll") << 0.0 << -8.0 << 0.0;
    QTest::newRow("all") << -7.0 << 6.0 << -4.4;
}

void ConeProjectionsTest::headAlongDrawnRays()
{
    QFETCH(double, tiltDeg);
    QFETCH(double, rollDeg);
    QFETCH(double, offsetBins);
    ConeBeam beam = someBeam();
    beam.tiltRad = tiltDeg * degree;
    beam.rollRad = rollDeg * degree;
    beam.axisBins = {beam.middleBins() + offsetBins};
    beam.centralRow += offsetBins / 3;
    const auto scan = simulate(densities(Phantom::sheppLogan3d), beam);
    const RawRows raw = scan->read({0, beam.rows}, {});
    std::mt19937 random(7);
    double largest = 0, highest = 0;
    for (int k = 0; k < (sanitized ? 20 : 150); ++k) {
        const int p = static_cast<int>(random() % 5), row = static_cast<int>(random() % beam.rows),
                  bin = static_cast<int>(random() % beam.bins);
        const double truth = marched(beam, p, row, bin) / beam.volume.voxelMm; // 1 per voxel
        const double value = raw.data[(static_cast<std::size_t>(p) * beam.rows + row) * beam.bins + bin];
        largest = std::max(largest, std::abs(value - truth));
        highest = std::max(highest, truth);
    }
    QVERIFY2(highest > 10, qPrintable(QString::number(highest)));
    QVERIFY2(largest < 0.02, qPrintable(QString("%1 of %2").arg(largest).arg(highest))); // in voxels; a step is 0.006
}

// Expected: 2·√(r² − distance²), with the distance of the ray from the ball's middle.
void ConeProjectionsTest::ballFromAnyDistance()
{
    for (const double away : {1.5, 10.0, 1e4}) {
        ConeBeam beam = someBeam();
        const double unit = beam.volume.size * beam.volume.voxelMm / 2;
        beam.sourceAxisMm = away * 2 * unit;
        beam.sourceDetectorMm = beam.sourceAxisMm * 150 / 90;
        const RawRows raw = simulate(densities(Phantom::ball), beam)->read({0, beam.rows}, {});
        double largest = 0;
        for (int row = 0; row < beam.rows; ++row)
            for (int bin = 0; bin < beam.bins; ++bin) {
                const double aside =
                    std::hypot((bin - beam.axisBins.front()) * beam.pixelUMm, (row - beam.centralRow) * beam.pixelVMm);
                const double distance = beam.sourceAxisMm * aside / std::hypot(aside, beam.sourceDetectorMm);
                const double chord = 2 * std::sqrt(std::max(0.0, .64 * unit * unit - distance * distance));
                const double value = raw.data[static_cast<std::size_t>(row) * beam.bins + bin];
                const double difference = std::abs(value - chord / beam.volume.voxelMm);
                largest = std::max(largest, std::isnan(difference) ? INFINITY : difference);
            }
        QVERIFY2(largest < 1e-5, qPrintable(QString("%1 away: %2").arg(away).arg(largest)));
    }
}

// In the plane of the source, a disc equals a ball; above it, the path is longer by the slope of the ray.
void ConeProjectionsTest::discInTheFan()
{
    ConeBeam beam = someBeam();
    beam.centralRow = 24;
    const RawRows disc = simulate(densities(Phantom::disc), beam)->read({0, beam.rows}, {});
    const RawRows ball = simulate(densities(Phantom::ball), beam)->read({24, 1}, {});
    for (int bin = 0; bin < beam.bins; ++bin) {
        QVERIFY(std::abs(disc.data[static_cast<std::size_t>(24) * beam.bins + bin] - ball.data[bin]) < 1e-5);
        const double slope = std::hypot(
            1, 10 * beam.pixelVMm / std::hypot(beam.sourceDetectorMm, (bin - beam.axisBins[0]) * beam.pixelUMm));
        QVERIFY(std::abs(disc.data[static_cast<std::size_t>(34) * beam.bins + bin] - ball.data[bin] * slope) < 1e-4);
    }
}

// The object fills the square of the slices and is as high as it is wide, whatever the number of slices.
void ConeProjectionsTest::exactImages()
{
    ConeBeam beam = someBeam();
    beam.volume.slices = 20;
    const auto scan = simulate(densities(Phantom::ball), beam);
    const double radius = .8 * 32;
    for (const int slice : {0, 9, 19}) {
        const Volume image = scan->exactImage(slice, whole(64));
        const double area = std::accumulate(image.values.begin(), image.values.end(), 0.0);
        const double z = 9.5 - slice;
        QVERIFY(std::abs(area / (std::numbers::pi * (radius * radius - z * z)) - 1) < 1e-6);
    }
    QVERIFY(fails(ErrorKind::badRequest, [&] { scan->exactImage(20, whole(64)); }));
}

void ConeProjectionsTest::everythingElseAsForParallelBeams()
{
    Simulation simulation;
    simulation.phantom = Phantom::sheppLogan3d;
    simulation.size = 48;
    simulation.slices = 32;
    simulation.projections = 20;
    simulation.arcDeg = 210;
    simulation.axisOffsetBins = 1.5;
    simulation.cone.emplace();
    simulation.cone->sourceAxisMm = 200;
    simulation.cone->sourceDetectorMm = 300;
    simulation.cone->pixelUMm = 1.5;
    simulation.cone->offsetUMm = -3;
    simulation.cone->tiltRad = degree;
    simulation.cone->slices = 10;
    simulation.cone->direction = AngleDirection::clockwise;
    QVERIFY(simulationFromJson(toJson(simulation)) == simulation);
    QVERIFY(!simulationFromJson(toJson(Simulation())).cone);
    const auto scan = simulate(simulation);
    QCOMPARE(scan->slices(), 10);
    QCOMPARE(scan->rows, 32);
    QVERIFY(std::abs(scan->axisBins().front() - (23.5 + 2 + 1.5)) < 1e-12);
    QVERIFY(std::abs(scan->anglesRad()[1] + 10.5 * degree) < 1e-12);
    const RawRows quiet = scan->read({3, 5}, {});
    QCOMPARE(quiet.flatFrames, 10);
    QVERIFY(std::ranges::all_of(quiet.darks, [](float dark) { return dark == 100; }));
    // Rows are identical, also with noise, whichever rows are read with them.
    simulation.photons = 1e4;
    simulation.rings = .02;
    const auto noisy = simulate(simulation);
    const RawRows all = noisy->read({0, 32}, {}), one = noisy->read({7, 1}, {});
    for (int p = 0; p < 20; ++p)
        for (int bin = 0; bin < 48; ++bin)
            QCOMPARE(one.data[p * 48 + bin], all.data[(p * 32 + 7) * 48 + bin]);
    // The object is as opaque as in a parallel beam: e^−(4/size·length).
    const float least = *std::ranges::min_element(quiet.data.floats());
    QVERIFY2(least > 1000 && least < 9000, qPrintable(QString::number(least)));

    simulation.sampling = Sampling::binMean;
    QVERIFY(fails(ErrorKind::badRequest, {"sampling"}, [&] { simulate(simulation); }));
    simulation.sampling = Sampling::ray;
    simulation.cone->sourceAxisMm.reset();
    QVERIFY(fails(ErrorKind::badRequest, {"--source-axis"}, [&] { simulate(simulation); }));
    simulation.cone->sourceAxisMm = 20;
    simulation.cone->sourceDetectorMm = 21;
    QVERIFY(fails(ErrorKind::badRequest, {"inside the volume"}, [&] { simulate(simulation); }));
}

void ConeProjectionsTest::inTime()
{
    if (sanitized)
        QSKIP("slow under sanitizers");
    Simulation simulation = densities(Phantom::sheppLogan3d);
    simulation.size = simulation.slices = simulation.projections = 256;
    simulation.arcDeg = 360;
    simulation.cone.emplace();
    simulation.cone->sourceAxisMm = 1463;
    simulation.cone->sourceDetectorMm = 2194.5;
    simulation.cone->pixelUMm = 1.5;
    const auto scan = simulate(simulation);
    const double before = processor_time::ofThisProcess();
    scan->read({0, 256}, {});
    const double seconds = processor_time::ofThisProcess() - before;
    qInfo("256 projections of 256² in %.2f s", seconds);
    QVERIFY(seconds < processor_time::seconds); // usually about 1 s
}

SINOSCOPE_TEST(ConeProjectionsTest, QCoreApplication)
#include "cone_projections_test.moc"
