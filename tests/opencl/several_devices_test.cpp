// SPDX-License-Identifier: GPL-3.0-or-later
// Volumes whose slices several OpenCL devices share, or one with the processor. PoCL makes two devices of a processor.
#include "engine/measure/benchmark_json.h"
#include "engine/volume/reconstruct_volume.h"
#include "tests/opencl/opencl.h"

#include <QTemporaryDir>

#include <fstream>

using namespace engine;
using namespace fixtures;

namespace
{

struct Made {
    Volume volume;
    Reconstruction sum;
};

Made madeOn(const std::vector<DeviceSettings>& devices)
{
    Request request = requestFor(smallScan(64, 60, 48), "auto");
    request.resources.device = devices.front();
    request.resources.others.assign(devices.begin() + 1, devices.end());
    Made made{Volume(48, 64, 64), {}};
    std::ranges::fill(made.volume.values, notANumber);
    made.sum = reconstructVolume(request, planVolume(request), [&](Reconstruction& group, const std::stop_token&) {
        std::ranges::copy(group.image.values, made.volume.slice(group.request.place.slices().first).begin());
    });
    return made;
}

int slicesOf(const Made& made)
{
    int slices = 0;
    for (const DeviceShare& share : made.sum.shares)
        slices += share.slices;
    return slices;
}

} // namespace

class SeveralDevicesTest : public QObject
{
    Q_OBJECT

  private slots:
    void initTestCase()
    {
        if (!qEnvironmentVariableIsSet("OCL_ICD_VENDORS")) // not on a machine with GPUs
            qputenv("POCL_DEVICES", "pthread pthread");
        SINOSCOPE_NEEDS_OPENCL();
        if (openClDevices().devices.size() < 2)
            QSKIP("there is one OpenCL device");
        if (openClDevices().devices[0].name != openClDevices().devices[1].name)
            QSKIP("the OpenCL devices differ, so their bits may");
    }

    // A benchmark's run is shared as well: all slices are counted, and the limit is that of both devices.
    void benchmarkOfTwoDevices()
    {
        BenchmarkOptions options;
        options.size = 64;
        options.projections = 32;
        options.slices = 24;
        options.slicesPerPass = 4;
        options.repeat = 1;
        options.interpolation = Interpolation::linear;
        options.precision = Precision::single;
        options.methods = {"texture-opencl"};
        options.device = {"opencl", 0};
        std::vector<BenchmarkRow> one = benchmarkMethods(options);
        options.others = {{"opencl", 1}};
        std::vector<BenchmarkRow> two = benchmarkMethods(options);
        QCOMPARE(two.front().device, std::string("opencl,opencl:1"));
        QCOMPARE(two.front().slices, 24);
        addLimits(one);
        addLimits(two);
        QCOMPARE(two.front().limits.front().gups > one.front().limits.front().gups, true);
        QTemporaryDir folder;
        const std::string file = folder.filePath("report.json").toStdString();
        std::ofstream(file) << benchmarkJson(benchmarkOf(options, two));
        QCOMPARE(readBenchmark(file).rows.front().device, two.front().device);
        options.slices = 4; // less than a pass of each
        QCOMPARE(benchmarkMethods(options).front().slices, 8);
        options.geometry = "cone";
        options.slicesPerPass = 1;
        options.slices = 0;
        options.methods = {"texture-opencl"};
        QCOMPARE(benchmarkMethods(options).front().slices, 64);
    }

    void sameBitsFromTwoDevices()
    {
        const Made one = madeOn({{"opencl", 0}}), two = madeOn({{"opencl", 0}, {"opencl", 1}});
        QVERIFY(one.volume.values == two.volume.values);
        QCOMPARE(two.sum.shares.size(), std::size_t(2));
        QCOMPARE(slicesOf(two), 48);
    }

    void besideTheProcessor()
    {
        const Made alone = madeOn({{"cpu", 0}}), both = madeOn({{"opencl", 1}, {"cpu", 0}});
        const double error = relativeError(both.volume.values, alone.volume.values);
        QVERIFY2(error < 1e-5, qPrintable(QString::number(error)));
        QCOMPARE(slicesOf(both), 48);
    }
};

SINOSCOPE_TEST(SeveralDevicesTest, QCoreApplication)
#include "several_devices_test.moc"
