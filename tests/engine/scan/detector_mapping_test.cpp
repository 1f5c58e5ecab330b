// SPDX-License-Identifier: GPL-3.0-or-later
// A point of a slice is mapped to the detector position where its ray arrives, and the line of points that a detector
// position sees passes through the point.
#include "engine/scan/cone_options.h"
#include "engine/scan/detector_mapping.h"
#include "engine/simulate/cone_projection.h"
#include "tests/fixtures.h"

using namespace engine;
using namespace fixtures;

namespace
{

ConeBeam sightCone(double tiltRad = 0, double rollRad = 0)
{
    ConeOptions options;
    options.sourceAxisMm = 200;
    options.sourceDetectorMm = 300;
    options.pixelUMm = 1.5;
    options.offsetUMm = 3;
    options.offsetVMm = -2;
    options.tiltRad = tiltRad;
    options.rollRad = rollRad;
    return coneBeamFrom(options, 64, 48, evenAngles(12, 2 * std::numbers::pi), "the test");
}

ParallelBeam sightParallel()
{
    ParallelBeam beam;
    beam.bins = 64;
    beam.anglesRad = evenAngles(9);
    beam.axisBins = {30.25};
    return beam;
}

// Returns the position of a small ball's shadow in the phantom's projection: its centre of mass.
DetectorPlace shadowOfBall(const ConeBeam& beam, int projection, double column, double row, double slice)
{
    const ConeVolume& volume = beam.volume;
    const double unitMm = volume.size * volume.voxelMm / 2;
    Ellipsoid ball;
    const double radius = 1.5 * volume.voxelMm / unitMm;
    ball.widest = {radius,
                   radius,
                   (column - (volume.size - 1) / 2.0) * volume.voxelMm / unitMm,
                   ((volume.size - 1) / 2.0 - row) * volume.voxelMm / unitMm,
                   0,
                   1};
    ball.c = radius;
    ball.z = ((volume.slices - 1) / 2.0 - slice) * volume.voxelMm / unitMm;
    double sum = 0, bins = 0, rows = 0;
    for (int r = 0; r < beam.rows; ++r) {
        std::vector<double> line(beam.bins, 0.0);
        addConeRow({ball}, unitMm, 1, projectionMatrices(beam)[projection], r, line);
        for (int bin = 0; bin < beam.bins; ++bin) {
            sum += line[bin];
            bins += line[bin] * bin;
            rows += line[bin] * r;
        }
    }
    return {bins / sum, rows / sum};
}

std::vector<Geometry> sightGeometries()
{
    ParallelBeam moved = sightParallel();
    moved.pixelBins = 0.5;
    moved.shiftBins = {0, 1, -2, 0.5, 0, 0, 3, 0, 0};
    moved.shiftRows = {0, 2, 0, 0, -1.5, 0, 0, 0, 0};
    ConeBeam byMatrices = sightCone(0.05, 0.03);
    byMatrices.matrices = projectionMatrices(byMatrices);
    return {sightParallel(), withAxis(moved, 31), sightCone(), sightCone(0.05, 0.03), turned(byMatrices, 0.4)};
}

} // namespace

class SightTest : public QObject
{
    Q_OBJECT

  private slots:
    void parallelBeamsSeeByTheirFormula()
    {
        ParallelBeam beam = sightParallel();
        const Sight sight(beam);
        for (int p = 0; p < beam.projections(); ++p) {
            const double x = 50 - 31.5, y = 31.5 - 7;
            const DetectorPlace seen = sight.placeOf(p, 50, 7, 3);
            QVERIFY(std::abs(seen.bin - (30.25 + x * std::cos(beam.anglesRad[p]) + y * std::sin(beam.anglesRad[p]))) <
                    1e-12);
            QCOMPARE(seen.row, 3.0);
        }
        // With shifts, and pixels of half a bin: 128 pixels along each side.
        const Sight moved(sightGeometries()[1]);
        const DetectorPlace seen = moved.placeOf(1, 70, 20, 3);
        const double x = (70 - 63.5) / 2, y = (63.5 - 20) / 2;
        QVERIFY(std::abs(seen.bin - (31 + 1 + x * std::cos(beam.anglesRad[1]) + y * std::sin(beam.anglesRad[1]))) <
                1e-12);
        QCOMPARE(seen.row, 5.0);
    }

    void conesSeeWhereTheShadowFalls()
    {
        for (const ConeBeam& beam : {sightCone(), sightCone(0.05, 0.03)}) {
            const Sight sight(beam);
            for (const int p : {0, 2, 7}) {
                const DetectorPlace seen = sight.placeOf(p, 42, 25, 20), shadow = shadowOfBall(beam, p, 42, 25, 20);
                QVERIFY2(
                    std::hypot(seen.bin - shadow.bin, seen.row - shadow.row) < 0.12,
                    qPrintable(
                        QStringLiteral("%1 %2 %3 %4").arg(seen.bin).arg(shadow.bin).arg(seen.row).arg(shadow.row)));
            }
        }
    }

    void raysGoThroughWhatTheySee()
    {
        for (const Geometry& geometry : sightGeometries()) {
            const Sight sight(geometry);
            const double last = sliceSizeOf(geometry) - 0.5;
            for (int p = 0; p < sight.projections(); ++p) {
                const double bin = sight.placeOf(p, 20, 31, 5).bin;
                const auto line = sight.lineAt(p, bin, 5);
                QVERIFY(line.has_value());
                for (const double share : {0.0, 0.3, 1.0}) {
                    const double column = line->column0 + share * (line->column1 - line->column0),
                                 row = line->row0 + share * (line->row1 - line->row0);
                    QVERIFY(std::abs(sight.placeOf(p, column, row, 5).bin - bin) < 1e-9);
                    QVERIFY(std::min(column, row) > -0.5 - 1e-9 && std::max(column, row) < last + 1e-9);
                }
                const double across = (line->column1 - line->column0) * (31 - line->row0) -
                                      (line->row1 - line->row0) * (20 - line->column0);
                QVERIFY(std::abs(across) < 1e-7); // the point lies on the line
                QVERIFY(!sight.lineAt(p, -500, 5));
            }
        }
    }

    void middlesOfSlicesAreFoundAgain()
    {
        for (const Geometry& geometry : sightGeometries()) {
            const Sight sight(geometry);
            for (int p = 0; p < sight.projections(); ++p)
                for (const double slice : {0.0, 7.0, 30.0})
                    QVERIFY(std::abs(sight.sliceAt(p, sight.middleOf(p, slice).row) - slice) < 1e-9);
        }
    }
};

SINOSCOPE_TEST(SightTest, QCoreApplication)
#include "detector_mapping_test.moc"
