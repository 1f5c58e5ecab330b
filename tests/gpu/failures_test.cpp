// SPDX-License-Identifier: GPL-3.0-or-later
// A GPU that fails at the n-th allocation or launch, for every n, and a user who cancels at any time: the error is
// clear, nothing leaks, and the next request gives the same values.
#include "tests/gpu/device.h"
#include "tests/gpu/hoard.h"
#include "tests/gpu/injected_failures.h"

#include "engine/options/options.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/resolve/resolve.h"
#include "engine/scan/cone_options.h"
#include "engine/simulate/phantom.h"
#include "engine/volume/reconstruct_volume.h"
#include "tests/fixtures.h"

#include <algorithm>
#include <thread>

using namespace engine;
using namespace fixtures;

class FailuresTest : public QObject
{
    Q_OBJECT

    // Granularity of GPU allocations: smaller leaks cannot be told from the driver's bookkeeping.
    static constexpr std::size_t piece = std::size_t{2} << 20;

    // Five passes with buffers larger than `piece`; the projections are split.
    static Request manyPasses(const std::string& method)
    {
        Request request = gpuRequestFor(smallScan(512, 700, 9), method, 2);
        request.resources.device = {"cuda", 0};
        return request;
    }

    // Returns how many calls the request needs (failEach); looks for lost memory, too.
    static int failuresOf(std::atomic<int>& countdown, ErrorKind kind, const Request& request)
    {
        Reconstructor().run(request);
        const std::size_t before = freeBytes();
        const FailedCalls calls = failEach(countdown, kind, request, 1, 0, [before] {
            const std::size_t now = freeBytes();
            return now + piece < before ? QStringLiteral("%1 bytes are lost").arg(before - now) : QString();
        });
        return calls.harmless > 0 ? -1 : calls.all; // each one is reported
    }

  private slots:
    void allocations()
    {
        SINOSCOPE_NEEDS_GPU();
        // Rays, counters, partial sums, filter (6), and six buffers for each of three slots.
        const int count = failuresOf(injectedFailures.allocations, ErrorKind::noMemory, manyPasses("alu"));
        qInfo("%d allocations", count);
        QVERIFY(count >= 25);
    }

    void launches()
    {
        SINOSCOPE_NEEDS_GPU();
        // Not `hybrid`, whose values depend on the order in which its blocks run.
        for (const char* method : {"standard", "texture", "alu"}) {
            const int count = failuresOf(injectedFailures.launches, ErrorKind::device, manyPasses(method));
            qInfo("%s: %d launches", method, count);
            QVERIFY(count >= 3 * 5); // filter, interleaving and back-projection of five passes
        }
    }

    // Every checked call that doesn't allocate, of slices, cone beams and planes whose recorded rows the GPU prepares.
    void calls()
    {
        SINOSCOPE_NEEDS_GPU();
        Simulation simulation;
        simulation.size = simulation.slices = 64;
        simulation.projections = 72;
        const std::shared_ptr<const Scan> parallel = simulate(simulation);
        simulation.arcDeg = 360;
        simulation.cone.emplace();
        simulation.cone->sourceAxisMm = 250;
        simulation.cone->sourceDetectorMm = 375;
        simulation.cone->pixelUMm = 1.5;
        const std::shared_ptr<const Scan> cone = simulate(simulation);
        struct Case {
            std::shared_ptr<const Scan> scan;
            const char* method;
            int perPass;
            const char* plane; // empty: slices
        };
        for (const Case& one : {Case{parallel, "alu", 4, ""},
                                {parallel, "tensor", 32, ""},
                                {cone, "columns", 16, ""},
                                {cone, "texture", 8, ""},
                                {cone, "shuffle", 1, ""},
                                {parallel, "texture", 1, "x=20"},
                                {cone, "texture", 1, "x=20"}}) {
            Request request = gpuRequestFor(one.scan, one.method, one.perPass);
            request.resources.device = {"cuda", 0};
            request.setting.axis.mode = AxisSettings::Mode::middle;
            request.setting.kernel.batch = std::holds_alternative<ConeBeam>(one.scan->geometry) ? 24 : 0;
            if (std::string(one.method) == "alu")
                request.place.setSlices({20, 10}); // three passes
            if (*one.plane)
                setField(option("plane"), request, one.plane);
            QVERIFY(resolve(request).route.mayPrepareOnDevice);
            const int count = failuresOf(injectedFailures.calls, ErrorKind::device, request);
            qInfo("%s %s: %d calls", one.method, one.plane, count);
            QVERIFY(count >= 20);
        }
    }

    // One of several devices that share a volume fails: the other reconstructs its slices, or the processor does if
    // both fail.
    void othersTakeOver()
    {
        SINOSCOPE_NEEDS_GPU();
        Request request = manyPasses("alu");
        request.resources.others = {request.resources.device};
        const auto made = [&](std::vector<DeviceShare>& shares) {
            Values values;
            const Reconstruction volume = reconstructVolume(
                request, {.slicesPerGroup = 2, .workers = 2}, [&values](const Reconstruction& group, std::stop_token) {
                    values.insert(values.end(), group.image.values.begin(), group.image.values.end());
                });
            shares = volume.shares;
            return values;
        };
        std::vector<DeviceShare> shares;
        const Values expected = made(shares);
        const auto failed = [&shares](const char* end) {
            return std::ranges::count_if(
                shares, [end](const DeviceShare& share) { return share.failure.find(end) != std::string::npos; });
        };
        QCOMPARE(failed("."), 0);
        int told = 0;
        for (const int launch : {3, 20, 45}) {
            injectedFailures.launches = launch;
            QVERIFY(made(shares) == expected);
            told += int(failed("; the others took over its slices."));
            injectedFailures.launches = 0;
        }
        QVERIFY2(told >= 2, qPrintable(QString::number(told)));
        std::atomic<bool> over = false;
        std::jthread breaking([&over] { // lets every launch fail
            while (!over)
                if (injectedFailures.launches == 0)
                    injectedFailures.launches = 1;
        });
        const Values byProcessor = made(shares);
        over = true;
        breaking.join();
        injectedFailures.launches = 0;
        QCOMPARE(failed("; the processor took over."), 1);
        QCOMPARE(byProcessor.size(), expected.size());
        double most = 0, largest = 0;
        for (std::size_t k = 0; k < expected.size(); ++k) {
            most = std::max(most, double(std::abs(expected[k] - byProcessor[k])));
            largest = std::max(largest, double(std::abs(expected[k])));
        }
        QVERIFY2(most < 1e-3 * largest, qPrintable(QString::number(most / largest)));
    }

    // If the program chooses the device, the processor takes over.
    void processorTakesOver()
    {
        SINOSCOPE_NEEDS_GPU();
        Request request = manyPasses("auto");
        request.resources.device = {};
        Reconstructor reconstructor;
        injectedFailures.launches = 7;
        const Reconstruction first = reconstructor.run(request);
        injectedFailures.launches = 0;
        QCOMPARE(first.method, std::string("cpu"));
        QVERIFY(contains(first.notes.back(), "the processor took over"));
        QVERIFY(reconstructor.run(request).method != "cpu");
    }

    // A reference is reconstructed whatever fails: by the processor in double precision, even if that GPU was named.
    void referenceIsMadeAllTheSame()
    {
        SINOSCOPE_NEEDS_GPU();
        Request request = manyPasses("exact-cuda");
        request.place.setSlices({4, 1});
        Reconstructor reconstructor;
        const Values expected = reconstructor.run(request).image.values;
        const std::size_t before = freeBytes();
        for (std::atomic<int>* countdown : {&injectedFailures.allocations, &injectedFailures.launches}) {
            int failures = 0;
            for (;; ++failures) {
                *countdown = failures + 1;
                const Reconstruction made = reconstructor.run(request);
                if (countdown->exchange(0) > 0) {
                    QCOMPARE(made.method, std::string("exact-cuda"));
                    QCOMPARE(made.image.values, expected);
                    break;
                }
                QCOMPARE(made.method, std::string("double"));
                QVERIFY(contains(made.notes.back(), "the processor took over"));
                QVERIFY(relativeError(made.image.values, expected) < 1e-7);
            }
            QVERIFY(failures >= 1);
        }
        QVERIFY(freeBytes() + piece >= before);
    }

    void cancelledAtEachStep()
    {
        SINOSCOPE_NEEDS_GPU();
        const Request request = manyPasses("alu");
        int steps = 0;
        const auto expected = Reconstructor()
                                  .run(
                                      request, [&](Stage, double) { ++steps; }, std::stop_token())
                                  .image.values;
        QVERIFY(steps >= 5);
        const std::size_t before = freeBytes();
        int cancelled = 0;
        for (int at = 1; at <= steps; ++at) {
            Reconstructor reconstructor;
            std::stop_source stop;
            int seen = 0;
            const auto onProgress = [&](Stage, double) {
                if (++seen == at)
                    stop.request_stop();
            };
            Values values;
            const auto error =
                errorOf([&] { values = reconstructor.run(request, onProgress, stop.get_token()).image.values; });
            if (error) {
                QCOMPARE(int(error->kind()), int(ErrorKind::cancelled));
                ++cancelled;
            } else {
                QCOMPARE(values, expected);
            }
            QCOMPARE(reconstructor.run(request).image.values, expected);
            reconstructor = Reconstructor();
            QVERIFY(freeBytes() + piece >= before);
        }
        qInfo("%d of %d steps", cancelled, steps);
        QVERIFY(cancelled >= 5);
    }
};

SINOSCOPE_TEST(FailuresTest, QCoreApplication)
#include "failures_test.moc"
