// SPDX-License-Identifier: GPL-3.0-or-later
// Plans compared with what runs read and return.
#include "engine/backproject/method.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/resolve/resolve.h"
#include "tests/fixtures.h"

#include <functional>

using namespace engine;
using namespace fixtures;

namespace
{

using Change = std::function<void(Request&)>;

std::shared_ptr<const Scan> coneScan()
{
    Simulation simulation;
    simulation.phantom = Phantom::sheppLogan3d;
    simulation.size = 24;
    simulation.slices = 24;
    simulation.projections = 30;
    simulation.arcDeg = 360;
    ConeOptions cone;
    cone.sourceAxisMm = 100;
    cone.sourceDetectorMm = 150;
    cone.pixelUMm = cone.pixelVMm = 0.6;
    simulation.cone = cone;
    return simulate(simulation);
}

} // namespace

class ResolveTest : public QObject
{
    Q_OBJECT

  private slots:
    void runsFollowThePlan_data()
    {
        QTest::addColumn<bool>("isCone");
        QTest::addColumn<Change>("change");
        const auto row = [](const char* name, const Change& change, bool isCone = false) {
            QTest::newRow(name) << isCone << change;
        };
        row("whole slices", [](Request&) {});
        row("some slices", [](Request& request) { request.place.slices = {2, 3}; });
        row("a region", [](Request& request) { request.place.region = Region{5, 7, 11, 13}; });
        row("a preview", [](Request& request) { request.place.previewStep = 3; });
        row("a preview of a region", [](Request& request) {
            request.place.region = Region{5, 7, 11, 13};
            request.place.previewStep = 4;
        });
        row("a slab", [](Request& request) { request.place.slab = Slab{20, 22, 30, 17, 5}; });
        row("double precision", [](Request& request) { request.setting.kernel.method = "exact"; });
        row("rows with a halo", [](Request& request) {
            request.place.slices = {3, 2};
            request.setting.preparation.values = {{"zingers", 1}};
        });
        row("chosen by the program", [](Request& request) { request.setting.kernel.method = "auto"; });
        row("a tilted plane", [](Request& request) {
            request.place.slices = {0, 1};
            request.place.plane =
                Plane{.centre = {0, 0, 0}, .u = {1, 0, 0}, .v = {0, 0.6, 0.8}, .width = 9, .height = 5};
        });
        row(
            "slices of a cone",
            [](Request& request) {
                request.place.slices = {8, 5};
            },
            true);
        row(
            "a region of a cone",
            [](Request& request) {
                request.place.slices = {1, 2};
                request.place.region = Region{3, 4, 5, 6};
            },
            true);
    }

    void runsFollowThePlan()
    {
        QFETCH(const bool, isCone);
        QFETCH(const Change, change);
        auto scan = std::make_shared<Scan>(isCone ? *coneScan() : *smallScan(48, 36, 7));
        std::vector<RowRange> reads;
        scan->read = [&reads, read = scan->read](RowRange rows, std::stop_token stop) {
            reads.push_back(rows);
            return read(rows, std::move(stop));
        };
        scan->readFrames = {};
        Request request = requestFor(scan);
        request.place.slices = {0, scan->slices()};
        request.setting.axis.mode = AxisSettings::Mode::middle;
        change(request);
        validate(request);
        const Plan plan = resolve(request);
        const Reconstruction made = Reconstructor().run(request);
        QCOMPARE(made.method, std::string(plan.method->id));
        QCOMPARE(made.image.width, plan.section.grid.width);
        QCOMPARE(made.image.height, plan.section.grid.height);
        QVERIFY(made.grid == plan.section.grid);
        QCOMPARE(made.unit, std::string(plan.section.pixel.isInMm ? "1/mm" : "1/pixel"));
        QCOMPARE(reads.size(), std::size_t{1});
        QVERIFY(reads[0] == withHalo(plan.rows, plan.preparation, scan->rows));
        QVERIFY(!plan.route.mayPrepareOnDevice && !plan.route.filtersOnDevice); // the processor's methods don't
        QCOMPARE(plan.route.precision == FilterPrecision::float64, made.method == "exact");
    }

    // Voxels and pixels of a scan whose pixels are half a bin wide: slices lie one row of the detector apart.
    void lengths()
    {
        auto scan = std::make_shared<Scan>(*smallScan(48, 36, 7));
        auto& beam = std::get<ParallelBeam>(scan->geometry);
        beam.pixelBins = 0.5;
        beam.pixelSizeMm = 0.01;
        Request request = requestFor(scan);
        request.place.previewStep = 3;
        const Section whole = sectionOf(request);
        QCOMPARE(whole.voxel.slice / whole.voxel.pixel, 2.0);
        QCOMPARE(whole.pixel.across, 3 * whole.voxel.pixel);
        request.place.previewStep = 1;
        request.place.slices = {0, 1};
        request.place.plane = Plane{.centre = {}, .u = {1, 0, 0}, .v = {0, 0, 1}, .width = 9, .height = 5, .pixel = 2};
        const Section upright = sectionOf(request);
        QCOMPARE(upright.pixel.across, 2 * whole.voxel.pixel);
        QCOMPARE(upright.pixel.down, 2 * whole.voxel.slice);
        QCOMPARE(upright.volume.slices, 7);
    }

    // Another method changes what depends on it, and nothing else.
    void anotherMethod()
    {
        const Request request = requestFor(smallScan(48, 36, 2));
        const Plan usual = resolve(request), exact = resolve(request, yardstick());
        QVERIFY(usual.route.precision == FilterPrecision::float32 && exact.route.precision == FilterPrecision::float64);
        QVERIFY(exact.rows == usual.rows && exact.preparation.steps.size() == usual.preparation.steps.size());
        QVERIFY(exact.section.grid == usual.section.grid && exact.request == usual.request);
    }

    void impossible()
    {
        Request request = requestFor(smallScan(48, 36, 2), "nobody");
        QVERIFY(fails(ErrorKind::badRequest, {"nobody"}, [&] { resolve(request); }));
        request.setting.kernel.method = "ladder"; // for cone beams
        QVERIFY(fails(ErrorKind::badRequest, {"`ladder`", "parallel beam"}, [&] { resolve(request); }));
    }
};

SINOSCOPE_TEST(ResolveTest, QCoreApplication)
#include "resolve_test.moc"
