// SPDX-License-Identifier: GPL-3.0-or-later
// Slices of a cone beam's volume that no ray meets are zero, with any method and any number of slices per pass.
#include "engine/backends/backend.h"
#include "engine/backends/support.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/scan/cone_options.h"
#include "engine/volume/reconstruct_volume.h"
#include "engine/volume/volume_plan.h"
#include "tests/fixtures.h"

using namespace engine;
using namespace fixtures;

namespace
{

// Returns a scan of 12 projections of 54 rows and 40 bins, whose middle lies 15 rows away from the central ray, with
// a volume of the given number of slices.
std::shared_ptr<const Scan> displacedScan(int slices)
{
    Simulation simulation;
    simulation.phantom = Phantom::ball;
    simulation.size = 40;
    simulation.projections = 12;
    simulation.slices = 54;
    simulation.arcDeg = 360;
    simulation.cone.emplace();
    simulation.cone->sourceAxisMm = 200;
    simulation.cone->sourceDetectorMm = 300;
    simulation.cone->pixelUMm = 1;
    simulation.cone->offsetVMm = 15;
    simulation.cone->slices = slices;
    return simulate(simulation);
}

Values volumeBy(Request request, int slicesPerPass)
{
    request.setting.kernel.slicesPerPass = slicesPerPass;
    Values values;
    const Reconstruction made =
        reconstructVolume(request, planVolume(request), [&](const Reconstruction& group, std::stop_token) {
            values.insert(values.end(), group.image.values.begin(), group.image.values.end());
        });
    if (std::ranges::count_if(made.notes, [](const Note& note) { return contains(note, "outside the cone"); }) != 1)
        qWarning("one note says how many slices are outside the cone");
    return values;
}

} // namespace

class ConeOutsideTest : public QObject
{
    Q_OBJECT
  private slots:
    void slicesThatNoRayMeetsAreZero()
    {
        const std::shared_ptr<const Scan> scan = displacedScan(100);
        QCOMPARE(scan->slices(), 100);
        Request request = requestFor(scan, "exact");
        request.place.setSlices({0, 100});
        const Reconstruction all = Reconstructor().run(request);
        QVERIFY(mentions(all.notes, "outside the cone and are met by no ray"));
        std::vector<bool> isZero, isOutside;
        for (int k = 0; k < 100; ++k)
            isZero.push_back(std::ranges::all_of(all.image.slice(k), [](float value) { return value == 0; }));
        for (int k = 0; k < 100; ++k) { // each slice alone equals that slice among the others
            request.place.setSlices({k, 1});
            const Reconstruction one = Reconstructor().run(request);
            QVERIFY2(std::ranges::equal(one.image.slice(0), all.image.slice(k)), qPrintable(QString::number(k)));
            isOutside.push_back(mentions(one.notes, "1 slice lies outside the cone and is met by no ray"));
        }
        const auto outside = std::ranges::count(isOutside, true);
        QVERIFY2(outside > 20 && outside < 80, qPrintable(QString::number(outside)));
        QVERIFY(mentions(all.notes, std::to_string(outside) + " slices lie outside"));
        for (std::size_t k = 1; k + 1 < 100; ++k) // interpolation reaches half a pixel beyond the last rays
            if (isOutside[k - 1] && isOutside[k] && isOutside[k + 1])
                QVERIFY2(isZero[k], qPrintable(QString::number(k)));
    }

    void volumesDoNotDependOnSlicesPerPass()
    {
        const std::shared_ptr<const Scan> scan = displacedScan(100);
        for (const Method* method : methodsFor(scan->geometry)) {
            if (!method->backend->isProcessor || method->isReference)
                continue;
            Request request = requestFor(scan, method->id);
            request.place.setSlices({0, 100});
            std::optional<Values> first;
            for (const int slices : method->slicesPerPass) {
                const Values volume = volumeBy(request, slices);
                QCOMPARE(volume.size(), std::size_t(100) * 40 * 40);
                if (!first)
                    first = volume;
                QVERIFY2(relativeError(volume, *first) < 1e-6, qPrintable(QString::number(slices)));
            }
        }
    }

    // Slices at both ends of the volume are outside the cone, and only one row is read for them; the slices between
    // are inside.
    void memoryCountsWhereTheConeIs()
    {
        const auto bytesOf = [](int slices) {
            auto scan = std::make_shared<Scan>(*displacedScan(slices));
            auto& beam = std::get<ConeBeam>(scan->geometry);
            beam.anglesRad = evenAngles(20000, 2 * std::numbers::pi); // the projections' rows then need most memory
            Request request = requestFor(scan);
            request.place.setSlices({0, slices});
            request.setting.kernel.slicesPerPass = 16;
            return bytesOfOnePass(request);
        };
        const double inside = bytesOf(54), tall = bytesOf(400);
        QVERIFY2(tall > 0.99 * inside, qPrintable(QStringLiteral("%1 of %2").arg(tall).arg(inside)));
    }
};

SINOSCOPE_TEST(ConeOutsideTest, QCoreApplication)
#include "cone_outside_test.moc"
