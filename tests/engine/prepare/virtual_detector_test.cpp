// SPDX-License-Identifier: GPL-3.0-or-later
// A virtual detector: what a displaced, tilted detector would have recorded if it were upright and reached equally
// far on both sides.
#include "engine/prepare/virtual_detector.h"
#include "engine/volume/volume_plan.h"
#include "tests/fixtures.h"

using namespace engine;
using namespace fixtures;

namespace
{

constexpr int detectorBins = 80, detectorRows = 60;

ConeBeam beamAside(double offsetBins, double rollRad)
{
    ConeOptions options;
    options.sourceAxisMm = 400;
    options.sourceDetectorMm = 600;
    options.pixelUMm = 1.5;
    options.pixelVMm = 1.2;
    ConeBeam beam = coneBeamFrom(options, detectorBins, detectorRows, evenAngles(30, 2 * std::numbers::pi), "test");
    beam.axisBins = {beam.middleBins() + offsetBins};
    beam.centralRow = 25;
    beam.rollRad = rollRad;
    return beam;
}

double planeAt(double bin, double row)
{
    return 3 + 0.25 * bin - 0.5 * row;
}

Sinograms plane(int first, int count)
{
    Sinograms all{count, 30, detectorBins, {}};
    for (int row = first; row < first + count; ++row)
        for (int p = 0; p < 30; ++p)
            for (int bin = 0; bin < detectorBins; ++bin)
                all.values.push_back(static_cast<float>(planeAt(bin, row) + p));
    return all;
}

} // namespace

class VirtualDetectorTest : public QObject
{
    Q_OBJECT

  private slots:
    void othersAreAsTheyAre()
    {
        QVERIFY(VirtualDetector(ParallelBeam{}).isRecorded());
        QVERIFY(VirtualDetector(beamAside(0, 0)).isRecorded());
        QVERIFY(VirtualDetector(beamAside(0, 0.1)).isRecorded());
        QVERIFY(!VirtualDetector(beamAside(8, 0)).isRecorded());
    }

    void blankBins()
    {
        const VirtualDetector detector(beamAside(-8, 0)); // reaches further to the right
        QCOMPARE(detector.bins(detectorBins), detectorBins + 16);
        QVERIFY(!detector.note());
        const Sinograms recorded = plane(10, 20), seen = detector.see(recorded, 10, {12, 5});
        QCOMPARE(seen.bins, detectorBins + 16);
        for (int k = 0; k < 5; ++k)
            for (int p = 0; p < 30; ++p)
                for (int bin = 0; bin < seen.bins; ++bin) {
                    const float value = seen.values[(static_cast<std::size_t>(k) * 30 + p) * seen.bins + bin];
                    QCOMPARE(value, bin < 16 ? 0.0F : static_cast<float>(planeAt(bin - 16, 12 + k) + p));
                }
    }

    // Rotation with real lengths: rows are 1.2 mm high and bins 1.5 mm wide.
    void turned()
    {
        for (const double rollRad : {0.06, -0.04}) {
            const ConeBeam beam = beamAside(-8, rollRad);
            const VirtualDetector detector(beam);
            QVERIFY(contains(detector.note().value_or(""), rollRad > 0 ? "by 3.44°" : "by 2.29°"));
            const int more = detector.bins(detectorBins) - detectorBins;
            const Sinograms seen = detector.see(plane(0, detectorRows), 0, {20, 4});
            int compared = 0;
            for (int k = 0; k < 4; ++k)
                for (int bin = 0; bin < seen.bins; ++bin) {
                    const double u = (bin - more - beam.axisBins[0]) * 1.5, v = (20 + k - 25) * 1.2;
                    const double c = std::cos(rollRad), s = std::sin(rollRad);
                    const double from = beam.axisBins[0] + (c * u - s * v) / 1.5, at = 25 + (s * u + c * v) / 1.2;
                    if (from < 0 || from > detectorBins - 1 || at < 0 || at > detectorRows - 1)
                        continue;
                    ++compared;
                    const float value = seen.values[(static_cast<std::size_t>(k) * 30 + 7) * seen.bins + bin];
                    QVERIFY(std::abs(value - planeAt(from, at) - 7) < 1e-4);
                }
            QVERIFY(compared > 4 * 70);
        }
    }

    // A slice reads all rows that its rotated lines cross.
    void rowsAreRead()
    {
        const ConeBeam upright = beamAside(8, 0), leaning = beamAside(8, 0.1);
        const VolumeGrid grid{{20, 0, 0, 20, 20, 1}, 30, 1, 1};
        const RowRange few = rowsFor(upright, grid), many = rowsFor(leaning, grid);
        const int crossed = static_cast<int>(std::tan(0.1) * detectorBins * 1.5 / 1.2);
        QVERIFY(many.first <= std::max(0, few.first - crossed));
        QVERIFY(many.first + many.count >= std::min(detectorRows, few.first + few.count + crossed));
    }

    void countedInMemory()
    {
        const auto bytesOf = [](double offsetBins) {
            ConeBeam beam = beamAside(offsetBins, 0);
            beam.centralRow = beam.middleRow();
            Request request = requestFor(simulate(Simulation{}, beam), "exact");
            request.place.setSlices({detectorRows / 2, 4});
            return planVolume(request).bytes;
        };
        const double blank = 16.0 * 20 * 30 * sizeof(float);
        QVERIFY(bytesOf(8) >= bytesOf(0) + blank);
    }
};

SINOSCOPE_TEST(VirtualDetectorTest, QCoreApplication)
#include "virtual_detector_test.moc"
