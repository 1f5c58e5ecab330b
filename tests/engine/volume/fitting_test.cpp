// SPDX-License-Identifier: GPL-3.0-or-later
// Suggestions of what would fit if a volume needs too much memory or disk space: they are given and correct.
#include "engine/base/number_text.h"
#include "engine/io/slices/slice_writer.h"
#include "engine/request/section.h"
#include "engine/volume/fitting_alternatives.h"
#include "engine/volume/volume_needs.h"
#include "engine/volume/volume_plan.h"
#include "engine/volume/write_volume.h"
#include "tests/fixtures.h"

#include <QTest>

#include <array>

using namespace engine;
using namespace fixtures;

namespace
{

// Returns a request for a large detector, whose scan cannot actually be read.
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

std::vector<Fit> fitsOf(const Request& request, std::optional<double> freeBytes)
{
    return fitsFor(std::array{WantedVolume{request, {.path = "v.h5"}, freeBytes}});
}

// Returns the request for a scan that is opened with the reduction.
Request joinedRequest(const Request& request, const Fit& fit)
{
    Request smaller = request;
    auto scan = std::make_shared<Scan>(*request.scan);
    reduceFacts(*scan, *fit.reduction);
    if (fit.size)
        std::get<ParallelBeam>(scan->geometry).sliceSize = fit.size->first;
    smaller.place.setSlices({0, scan->slices()});
    smaller.scan = scan;
    return smaller;
}

std::string optionsOf(const Fit& fit)
{
    return fit.options.in(commandLineStyle());
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
        const std::vector<Fit> fits = fitsOf(request, {});
        QVERIFY(fits.size() >= 2);
        QCOMPARE(optionsOf(fits[0]), std::string("--bin 2"));
        QVERIFY(contains(fits[0].takes, "2048 slices of 4096 × 4096 pixels"));
        QCOMPARE(optionsOf(fits[1]).substr(0, 8), std::string("--every "));
        for (const Fit& fit : fits) { // each one fits
            Request smaller = request;
            if (fit.reduction) {
                auto scan = std::make_shared<Scan>(*request.scan);
                reduceFacts(*scan, *fit.reduction);
                smaller.place.setSlices({0, scan->slices()});
                smaller.scan = scan;
            }
            if (fit.region)
                smaller.place.setRegion(fit.region);
            if (fit.slices)
                smaller.place.setSlices(*fit.slices);
            QVERIFY2(planVolume(smaller).bytes <= 600e6, optionsOf(fit).c_str());
        }
        QVERIFY(fitsForSlices(request).front().reduction == (Reduction{.bin = 2, .every = 1, .leftOut = {}}));
        QVERIFY(contains(fitsText(fits), "These would fit: --bin 2 ("));
    }

    // A volume of 1.1 TB on disk.
    void ofDisk()
    {
        const Request request = largeRequest(40e9);
        const std::vector<Fit> fits = fitsOf(request, 200e9);
        QVERIFY(!fits.empty());
        QCOMPARE(optionsOf(fits[0]), std::string("--bin 2"));
        for (const Fit& fit : fits)
            QVERIFY2(!optionsOf(fit).starts_with("--every"), optionsOf(fit).c_str()); // makes the volume no smaller
        const auto region = std::ranges::find_if(fits, [](const Fit& fit) { return fit.region.has_value(); });
        QVERIFY(region != fits.end());
        QVERIFY(4.0 * region->region->width * region->region->height * 4096 <= 200e9);
        const auto slices = std::ranges::find_if(fits, [](const Fit& fit) { return fit.slices.has_value(); });
        QVERIFY(slices != fits.end() && 4.0 * 8192 * 8192 * slices->slices->count <= 200e9);
        QVERIFY(fitsOf(request, 1).empty());
    }

    // A scan that is reduced already needs a further reduction.
    void ofReducedOnes()
    {
        Request request = largeRequest(400e6);
        auto scan = std::make_shared<Scan>(*request.scan);
        reduceFacts(*scan, {.bin = 2, .every = 1, .leftOut = {{0, 10}}});
        request.place.setSlices({0, scan->slices()});
        request.scan = scan;
        const std::vector<Fit> fits = fitsOf(request, {});
        QVERIFY(!fits.empty());
        QCOMPARE(optionsOf(fits[0]), std::string("--bin 4"));
        QVERIFY(fits[0].reduction->leftOut == (std::vector<RowRange>{{0, 10}}));
    }

    // Slices of a requested size cover the same area with larger pixels: the number of pixels falls by the same
    // factor.
    void ofASizeThatWasSaid()
    {
        Request request = largeRequest(2e9);
        auto scan = std::make_shared<Scan>(*request.scan);
        std::get<ParallelBeam>(scan->geometry).sliceSize = 24000;
        request.scan = scan;
        const std::vector<Fit> fits = fitsOf(request, {});
        QVERIFY(fits.size() >= 2);
        QCOMPARE(optionsOf(fits[0]), std::string("--bin 2 --size 12000"));
        QVERIFY2(contains(fits[0].takes, "of 12000 × 12000 pixels"), fits[0].takes.c_str());
        QVERIFY(planVolume(joinedRequest(request, fits[0])).bytes <= 2e9);
        const auto region = std::ranges::find_if(fits, [](const Fit& fit) { return fit.region.has_value(); });
        QVERIFY(region != fits.end() && region->region->column == (24000 - region->region->width) / 2);
        // Pixels whose size the user requested keep this size.
        std::get<ParallelBeam>(scan->geometry).pixelBins = 0.5;
        for (const Fit& fit : fitsOf(request, {}))
            QVERIFY2(!contains(optionsOf(fit), "--bin 2 --size"), optionsOf(fit).c_str());
        // Requested slices are counted in binned rows.
        request = largeRequest(600e6);
        request.place.setSlices({100, 50});
        QCOMPARE(optionsOf(fitsOf(request, {})[0]), std::string("--bin 2 --slices 50:75"));
    }

    // Volumes that would fit alone, but not together: a suggestion holds for all of them.
    void ofSeveralTogether()
    {
        const Request small = largeRequest(40e9, 256), large = largeRequest(40e9, 1024);
        const double each = 4.0 * 8192 * 8192 * 1024, free = 1.1 * each; // bytes of the larger one
        QVERIFY(each < free);
        std::vector<WantedVolume> all{{small, {.path = "a.h5"}, free, 7}, {large, {.path = "b.h5"}, free, 7}};
        const std::vector<Fit> fits = fitsFor(all);
        QVERIFY(!fits.empty());
        QCOMPARE(optionsOf(fits[0]), std::string("--bin 2"));
        QVERIFY2(contains(fits[0].takes, "together up to "), fits[0].takes.c_str());
        double sum = 0;
        for (const WantedVolume& one : all) {
            const VolumeGrid grid = sectionOf(joinedRequest(one.request, fits[0])).grid;
            sum += 4.0 * grid.width * grid.height * grid.slices;
        }
        QVERIFY2(sum <= free && contains(fits[0].takes, sizeText(sum) + " of disk"), fits[0].takes.c_str());
        for (const Fit& fit : fits) // slices are not suggested, as the middle slices of the volumes differ
            QVERIFY2(!fit.slices, optionsOf(fit).c_str());
        all[1].disk = 8; // on separate disks both fit
        QVERIFY(!fitsFor(all).empty() && optionsOf(fitsFor(all)[1]).starts_with("--every"));
        // Their memory is not added up, as they are reconstructed one after the other.
        for (WantedVolume& one : all)
            one.request.resources.memoryLimitBytes = planVolume(large).bytes;
        QVERIFY(contains(optionsOf(fitsFor(all)[1]), "--every 2"));
    }

    // Suggestions are given in the error and in the plan.
    void isSaid()
    {
        const TemporaryFolder folder;
        const Request request = largeRequest(600e6, 64);
        const VolumeOutput output{.path = folder / "v.h5"};
        QVERIFY(fails(ErrorKind::noMemory, {"memory limit", "--bin 2 (32 slices", "--every"},
                      [&] { writeVolume(request, {}, output, {}, {}, {}); }));
        const VolumeNeeds needs = needsOf(request, output);
        QVERIFY(!needs.impossible.empty() && !needs.fits.empty());
        QVERIFY(needsOf(requestFor(smallScan()), output).fits.empty());
    }
};

SINOSCOPE_TEST(FittingTest, QCoreApplication)
#include "fitting_test.moc"
