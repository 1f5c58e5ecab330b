// SPDX-License-Identifier: GPL-3.0-or-later
// Plans compared with what runs read and return.
#include "engine/backends/devices.h"
#include "engine/backends/measured_speeds.h"
#include "engine/backends/method.h"
#include "engine/options/options.h"
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

std::shared_ptr<const std::vector<MeasuredSpeed>> noSpeeds()
{
    return std::make_shared<const std::vector<MeasuredSpeed>>();
}

// A machine with a GPU 2 of that compute capability, and an OpenCL device without images.
template <int computeMajor>
Machine machineWith()
{
    Machine machine{.speeds = noSpeeds};
    machine.devices = [](const Backend& backend) -> const Devices& {
        static const Devices gpus = [] {
            Devices made;
            Device& gpu = made.devices.emplace_back();
            gpu.index = 2;
            gpu.name = "Model GPU";
            gpu.computeMajor = computeMajor;
            gpu.computeMinor = 5;
            return made;
        }();
        static const Devices others = [] {
            Devices made;
            Device& device = made.devices.emplace_back();
            device.name = "Model device";
            device.localBytes = 48 << 10;
            return made;
        }();
        return &backend == &cudaBackend ? gpus : &backend == &openClBackend ? others : backend.devices();
    };
    return machine;
}

// Fails where drivers are asked although the request names the processor.
Machine machineOfStrangers()
{
    return {.devices = [](const Backend& backend) -> const Devices& {
                if (!backend.isProcessor)
                    throw std::logic_error(std::string(backend.id) + " was asked");
                return backend.devices();
            },
            .speeds = noSpeeds};
}

} // namespace

class ResolveTest : public QObject
{
    Q_OBJECT

  private slots:
    // cuFFT is looked for only if a GPU is to filter with it, and its absence is a refusal.
    void cufftIsLookedFor()
    {
        Machine machine = machineWith<9>();
        machine.transformProblem = [](const Backend&) -> std::optional<std::string> {
            throw std::logic_error("cuFFT was looked for");
        };
        Request request = requestFor(smallScan(48, 36, 7), "auto");
        request.resources.device = {};
        QVERIFY(refusalsOf(request, machine).empty());
        request.setting.kernel.transform = FilterTransform::cufft;
        for (const Change& change : {Change([](Request& one) {
                                         one.resources.device = {"cpu", 0};
                                     }),
                                     Change([](Request& one) { one.setting.kernel.method = "exact-cuda"; }),
                                     Change([](Request& one) { one.setting.filter.window = Window::none; })}) {
            Request idle = request;
            change(idle);
            QVERIFY(refusalsOf(idle, machine).empty());
            QVERIFY(option("gpu-filter").idle(idle));
        }
        QVERIFY(!option("gpu-filter").idle(request));
        machine.transformProblem = [](const Backend&) { return std::optional<std::string>("there is no cuFFT"); };
        const std::vector<Refusal> refusals = refusalsOf(request, machine);
        QCOMPARE(refusals.size(), std::size_t(1));
        QVERIFY(refusals.front().text.plain().find("there is no cuFFT") != std::string::npos);
        machine.transformProblem = [](const Backend&) -> std::optional<std::string> { return std::nullopt; };
        QCOMPARE(resolve(request, machine).method->backend, &cudaBackend);
    }

    void runsFollowThePlan_data()
    {
        QTest::addColumn<bool>("isCone");
        QTest::addColumn<Change>("change");
        const auto row = [](const char* name, const Change& change, bool isCone = false) {
            QTest::newRow(name) << isCone << change;
        };
        row("whole slices", [](Request&) {});
        row("some slices", [](Request& request) { request.place.setSlices({2, 3}); });
        row("a region", [](Request& request) { request.place.setRegion(Region{5, 7, 11, 13}); });
        row("a preview", [](Request& request) { request.place.previewStep = 3; });
        row("a preview of a region", [](Request& request) {
            request.place.setRegion(Region{5, 7, 11, 13});
            request.place.previewStep = 4;
        });
        row("a slab", [](Request& request) {
            request.place.part = SlabPart{request.place.slices(), Slab{20, 22, 30, 17, 5}};
        });
        row("double precision", [](Request& request) { request.setting.kernel.method = "exact"; });
        row("rows with a halo", [](Request& request) {
            request.place.setSlices({3, 2});
            request.setting.preparation.values = {{"zingers", 1}};
        });
        row("chosen by the program", [](Request& request) { request.setting.kernel.method = "auto"; });
        row("a tilted plane", [](Request& request) {
            request.place.part =
                PlanePart{{.centre = {0, 0, 0}, .u = {1, 0, 0}, .v = {0, 0.6, 0.8}, .width = 9, .height = 5}};
        });
        row(
            "slices of a cone",
            [](Request& request) {
                request.place.setSlices({8, 5});
            },
            true);
        row(
            "a region of a cone",
            [](Request& request) {
                request.place.setSlices({1, 2});
                request.place.setRegion(Region{3, 4, 5, 6});
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
        request.place.setSlices({0, scan->slices()});
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
        request.place.part =
            PlanePart{Plane{.centre = {}, .u = {1, 0, 0}, .v = {0, 0, 1}, .width = 9, .height = 5, .pixel = 2}};
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

    // Plans for GPUs that this machine needn't have.
    void otherMachines()
    {
        Request request = requestFor(smallScan(48, 36, 40), "auto");
        request.resources.device = {};
        const Machine modern = machineWith<9>(), old = machineWith<7>();
        const Plan single = resolve(request, modern);
        QCOMPARE(std::string(single.method->id), std::string("alu"));
        QCOMPARE(single.deviceIndex, 2);
        QVERIFY(single.route.filtersOnDevice);
        request.place.setSlices({0, 40});
        QCOMPARE(slicesPerPassFor(request, modern), 32);
        QCOMPARE(slicesPerPassFor(request, old), 4);
        request.setting.kernel.method = "tensor";
        request.setting.kernel.slicesPerPass = 16;
        QVERIFY(fails(ErrorKind::badRequest, {"`tensor`", "8.0", "Model GPU", "7.5"}, [&] { resolve(request, old); }));
        request.resources.device = {"cuda", 1};
        QVERIFY(fails(ErrorKind::device, {"NVIDIA GPU 1"}, [&] { resolve(request, modern); }));
        request.resources.device = {"opencl", 0};
        request.setting.kernel = {.method = "texture-opencl"};
        QVERIFY(fails(ErrorKind::badRequest, {"Model device", "images"}, [&] { resolve(request, modern); }));
        request.setting.kernel.method = "auto";
        QCOMPARE(std::string(resolve(request, modern).method->id), std::string("alu-opencl"));
        request.resources.device = {"cpu", 0};
        QCOMPARE(std::string(resolve(request, machineOfStrangers()).method->id), std::string("cpu"));
    }

    // `auto` chooses what was measured faster on the machine's GPU, with its tuning.
    void measuredOnTheMachine()
    {
        Machine machine = machineWith<9>();
        machine.speeds = [] {
            const auto speed = [](const char* method, Interpolation interpolation, double gups) {
                return MeasuredSpeed{.device = "Model GPU",
                                     .geometry = "parallel",
                                     .method = method,
                                     .interpolation = interpolation,
                                     .kernelGups = gups};
            };
            std::vector<MeasuredSpeed> speeds;
            for (const auto interpolation : {Interpolation::linear, Interpolation::nearest}) {
                speeds.push_back(speed("alu", interpolation, 100));
                speeds.push_back(speed("texture", interpolation, 200));
            }
            return std::make_shared<const std::vector<MeasuredSpeed>>(std::move(speeds));
        };
        Request request = requestFor(smallScan(48, 36, 2), "auto");
        request.resources.device = {};
        // The weights of the texture unit are coarser, so that it doesn't replace `alu` where they show.
        QCOMPARE(std::string(resolve(request, machine).method->id), std::string("alu"));
        request.setting.kernel.interpolation = Interpolation::nearest;
        QCOMPARE(std::string(resolve(request, machine).method->id), std::string("texture"));
    }

    // Everything that is wrong is listed; the first is thrown.
    void refusals()
    {
        using About = Refusal::About;
        Request request = requestFor(smallScan(48, 36, 2));
        QVERIFY(refusalsOf(request).empty());
        request.place.setSlices({5, 1});
        request.setting.axis = {AxisSettings::Mode::given, 400};
        request.setting.kernel.method = "nobody";
        request.setting.filter.cutoff = -1;
        const std::vector<Refusal> found = refusalsOf(request);
        const auto count = [&](About about) { return std::ranges::count(found, about, &Refusal::about); };
        QCOMPARE(found.size(), std::size_t{4});
        QVERIFY(count(About::place) == 1 && count(About::setting) == 2 && count(About::method) == 1);
        QVERIFY(fails(ErrorKind::badRequest, {"slice 5", "0 to 1"}, [&] { resolve(request); }));
        QCOMPARE(refusalsOf(Request()).size(), std::size_t{1});
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
