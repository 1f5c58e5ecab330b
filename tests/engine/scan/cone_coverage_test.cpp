// SPDX-License-Identifier: GPL-3.0-or-later
// The voxels that the projections see, against solid geometry; and the notes about them.
#include "engine/reconstruct/reconstruct.h"
#include "engine/scan/cone_coverage.h"
#include "tests/fixtures.h"
#include "tests/processor_time.h"

using namespace engine;
using namespace fixtures;

namespace
{

// Returns a beam for 64³ voxels of 1 mm with the source 150 mm from the axis; the detector, scaled to the axis, has
// the same size.
ConeBeam beamOf(int projections = 90)
{
    ConeOptions options;
    options.sourceAxisMm = 150;
    options.sourceDetectorMm = 300;
    options.pixelUMm = 2;
    return coneBeamFrom(options, 64, 64, evenAngles(projections, 2 * std::numbers::pi), "test");
}

VolumeGrid gridOf(const ConeBeam& beam, int slice, int slices = 1)
{
    return {whole(beam.volume.size), double(slice), 1, slices};
}

Reconstruction reconstructed(const ConeBeam& beam, RowRange slices)
{
    Simulation simulation;
    simulation.phantom = Phantom::ball;
    simulation.counts = false;
    Request request = requestFor(simulate(simulation, beam), "exact");
    request.place.setSlices(slices);
    return Reconstructor().run(request);
}

} // namespace

class ConeCoverageTest : public QObject
{
    Q_OBJECT

  private slots:
    // All projections see a voxel at the distance ρ from the axis if its height is at most 32·(1 − ρ/R), the limit on
    // the side of the source, and ρ is at most R·sin γ.
    void countsOfEveryVoxel()
    {
        const ConeBeam beam = beamOf(180);
        const Volume counts = coverageOf(beam, gridOf(beam, 0, 64));
        const double sees = 150 * std::sin(std::atan(32 / 150.0));
        int full = 0, part = 0, none = 0;
        for (int k = 0; k < 64; ++k)
            for (int j = 0; j < 64; ++j)
                for (int i = 0; i < 64; ++i) {
                    const double x = i - 31.5, y = 31.5 - j, z = std::abs(31.5 - k), far = std::hypot(x, y);
                    const float count = counts.slice(k)[j * 64 + i];
                    if (far < sees - 0.1 && z < 32 * (1 - far / 150) - 0.1)
                        QCOMPARE(count, 180.0F);
                    if (z > 32 * (1 - far / 150) + 0.3 || far > sees + 0.3)
                        QVERIFY(count < 180);
                    if (z > 32 * (1 + far / 150) + 0.1)
                        QCOMPARE(count, 0.0F);
                    full += count == 180;
                    part += count > 0 && count < 180;
                    none += count == 0;
                }
        QVERIFY(full > 100000 && part > 10000 && none >= 0);
    }

    void sharesOfSlices()
    {
        const ConeBeam beam = beamOf();
        for (const int slice : {0, 2, 5, 9, 31, 40, 62}) {
            const Volume counts = coverageOf(beam, gridOf(beam, slice));
            double pixels = 0, full = 0, least = 90, most = 0;
            for (int j = 0; j < 64; ++j)
                for (int i = 0; i < 64; ++i)
                    if (std::hypot(i - 31.5, j - 31.5) < 31.5) {
                        ++pixels;
                        full += counts.values[j * 64 + i] == 90;
                        least = std::min<double>(least, counts.values[j * 64 + i]);
                        most = std::max<double>(most, counts.values[j * 64 + i]);
                    }
            const SliceCoverage coverage = coverageOfSlice(beam, slice);
            qInfo("slice %d: %.2f, of all pixels %.2f", slice, coverage.shareSeenByAll, full / pixels);
            QVERIFY(std::abs(coverage.shareSeenByAll - full / pixels) < 0.12);
            QVERIFY(std::abs(coverage.least - least / 90) < 0.06);
            QVERIFY(std::abs(coverage.most - most / 90) < 0.06);
        }
    }

    void said()
    {
        const ConeBeam beam = beamOf();
        QVERIFY(coverageNotes(beam, gridOf(beam, 31)).empty());
        QVERIFY(mentions(reconstructed(beam, {3, 1}).notes, "In slice 3 the detector sees"));
        QVERIFY(!mentions(reconstructed(beam, {31, 1}).notes, "detector sees"));
        const Reconstruction volume = reconstructed(beam, {0, 64});
        QVERIFY(mentions(volume.notes, "slices are seen in all projections over less than 90 %"));
        QCOMPARE(std::ranges::count_if(volume.notes, [](const Note& note) { return contains(note, "disc"); }), 1);
    }

    // Voxels that are seen from the opposite side don't count as missing.
    void displacedDetectors()
    {
        ConeBeam beam = beamOf();
        beam.axisBins = {beam.middleBins() + 20};
        QVERIFY(coverageNotes(beam, gridOf(beam, 31)).empty());
        beam.anglesRad.resize(beam.anglesRad.size() * 2 / 3);
        QCOMPARE(coverageNotes(beam, gridOf(beam, 31)).size(), std::size_t{1});
    }

    void fans()
    {
        ConeOptions options;
        options.sourceAxisMm = 150;
        options.sourceDetectorMm = 300;
        options.pixelUMm = 2;
        options.voxelMm = 1.5;
        options.size = 64; // wider than the fan
        const ConeBeam beam = coneBeamFrom(options, 64, 1, evenAngles(40, 2 * std::numbers::pi), "test");
        const auto notes = coverageNotes(beam, {whole(64), 0, 1, 1});
        QVERIFY(notes.size() == 1 && contains(notes.front(), "In slice 0"));
        QVERIFY(std::abs(coverageOfSlice(beam, 0).shareSeenByAll - std::pow(31.3 / 47.25, 2)) < 0.12);
    }

    void quick()
    {
        ConeBeam beam = beamOf(1500);
        beam.volume.slices = 64;
        const double before = processor_time::ofThisProcess();
        coverageNotes(beam, gridOf(beam, 0, 64));
        const double seconds = processor_time::ofThisProcess() - before;
        qInfo("%.2f ms a slice", seconds / 64e-3);
        QVERIFY(seconds < processor_time::seconds); // usually about 10 ms
    }
};

SINOSCOPE_TEST(ConeCoverageTest, QCoreApplication)
#include "cone_coverage_test.moc"
