// Whole volumes: the stages overlap, within a limit of memory, and change nothing.
#include "engine/backproject/method.h"
#include "engine/error.h"
#include "engine/io/write_slices.h"
#include "engine/machine.h"
#include "engine/reconstruct.h"
#include "engine/reconstruct_volume.h"
#include "engine/scan/phantom.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <chrono>
#include <cmath>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>

using namespace engine;

namespace
{

constexpr double mebi = 1 << 20;

std::shared_ptr<const Scan> sample(int size, int projections, int slices)
{
    Simulation simulation;
    simulation.size = size;
    simulation.projections = projections;
    simulation.slices = slices;
    simulation.photons = 1000; // every slice is another
    return simulate(simulation);
}

Request requestFor(std::shared_ptr<const Scan> scan)
{
    Request request;
    request.place.slices = {0, scan->rows};
    request.scan = std::move(scan);
    request.setting.kernel.method = "cpu";
    return request;
}

std::vector<float> volumeOf(const Request& request, const VolumePlan& plan)
{
    std::vector<float> values;
    int next = request.place.slices.first;
    const Reconstruction made = reconstructVolume(request, plan, [&](const Reconstruction& group, std::stop_token) {
        if (group.request.place.slices.first != next)
            throw Error(ErrorKind::output, "out of order");
        next += group.request.place.slices.count;
        values.insert(values.end(), group.image.values.begin(), group.image.values.end());
    });
    if (!(made.request.place.slices == request.place.slices) ||
        next != request.place.slices.first + request.place.slices.count)
        throw Error(ErrorKind::output, "not all");
    return values;
}

double secondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Runs the command line; its largest resident memory in bytes, negative when it failed.
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
  private slots:
    // Lanes are filled, and passes leave stages something to overlap and stay within the limit.
    void slicesPerPassByItself()
    {
        const auto scan = sample(64, 40, 200);
        Request request = requestFor(scan);
        const auto filled = [&](int slices, Precision precision = Precision::single) {
            request.place.slices.count = slices;
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
        request.place.slices.count = 16;
        chooseSlicesPerPass(request);
        QCOMPARE(request.setting.kernel.slicesPerPass, 16);
        // A sinogram takes 10 KiB; with a limit close to that of the program alone, passes are smaller.
        request.place.slices.count = 200;
        request.resources.memoryLimitBytes = 160.0 * mebi + 1.5 * mebi;
        chooseSlicesPerPass(request);
        QVERIFY(request.setting.kernel.slicesPerPass < 32 && request.setting.kernel.slicesPerPass >= 1);
        QVERIFY(planVolume(request).bytes <= request.resources.memoryLimitBytes);
        request.resources.memoryLimitBytes = mebi; // nothing fits: the plan says so
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
        request.place.slices = {3, 23};
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

    // A stage that waits doesn't keep the others from working.
    void stagesOverlap()
    {
        constexpr auto wait = std::chrono::milliseconds(50);
        auto scan = std::make_shared<Scan>(*sample(16, 10, 10));
        scan->read = [original = scan->read, wait](RowRange rows, std::stop_token stop) {
            std::this_thread::sleep_for(wait);
            return original(rows, stop);
        };
        const auto write = [wait](const Reconstruction&, std::stop_token) { std::this_thread::sleep_for(wait); };
        const auto seconds = [&](bool overlapped) {
            return reconstructVolume(requestFor(scan), {1, overlapped}, write).timings.elapsedSeconds;
        };
        const double oneByOne = seconds(false), overlapped = seconds(true);
        QVERIFY(oneByOne >= 1);
        QVERIFY2(overlapped < 0.75 * oneByOne, qPrintable(QString("%1 s for %2 s").arg(overlapped).arg(oneByOne)));
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
            if (rows.first == 8 && where == 0)
                throw Error(ErrorKind::badFile, "can't be read");
            if (rows.first == 8 && where == 1)
                raw.data.pop_back(); // can't be prepared
            return raw;
        };
        Request request = requestFor(scan);
        const auto write = [where](const Reconstruction& made, std::stop_token) {
            if (made.request.place.slices.first == 8 && where == 2)
                throw Error(ErrorKind::output, "can't be written");
            if (made.request.place.slices.first == 8 && where == 3)
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
        QTest::addColumn<int>("afterMs");
        for (const int ms : {0, 10, 100, 300, 700, 1200})
            QTest::addRow("after %d ms", ms) << ms;
    }

    void cancelsPromptly()
    {
        QFETCH(int, afterMs);
        static const auto scan = sample(1024, 1024, 32);
        QTemporaryDir folder;
        std::stop_source stop;
        std::chrono::steady_clock::time_point asked;
        std::jthread killer([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(afterMs));
            asked = std::chrono::steady_clock::now();
            stop.request_stop();
        });
        bool cancelled = false;
        try {
            while (true) { // a fast machine is done before, and begins again
                SliceWriter writer(folder.filePath("slices").toStdString(), "slice", {0, 32}, false, {});
                reconstructVolume(
                    requestFor(scan), {4, true},
                    [&writer](const Reconstruction& made, std::stop_token asked) { writer.write(made, asked); }, {},
                    stop.get_token());
            }
        } catch (const Error& error) {
            cancelled = error.kind() == ErrorKind::cancelled;
        }
        killer.join();
        const double late = secondsSince(asked);
        qInfo("%.1f ms after being asked", late * 1e3);
        QVERIFY(cancelled);
        QVERIFY(QDir(folder.path()).isEmpty());
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
        QVERIFY(late < 2); // sanitizers are many times slower
#else
        QVERIFY(late < 0.1); // 50 ms on a machine that does nothing else
#endif
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

        // Too little for two groups at once, then for one.
        bool oneByOne = false;
        for (double limit = 180 * mebi; limit > 0; limit -= mebi / 8) {
            request.resources.memoryLimitBytes = limit;
            try {
                oneByOne = !planVolume(request).overlapped;
            } catch (const Error& error) {
                QVERIFY(error.kind() == ErrorKind::badRequest);
                QVERIFY2(QString(error.what()).contains("memory limit"), error.what());
                break;
            }
        }
        QVERIFY(oneByOne);
    }

    // 320 MiB of projections become 300 MiB of slices in a process of its own.
    void staysWithinTheLimit()
    {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
        QSKIP("a sanitizer takes memory of its own");
#endif
        const std::string program = SINOSCOPE_BIN_DIR "/sinoscope-cli";
        QTemporaryDir folder;
        const std::string scan = folder.filePath("scan.h5").toStdString();
        const std::string volume = folder.filePath("volume.h5").toStdString();
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
            qInfo("%.0f MiB %s", peak / mebi, overlap);
            QVERIFY(peak > 0);
            QVERIFY(peak < 240 * mebi);
            QVERIFY(QFileInfo(QString::fromStdString(volume)).size() > 300 * mebi);
        }
    }
};

QTEST_GUILESS_MAIN(VolumeTest)
#include "volume_test.moc"
