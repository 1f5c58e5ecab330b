// SPDX-License-Identifier: GPL-3.0-or-later
// A volume shared by several devices: the images are the same, whichever device reconstructs which slices and
// whichever fails.
#include "engine/backends/devices.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/volume/reconstruct_volume.h"
#include "tests/fixtures.h"

#include <algorithm>
#include <atomic>

using namespace engine;
using namespace fixtures;

namespace
{

constexpr DeviceSettings processor{"cpu", 0};

Request sharedRequest(int devices)
{
    Simulation simulation;
    simulation.size = 48;
    simulation.projections = 60;
    simulation.slices = 30;
    simulation.photons = 1000; // noise makes all slices different
    static const auto scan = simulate(simulation);
    Request request = requestFor(scan);
    request.place.setSlices({0, 30});
    request.resources.others.assign(static_cast<std::size_t>(devices) - 1, processor);
    return request;
}

struct SharedVolume {
    Values values;
    Reconstruction facts;
};

SharedVolume sharedVolumeOf(const Request& request, const VolumePlan& plan, const VolumeProgress& progress = {})
{
    SharedVolume made;
    int next = request.place.slices().first;
    const auto write = [&](const Reconstruction& group, std::stop_token) {
        if (std::exchange(next, next + group.request.place.slices().count) != group.request.place.slices().first)
            throw Error(ErrorKind::output, "out of order");
        made.values.insert(made.values.end(), group.image.values.begin(), group.image.values.end());
    };
    made.facts = reconstructVolume(request, plan, write, progress);
    return made;
}

int slicesIn(const std::vector<DeviceShare>& shares)
{
    int slices = 0;
    for (const DeviceShare& share : shares)
        slices += share.slices;
    return slices;
}

} // namespace

class VolumeDevicesTest : public QObject
{
    Q_OBJECT

  private slots:
    void theSameWhoeverMakesIt()
    {
        const Values whole = Reconstructor().run(sharedRequest(1)).image.values;
        for (const int devices : {2, 3, 5})
            for (const int group : {1, 4, 30}) {
                const Request request = sharedRequest(devices);
                VolumePlan plan{.slicesPerGroup = group, .overlapped = true, .workers = devices};
                const SharedVolume made = sharedVolumeOf(request, plan);
                QVERIFY(made.values == whole);
                QCOMPARE(slicesIn(made.facts.shares), 30);
                double kernelGups = 0;
                for (const DeviceShare& share : made.facts.shares)
                    kernelGups += share.kernelGups;
                QVERIFY(std::abs(made.facts.kernelGups - kernelGups) < 1e-9 * kernelGups && kernelGups > 0);
                QVERIFY(made.facts.timings.axis.seconds >= 0);
            }
    }

    // Devices fail while they reconstruct a group. The others take over their slices; if the last device fails, the
    // processor replaces it, and the volume fails if the last device is the processor.
    void failuresAreMadeUpFor()
    {
        const Values whole = Reconstructor().run(sharedRequest(1)).image.values;
        for (const int failures : {1, 2}) {
            std::atomic<int> left = failures;
            const auto fail = [&left](double, const RowRange& group, Stage stage) {
                if (group.first > 4 && stage == Stage::backproject && left-- > 0)
                    throw Error(ErrorKind::device, "it fell off the bus");
            };
            const SharedVolume made =
                sharedVolumeOf(sharedRequest(3), VolumePlan{.slicesPerGroup = 2, .workers = 3}, fail);
            QVERIFY(made.values == whole);
            QCOMPARE(slicesIn(made.facts.shares), 30);
            int told = 0;
            for (const DeviceShare& share : made.facts.shares)
                told += share.failure.find("fell off the bus; the others took over its slices.") != std::string::npos;
            QCOMPARE(told, failures);
            QVERIFY(made.facts.notes.size() >= std::size_t(failures));
        }
        const auto all = [](double, const RowRange&, Stage stage) {
            if (stage == Stage::backproject)
                throw Error(ErrorKind::device, "they all fell off the bus");
        };
        QVERIFY(fails(ErrorKind::device, {"fell off the bus"},
                      [&] { sharedVolumeOf(sharedRequest(2), VolumePlan{.slicesPerGroup = 2, .workers = 2}, all); }));
    }

    // An error in the request is the same on all devices.
    void otherErrorsEndEverything()
    {
        const auto fail = [](double, const RowRange&, Stage stage) {
            if (stage == Stage::backproject)
                throw Error(ErrorKind::badRequest, "no");
        };
        QVERIFY(fails(ErrorKind::badRequest,
                      [&] { sharedVolumeOf(sharedRequest(3), VolumePlan{.slicesPerGroup = 2, .workers = 3}, fail); }));
    }

    // A group of recorded rows waits behind the reader, and each worker prepares another one. More flats make recorded
    // rows larger, and nothing else.
    void planCountsGroupsOfRecordedRows()
    {
        for (const int workers : {1, 2}) {
            Request request = sharedRequest(workers);
            request.resources.memoryLimitBytes = 4e9;
            const auto scan = std::make_shared<Scan>(*request.scan);
            request.scan = scan;
            const VolumePlan few = planVolume(request);
            scan->flatFrames += 1000;
            const VolumePlan many = planVolume(request);
            QVERIFY(few.overlapped && many.overlapped && few.workers == workers && many.workers == workers);
            QCOMPARE(many.slicesPerGroup, few.slicesPerGroup);
            const double group = 1000.0 * sizeof(float) * scan->bins() * few.slicesPerGroup;
            QVERIFY(std::abs(many.bytes - few.bytes - (1 + workers) * group) < 1);
        }
    }

    // The plan counts as many devices as the memory limit allows. For each device it includes the memory of a finished
    // image that waits until earlier slices are written.
    void planCountsThem()
    {
        Request request = sharedRequest(4);
        QCOMPARE(planVolume(request).workers, 4);
        const double ofFour = planVolume(request).bytes;
        request.resources.others.clear();
        QCOMPARE(planVolume(request).workers, 1);
        QVERIFY(planVolume(request).bytes < ofFour);
        request.resources.others.assign(63, processor);
        request.setting.kernel.slicesPerPass = 16;
        request.resources.memoryLimitBytes = 170.0 * (1 << 20);
        const VolumePlan plan = planVolume(request);
        QVERIFY(plan.workers < 64 && plan.workers > 1);
        QVERIFY(plan.bytes <= request.resources.memoryLimitBytes);
        const std::vector<Note> notes = sharedVolumeOf(request, plan).facts.notes;
        const std::string said =
            "The memory limit leaves room for " + std::to_string(plan.workers) + " of 64 devices at a time.";
        QCOMPARE(int(std::ranges::count(notes, Note(said))), 1);
    }

    void listsOfDevices()
    {
        for (const std::string text : {"auto", "cpu", "cuda", "cuda:2", "cuda:all", "cuda,cuda:2", "cuda:all,cpu"}) {
            Resources resources;
            setDevices(resources, text);
            QCOMPARE(devicesToText(resources), text);
        }
        Resources resources;
        for (const char* text : {"auto,cpu", "cpu,", ",", "", "cuda:every"})
            QVERIFY(fails(ErrorKind::badRequest, [&] { setDevices(resources, text); }));
        QVERIFY(fails(ErrorKind::badRequest, {"cuda:N or cuda:all", "cuda:0,cuda:2"},
                      [&] { setDevices(resources, "gpu"); }));
        setDevices(resources, "cpu");
        QCOMPARE(devicesOf(resources).size(), std::size_t(1));
        setDevices(resources, "cuda:all,cpu");
        const std::size_t gpus = cudaBackend.devices().devices.size();
        if (gpus > 0)
            QCOMPARE(devicesOf(resources).size(), gpus + 1);
        else
            QVERIFY(fails(ErrorKind::device, [&] { devicesOf(resources); }));
    }
};

SINOSCOPE_TEST(VolumeDevicesTest, QCoreApplication)
#include "volume_devices_test.moc"
