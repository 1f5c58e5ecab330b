// What would fit where a volume takes too much: named, and true.
#include "engine/fitting.h"
#include "engine/io/write_slices.h"
#include "engine/volume_needs.h"
#include "engine/volume_plan.h"
#include "engine/write_volume.h"
#include "tests/fixtures.h"

#include <QTest>

using namespace engine;
using namespace fixtures;

namespace
{

// Of a large detector; nothing can be read of it.
Request largeRequest(double limitBytes, int rows = 4096)
{
    auto scan = std::make_shared<Scan>();
    scan->name = scan->path = "large.h5";
    scan->sampleType = "uint16";
    scan->bytesPerSample = 2;
    scan->rows = rows;
    scan->darkFrames = scan->flatFrames = 10;
    ParallelBeam beam;
    beam.bins = 8192;
    beam.anglesRad = evenAngles(6000);
    beam.axisBins = {4100};
    scan->geometry = beam;
    Request request = requestFor(scan);
    request.resources.memoryLimitBytes = limitBytes;
    return request;
}

} // namespace

class FittingTest : public QObject
{
    Q_OBJECT
  private slots:
    void ofMemory()
    {
        const Request request = largeRequest(600e6);
        QVERIFY(memoryObjection(request).has_value());
        QVERIFY(!memoryObjection(largeRequest(40e9)));
        const std::vector<Fit> fits = fitsFor(request, {.path = "v.h5"}, {});
        QVERIFY(fits.size() >= 2);
        QCOMPARE(fits[0].option, std::string("--bin 2"));
        QVERIFY(contains(fits[0].takes, "2048 slices of 4096 × 4096 pixels"));
        QCOMPARE(fits[1].option.substr(0, 8), std::string("--every "));
        for (const Fit& fit : fits) { // as they say
            Request smaller = request;
            if (fit.reduction) {
                auto scan = std::make_shared<Scan>(*request.scan);
                reduceFacts(*scan, *fit.reduction);
                smaller.place.slices = {0, scan->slices()};
                smaller.scan = scan;
            }
            if (fit.region)
                smaller.place.region = fit.region;
            if (fit.slices)
                smaller.place.slices = *fit.slices;
            QVERIFY2(planVolume(smaller).bytes <= 600e6, fit.option.c_str());
        }
        QVERIFY(fitsForSlices(request).front().reduction == (Reduction{.bin = 2, .every = 1, .leftOut = {}}));
        QVERIFY(contains(fitsText(fits), "These would fit: --bin 2 ("));
    }

    // A volume of 1.1 TB.
    void ofDisk()
    {
        const Request request = largeRequest(40e9);
        const std::vector<Fit> fits = fitsFor(request, {.path = "v.h5"}, 200e9);
        QVERIFY(!fits.empty());
        QCOMPARE(fits[0].option, std::string("--bin 2"));
        for (const Fit& fit : fits)
            QVERIFY2(!fit.option.starts_with("--every"), fit.option.c_str()); // as large as all
        const auto region = std::ranges::find_if(fits, [](const Fit& fit) { return fit.region.has_value(); });
        QVERIFY(region != fits.end());
        QVERIFY(4.0 * region->region->width * region->region->height * 4096 <= 200e9);
        const auto slices = std::ranges::find_if(fits, [](const Fit& fit) { return fit.slices.has_value(); });
        QVERIFY(slices != fits.end() && 4.0 * 8192 * 8192 * slices->slices->count <= 200e9);
        QVERIFY(fitsFor(request, {.path = "v.h5"}, 1).empty());
    }

    // Beyond what the scan is reduced by already.
    void ofReducedOnes()
    {
        Request request = largeRequest(400e6);
        auto scan = std::make_shared<Scan>(*request.scan);
        reduceFacts(*scan, {.bin = 2, .every = 1, .leftOut = {{0, 10}}});
        request.place.slices = {0, scan->slices()};
        request.scan = scan;
        const std::vector<Fit> fits = fitsFor(request, {.path = "v.h5"}, {});
        QVERIFY(!fits.empty());
        QCOMPARE(fits[0].option, std::string("--bin 4"));
        QVERIFY(fits[0].reduction->leftOut == (std::vector<RowRange>{{0, 10}}));
    }

    // Where it is refused, and in the plan.
    void isSaid()
    {
        const TemporaryFolder folder;
        const Request request = largeRequest(600e6, 64);
        const VolumeOutput output{.path = folder / "v.h5"};
        QVERIFY(fails(ErrorKind::badRequest, {"memory limit", "--bin 2 (32 slices", "--every"},
                      [&] { writeVolume(request, {}, output, {}, {}, {}); }));
        const VolumeNeeds needs = needsOf(request, output);
        QVERIFY(!needs.impossible.empty() && !needs.fits.empty());
        QVERIFY(needsOf(requestFor(smallScan()), output).fits.empty());
    }
};

SINOSCOPE_TEST(FittingTest, QCoreApplication)
#include "fitting_test.moc"
