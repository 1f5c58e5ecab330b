// SPDX-License-Identifier: GPL-3.0-or-later
// What a line in the list of backends gives to a new one: devices, methods, refusals, limits, `verify`, the benchmark,
// volumes, the command line and the window.
#include "engine/backends/devices.h"
#include "engine/base/error.h"
#include "engine/measure/benchmark.h"
#include "engine/measure/verify.h"
#include "engine/options/options.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/resolve/resolve.h"
#include "engine/volume/reconstruct_volume.h"
#include "tests/counting/counting_backend.h"
#include "tests/fixtures.h"
#include "ui/settings/device_combo.h"

#include <QProcess>
#include <QSignalSpy>

using namespace engine;
using namespace fixtures;

namespace
{

Request countingRequest(const std::string& device)
{
    Request request = requestFor(smallScan(), "auto");
    setDevices(request.resources, device);
    return request;
}

QByteArray outputOf(const QStringList& arguments, int status)
{
    QProcess process;
    process.start(QStringLiteral(SINOSCOPE_COUNTING_CLI), arguments);
    process.waitForFinished(-1);
    return process.exitCode() == status ? process.readAllStandardOutput() + process.readAllStandardError()
                                        : QByteArray();
}

} // namespace

class CountingTest : public QObject
{
    Q_OBJECT

  private slots:
    void reconstructs()
    {
        const int before = countedLaunches(1);
        const Reconstruction made = Reconstructor().run(countingRequest("counting:1"));
        QCOMPARE(countedLaunches(1), before + 1);
        QCOMPARE(made.method, std::string("counting"));
        QCOMPARE(made.device, std::string("Counter 1"));
        Request processors = countingRequest("cpu");
        processors.setting.kernel.method = "cpu";
        QVERIFY(made.image.values == Reconstructor().run(processors).image.values);
    }

    // Whether `auto` considers it is a fact of the backend.
    void isUsedOnlyIfNamed()
    {
        QCOMPARE(resolve(countingRequest("auto")).method->backend->id,
                 resolve(countingRequest("cpu")).method->backend->id);
        Request request = countingRequest("auto");
        request.setting.kernel.method = "counting";
        QVERIFY(fails(ErrorKind::badRequest, {"a counting device", "choose the device counting"},
                      [&] { resolve(request); }));
        request.resources.device = {"cpu", 0};
        QVERIFY(fails(ErrorKind::badRequest, {"not on the processor"}, [&] { resolve(request); }));
    }

    void refuses()
    {
        QVERIFY(
            fails(ErrorKind::device, {"Counter 2", "it can't count"}, [] { resolve(countingRequest("counting:2")); }));
        QVERIFY(
            fails(ErrorKind::device, {"counting device 7", "0 to 2"}, [] { resolve(countingRequest("counting:7")); }));
        QVERIFY(fails(ErrorKind::badRequest, {"counting:N or counting:all"}, [] { countingRequest("abacus"); }));
        Request request = countingRequest("counting");
        request.setting.kernel.slicesPerPass = 8;
        QVERIFY(
            fails(ErrorKind::badRequest, {"reconstructs 1 slices simultaneously, not 8"}, [&] { resolve(request); }));
    }

    // All devices that can be used share the slices of a volume.
    void sharesAVolume()
    {
        Request request = countingRequest("counting:all");
        QCOMPARE(devicesOf(request.resources).size(), std::size_t(2));
        const int before = countedLaunches(0) + countedLaunches(1);
        int slices = 0;
        reconstructVolume(request, VolumePlan{.slicesPerGroup = 1, .workers = 2},
                          [&](const Reconstruction& group, std::stop_token) { slices += group.image.slices; });
        QCOMPARE(slices, request.place.slices().count);
        QVERIFY(countedLaunches(0) + countedLaunches(1) >= before + slices);
    }

    void isVerified()
    {
        VerifyOptions options;
        options.device = {"counting", 0};
        options.sizes = {33};
        options.projections = {40};
        options.largeSize = 0;
        const std::vector<VerifyCase> cases = verifyMethods(options);
        QVERIFY(!cases.empty());
        for (const VerifyCase& one : cases)
            QVERIFY2(one.method == "counting" && one.passed, one.method.c_str());
    }

    void isMeasured()
    {
        BenchmarkOptions options;
        options.size = 64;
        options.projections = 32;
        options.repeat = 2;
        options.device = {"counting", 1};
        options.interpolation = Interpolation::linear;
        const Benchmark made = benchmarkOf(options, benchmarkMethods(options));
        QVERIFY(!made.rows.empty());
        QCOMPARE(made.device, std::string("Counter 1"));
        for (const BenchmarkRow& row : made.rows) {
            QCOMPARE(row.device, std::string("counting:1"));
            QCOMPARE(row.limits.front().unit, std::string("counters"));
        }
        QCOMPARE(made.peaks.of(countingBackend).front().name, std::string("counting:1"));
    }

    void theCommandLineHasIt()
    {
        QVERIFY(outputOf({"reconstruct", "--help"}, 0).contains("counting[:N|:all]"));
        const QByteArray methods = outputOf({"methods", "--variants"}, 0);
        QVERIFY2(methods.contains("counting: Counting") && methods.contains("counting:2") &&
                     methods.contains("it can't count"),
                 methods);
        QVERIFY(outputOf({"verify", "--device", "counting", "--geometry", "parallel"}, 0).contains("PASS"));
        QVERIFY(
            outputOf({"benchmark", "--device", "counting", "--size", "32", "--projections", "16", "--repeat", "1"}, 0)
                .contains("counting"));
        QVERIFY(outputOf({"verify", "--device", "counting:2"}, 1).contains("it can't count"));
    }

    // Its drivers are asked when the user chooses it.
    void theWindowHasIt()
    {
        ui::DeviceCombo combo;
        QSignalSpy wanted(&combo, &ui::DeviceCombo::devicesWanted);
        combo.setCurrentIndex(combo.findData("counting"));
        QTRY_COMPARE(wanted.count(), 1);
        combo.offer(countingBackend, countingBackend.devices());
        QCOMPARE(combo.text(), std::string("counting"));
        QCOMPARE(combo.currentText(), QString("Counter 0"));
        QVERIFY(combo.findText("All 2 counting devices") >= 0);
        QVERIFY(!combo.isPossible(combo.findData("counting:2")));
    }
};

SINOSCOPE_TEST(CountingTest, QApplication)
#include "counting_test.moc"
