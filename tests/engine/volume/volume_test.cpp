// SPDX-License-Identifier: GPL-3.0-or-later
// Whole volumes: the stages overlap, stay within a memory limit, and give the same results.
#include "engine/backends/method.h"
#include "engine/base/machine.h"
#include "engine/io/slices/slice_writer.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/volume/reconstruct_volume.h"
#include "tests/fixtures.h"

#include <QFileInfo>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>

using namespace engine;
using namespace fixtures;

namespace
{

constexpr double mebi = 1 << 20;

std::shared_ptr<const Scan> sample(int size, int projections, int slices)
{
    Simulation simulation;
    simulation.size = size;
    simulation.projections = projections;
    simulation.slices = slices;
    simulation.photons = 1000; // noise makes all slices different
    return simulate(simulation);
}

Values volumeOf(const Request& request, const VolumePlan& plan)
{
    Values values;
    int next = request.place.slices().first;
    const Reconstruction made = reconstructVolume(request, plan, [&](const Reconstruction& group, std::stop_token) {
        if (group.request.place.slices().first != next)
            throw Error(ErrorKind::output, "out of order");
        next += group.request.place.slices().count;
        values.insert(values.end(), group.image.values.begin(), group.image.values.end());
    });
    if (!(made.request.place.slices() == request.place.slices()) ||
        next != request.place.slices().first + request.place.slices().count)
        throw Error(ErrorKind::output, "not all");
    return values;
}

// Runs the command line. Returns its peak resident memory in bytes; negative if it failed.
double peakOf(const std::vector<std::string>& arguments)
{
    std::vector<char*> argv;
    for (const std::string& argument : arguments)
        argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    pid_t child = 0;
    if (posix_spawn(&child, argv[0], nullptr, nullptr, argv.data(), environ) != 0)
        return -1;
    int status = 0;
    rusage used{};
    if (wait4(child, &status, 0, &used) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return -1;
    return used.ru_maxrss * 1024.0;
}

} // namespace

class VolumeTest : public QObject
{
    Q_OBJECT
    static bool holds(const RowRange& slices, int slice)
    {
        return slice >= slices.first && slice < slices.first + slices.count;
    }

  private slots:
    // Passes fill the processor's lanes, leave the stages something to overlap, and stay within the limit.
    void slicesPerPassByItself()
    {
        const auto scan = sample(64, 40, 200);
        Request request = requestFor(scan);
        const auto filled = [&](int slices, Precision precision = Precision::single) {
            request.place.setSlices({0, slices});
            request.setting.kernel.precision = precision;
            return slicesPerPassFor(request);
        };
        QCOMPARE(filled(1), 1);
        QCOMPARE(filled(7), 4);
        QCOMPARE(filled(16), 16);
        QCOMPARE(filled(200), 32);
        QCOMPARE(filled(200, Precision::half), 64);
        request.setting.kernel.precision = Precision::single;
        chooseSlicesPerPass(request);
        QCOMPARE(request.setting.kernel.slicesPerPass, 32);
        request.place.setSlices({0, 16});
        chooseSlicesPerPass(request);
        QCOMPARE(request.setting.kernel.slicesPerPass, 16);
        // A sinogram needs 10 KiB; with a limit close to the memory of the program alone, passes are smaller.
        request.place.setSlices({0, 200});
        request.resources.memoryLimitBytes = 160.0 * mebi + 1.5 * mebi;
        chooseSlicesPerPass(request);
        QVERIFY(request.setting.kernel.slicesPerPass < 32 && request.setting.kernel.slicesPerPass >= 1);
        QVERIFY(planVolume(request).bytes <= request.resources.memoryLimitBytes);
        request.resources.memoryLimitBytes = mebi; // nothing fits, which the plan reports
        chooseSlicesPerPass(request);
        QCOMPARE(request.setting.kernel.slicesPerPass, 1);
    }

    void overlapChangesNothing_data()
    {
        QTest::addColumn<QString>("method");
        QTest::addColumn<int>("group");
        for (const QString method : {"cpu", "exact"})
            for (const int group : {1, 3, 23, 100})
                QTest::addRow("%s, groups of %d", qPrintable(method), group) << method << group;
    }

    void overlapChangesNothing()
    {
        QFETCH(QString, method);
        QFETCH(int, group);
        static const auto scan = sample(48, 60, 30);
        Request request = requestFor(scan);
        request.setting.kernel.method = method.toStdString();
        request.place.setSlices({3, 23});
        const auto whole = Reconstructor().run(request).image.values;
        QVERIFY(volumeOf(request, {group, true}) == whole);
        QVERIFY(volumeOf(request, {group, false}) == whole);
    }

    void sumsTheStages()
    {
        auto scan = std::make_shared<Scan>(*sample(64, 60, 12));
        std::get<ParallelBeam>(scan->geometry).axisBins.clear();
        const Reconstruction made = reconstructVolume(requestFor(scan), {4, true}, [](const auto&, auto) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        });
        const Timings& times = made.timings;
        QVERIFY(times.read.seconds > 0 && times.prepare.seconds > 0 && times.axis.seconds > 0);
        QVERIFY(times.filter.seconds > 0 && times.kernelSeconds > 0 && times.elapsedSeconds > 0);
        QVERIFY(times.writeSeconds > 0.06);
        QCOMPARE(made.axisSource, std::string("automatic"));
        QCOMPARE(made.kernelGups, 12.0 * 64 * 64 * 60 / times.kernelSeconds / 1e9);
        QVERIFY(made.image.values.empty());
    }

    void progressRisesToItsEnd()
    {
        Request request = requestFor(sample(48, 60, 5));
        request.resources.threads = 1;
        std::vector<double> shares;
        reconstructVolume(
            request, {2, false}, [](const auto&, auto) {},
            [&](double share, const RowRange&, Stage) { shares.push_back(share); });
        QVERIFY(std::ranges::is_sorted(shares));
        QCOMPARE(shares.back(), 1.0);
    }

    // While the first group is written, the fourth is read; without overlap, only one group is in progress at any
    // time.
    void stagesOverlap()
    {
        for (const bool overlapped : {true, false}) {
            std::mutex mutex;
            std::condition_variable changed;
            int begun = 0, written = 0, mostAtOnce = 0;
            bool fourthCame = false;
            auto scan = std::make_shared<Scan>(*sample(16, 10, 10));
            scan->read = [&, original = scan->read](RowRange rows, std::stop_token stop) {
                {
                    const std::lock_guard lock(mutex);
                    ++begun;
                    mostAtOnce = std::max(mostAtOnce, begun - written);
                }
                changed.notify_all();
                return original(rows, stop);
            };
            const auto write = [&](const Reconstruction&, std::stop_token) {
                std::unique_lock lock(mutex);
                if (overlapped && written == 0) // the fourth read comes soon or never
                    fourthCame = changed.wait_for(lock, std::chrono::milliseconds(fixtures::patienceMs),
                                                  [&] { return begun >= 4; });
                ++written;
            };
            reconstructVolume(requestFor(scan), {1, overlapped}, write);
            QCOMPARE(written, 10);
            QCOMPARE(fourthCame, overlapped);
            QVERIFY(overlapped || mostAtOnce == 1);
        }
    }

    // Repaired values are counted over all groups.
    void notesAreOfAllGroups()
    {
        auto scan = std::make_shared<Scan>(*sample(32, 30, 20));
        scan->read = [original = scan->read](RowRange rows, std::stop_token stop) {
            RawRows raw = original(rows, stop);
            for (int row = 0; row < rows.count; ++row) // two faults per row in the second projection, one in row 0
                for (const int bin : rows.first + row == 0 ? std::vector{5} : std::vector{5, 20})
                    raw.data.floats()[(static_cast<std::size_t>(rows.count) + row) * 32 + bin] = notANumber;
            return raw;
        };
        const Reconstruction made = reconstructVolume(requestFor(scan), {4, true}, [](const auto&, std::stop_token) {});
        QCOMPARE(
            std::ranges::count_if(
                made.notes, [](const Note& note) { return contains(note, "39 values that are not numbers were"); }),
            1);
    }

    void anyErrorEndsAll_data()
    {
        QTest::addColumn<bool>("overlapped");
        QTest::addColumn<int>("where");
        for (const bool overlapped : {true, false})
            for (const int where : {0, 1, 2, 3})
                QTest::addRow("%s %d", overlapped ? "overlapped" : "one by one", where) << overlapped << where;
    }

    void anyErrorEndsAll()
    {
        QFETCH(bool, overlapped);
        QFETCH(int, where);
        auto scan = std::make_shared<Scan>(*sample(32, 30, 20));
        scan->read = [where, original = scan->read](RowRange rows, std::stop_token stop) {
            RawRows raw = original(rows, stop);
            if (holds(rows, 8) && where == 0)
                throw Error(ErrorKind::badFile, "can't be read");
            if (holds(rows, 8) && where == 1)
                raw.data.floats().pop_back(); // can't be prepared
            return raw;
        };
        Request request = requestFor(scan);
        const auto write = [where](const Reconstruction& made, std::stop_token) {
            if (holds(made.request.place.slices(), 8) && where == 2)
                throw Error(ErrorKind::output, "can't be written");
            if (holds(made.request.place.slices(), 8) && where == 3)
                throw std::bad_alloc();
        };
        try {
            reconstructVolume(request, {4, overlapped}, write);
            QFAIL("no error");
        } catch (const Error& error) {
            const ErrorKind kinds[] = {ErrorKind::badFile, ErrorKind::badRequest, ErrorKind::output};
            QVERIFY2(where < 3 && error.kind() == kinds[where], error.what());
        } catch (const std::bad_alloc&) {
            QCOMPARE(where, 3);
        }
    }

    void cancelsPromptly_data()
    {
        QTest::addColumn<QString>("during");
        QTest::addColumn<int>("group");
        for (const QString during : {"read", "computed", "written"})
            for (const int group : {0, 3, 7})
                QTest::addRow("group %d is %s", group, qPrintable(during)) << during << group;
    }

    // Another thread requests a stop while a group is read, computed or written: each stage may finish its current
    // work, and no file remains.
    void cancelsPromptly()
    {
        QFETCH(QString, during);
        QFETCH(int, group);
        static const auto simulated = sample(sanitized ? 64 : 256, sanitized ? 64 : 256, 32);
        const TemporaryFolder folder;
        std::stop_source stop;
        std::atomic<bool> asked = false;
        std::atomic<int> lateReads = 0, lateWrites = 0;
        const auto at = [&](const char* what, const RowRange& slices) {
            if (during == what && holds(slices, 4 * group) && !asked.exchange(true))
                std::jthread([&] { stop.request_stop(); }).join();
        };
        auto scan = std::make_shared<Scan>(*simulated);
        scan->read = [&, original = scan->read](RowRange rows, std::stop_token ended) {
            lateReads += stop.stop_requested();
            at("read", rows);
            return original(rows, ended);
        };
        QVERIFY(fails(ErrorKind::cancelled, [&] {
            SliceWriter writer(folder / "slices", "slice", {0, 32}, false, {});
            reconstructVolume(
                requestFor(scan), {4, true},
                [&](const Reconstruction& made, std::stop_token ended) {
                    lateWrites += stop.stop_requested();
                    at("written", made.request.place.slices());
                    writer.write(made, ended);
                },
                [&](double, const RowRange& slices, Stage stage) {
                    if (stage == Stage::backproject)
                        at("computed", slices);
                },
                stop.get_token());
        }));
        QVERIFY(lateReads <= 1 && lateWrites <= 1);
        QVERIFY(namesIn(folder.path()).empty());
    }

    void plansWithinTheLimit()
    {
        Request request = requestFor(sample(256, 200, 1));
        auto scan = std::make_shared<Scan>(*request.scan);
        scan->rows = 4000;
        request = requestFor(scan);
        const VolumePlan free = planVolume(request);
        QCOMPARE(free.limitBytes, machineMemoryBytes() / 2);
        QVERIFY(free.overlapped && free.slicesPerGroup >= 16 && free.slicesPerGroup <= 500);

        // Rows that are stored together are decompressed again for every group that has some of them.
        auto whole = std::make_shared<Scan>(*scan);
        whole->rowsTogether = 4000;
        QCOMPARE(planVolume(requestFor(whole)).slicesPerGroup, 4000);
        QVERIFY(!planVolume(requestFor(whole)).shortEnds && free.shortEnds);

        request.setting.kernel.slicesPerPass = 8;
        int before = 100000;
        for (const double limit : {1000 * mebi, 300 * mebi, 200 * mebi, 180 * mebi}) {
            request.resources.memoryLimitBytes = limit;
            const VolumePlan plan = planVolume(request);
            QVERIFY(plan.bytes <= limit && plan.limitBytes == limit);
            QVERIFY(plan.slicesPerGroup <= before && plan.slicesPerGroup % 8 == 0);
            before = plan.slicesPerGroup;
        }
        QVERIFY(!planVolume(request, false).overlapped);
        QVERIFY(planVolume(request, false).slicesPerGroup >= before);

        // The limit becomes too small for two groups simultaneously, then for one.
        bool oneByOne = false;
        for (double limit = 180 * mebi; limit > 0; limit -= mebi / 8) {
            request.resources.memoryLimitBytes = limit;
            try {
                oneByOne = !planVolume(request).overlapped;
            } catch (const Error& error) {
                QVERIFY(error.kind() == ErrorKind::noMemory);
                QVERIFY2(contains(error.what(), "memory limit"), error.what());
                break;
            }
        }
        QVERIFY(oneByOne);
    }

    // A separate process turns 320 MiB of projections into 300 MiB of slices.
    void staysWithinTheLimit()
    {
        if (sanitized)
            QSKIP("a sanitizer takes memory of its own");
        const std::string program = SINOSCOPE_BIN_DIR "/sinoscope-cli";
        const TemporaryFolder folder;
        const std::string scan = folder / "scan.h5";
        const std::string volume = folder / "volume.h5";
        QVERIFY(peakOf({program, "phantom", "disc", "--size", "256", "--projections", "256", "--slices", "1200",
                        "--output", scan}) > 0);
        QVERIFY(QFileInfo(QString::fromStdString(scan)).size() > 300 * mebi);
        for (const char* overlap : {"", "--no-overlap"}) {
            std::vector<std::string> arguments = {
                program,    "reconstruct", scan,          "--output",          volume, "--memory-limit", "240M",
                "--method", "cpu",         "--overwrite", "--slices-per-pass", "8"};
            if (*overlap)
                arguments.push_back(overlap);
            const double peak = peakOf(arguments);
            QVERIFY(peak > 0);
            QVERIFY2(peak < 240 * mebi, qPrintable(QString("%1 MiB %2").arg(peak / mebi).arg(overlap)));
            QVERIFY(QFileInfo(QString::fromStdString(volume)).size() > 300 * mebi);
        }
    }
};

SINOSCOPE_TEST(VolumeTest, QCoreApplication)
#include "volume_test.moc"
