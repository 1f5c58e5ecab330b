// SPDX-License-Identifier: GPL-3.0-or-later
// Projections that were recorded with a shift: the phantom is simulated with its own axis and height for each
// projection, and its slices are as good as without shifts.
#include "engine/compare/metrics.h"
#include "engine/io/geometry/angles_file.h"
#include "engine/io/open/open_scan.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/stages/stages.h"
#include "engine/volume/reconstruct_volume.h"
#include "tests/fixtures.h"

#include <fstream>

using namespace engine;
using namespace fixtures;

namespace
{

constexpr int shiftedSize = 96, shiftedProjections = 150, shiftedRows = 25;
constexpr int finerRows = 5; // simulated rows per row of the scan, so that shifts by fifths of a row are exact

Simulation simulatedUnshifted()
{
    Simulation simulation;
    simulation.phantom = Phantom::sheppLogan3d;
    simulation.size = shiftedSize;
    simulation.projections = shiftedProjections;
    simulation.counts = false;
    simulation.attenuation = 0.05;
    return simulation;
}

// Returns a scan in which projection p is shifted by bins[p] bins and fifths[p]/5 rows towards higher ones.
std::shared_ptr<const Scan> shiftedScan(const std::vector<double>& bins, const std::vector<int>& fifths)
{
    Simulation plain = simulatedUnshifted();
    plain.slices = shiftedRows;
    auto scan = std::make_shared<Scan>(*simulate(plain));
    std::vector<float> data;
    for (int p = 0; p < shiftedProjections; ++p) {
        Simulation of = simulatedUnshifted();
        of.slices = shiftedRows * finerRows;
        of.axisOffsetBins = bins[p];
        const auto fine = simulate(of);
        for (int row = 0; row < shiftedRows; ++row) {
            const int there = finerRows * row + finerRows / 2 - fifths[p]; // the fine row to appear in this row
            std::vector<float> line(shiftedSize, 0.0F);                    // zero above and below the object
            if (there >= 0 && there < of.slices) {
                const Values values = fine->readFrames({{p, 1}, {there, 1}, false}, {}).data.toFloats();
                line.assign(values.begin(), values.end());
            }
            data.insert(data.end(), line.begin(), line.end());
        }
    }
    auto& beam = std::get<ParallelBeam>(scan->geometry);
    beam.shiftBins = bins;
    for (const int each : fifths)
        beam.shiftRows.push_back(each / double(finerRows));
    if (std::ranges::all_of(fifths, [](int each) { return each == 0; }))
        beam.shiftRows.clear();
    scan->read = [data](RowRange range, std::stop_token) {
        RawRows raw;
        raw.rows = range;
        raw.bins = shiftedSize;
        raw.projections = shiftedProjections;
        Values values;
        for (int p = 0; p < shiftedProjections; ++p)
            values.insert(values.end(), data.begin() + (p * shiftedRows + range.first) * shiftedSize,
                          data.begin() + (p * shiftedRows + range.first + range.count) * shiftedSize);
        raw.data = Samples(std::move(values));
        return raw;
    };
    scan->readFrames = {};
    return scan;
}

std::vector<double> wanderingBins()
{
    std::vector<double> bins;
    for (int p = 0; p < shiftedProjections; ++p)
        bins.push_back(4.3 * std::sin(0.11 * p) + 0.37 * (p % 3));
    return bins;
}

double rmseOfShifted(const std::shared_ptr<const Scan>& scan, int slice, const char* method)
{
    Request request = requestFor(scan, method);
    request.place.setSlices({slice, 1});
    const Volume image = Reconstructor().run(request).image, truth = scan->exactImage(slice, whole(shiftedSize));
    Mask mask;
    mask.discRadius = 0.9;
    return compareImages(image.values, truth.values, shiftedSize, shiftedSize, mask).rmse;
}

std::string writtenShifts(const TemporaryFolder& folder, const std::string& text)
{
    const auto path = folder / "shifts.txt";
    std::ofstream(path) << text;
    return path.string();
}

} // namespace

class ShiftsTest : public QObject
{
    Q_OBJECT

  private slots:
    void binsAreExact()
    {
        const auto still =
            shiftedScan(std::vector<double>(shiftedProjections, 0.0), std::vector<int>(shiftedProjections, 0));
        const auto moved = shiftedScan(wanderingBins(), std::vector<int>(shiftedProjections, 0));
        for (const char* method : {"exact", "cpu", "double"}) {
            const double without = rmseOfShifted(still, shiftedRows / 2, method),
                         with = rmseOfShifted(moved, shiftedRows / 2, method);
            QVERIFY2(with < 1.03 * without, qPrintable(QString::number(with / without)));
        }
        auto forgotten = std::make_shared<Scan>(*moved);
        std::get<ParallelBeam>(forgotten->geometry).shiftBins.clear();
        QVERIFY(rmseOfShifted(forgotten, shiftedRows / 2, "cpu") > 2 * rmseOfShifted(moved, shiftedRows / 2, "cpu"));
    }

    void theAxisIsFoundThroughShifts()
    {
        auto scan = std::make_shared<Scan>(*shiftedScan(wanderingBins(), std::vector<int>(shiftedProjections, 0)));
        std::get<ParallelBeam>(scan->geometry).axisBins.clear();
        Request request = requestFor(scan);
        request.place.setSlices({shiftedRows / 2, 1});
        const Reconstruction made = Reconstructor().run(request);
        QVERIFY2(std::abs(made.axisBins - 47.5) < 0.25, qPrintable(QString::number(made.axisBins)));
        QCOMPARE(made.axisSource, "automatic");
        // A given axis also refers to the unshifted scan.
        request.setting.axis = {AxisSettings::Mode::given, 47.5};
        const Reconstruction given = Reconstructor().run(request);
        QCOMPARE(given.axisBins, 47.5);
        const auto known = shiftedScan(wanderingBins(), std::vector<int>(shiftedProjections, 0));
        Request asScanSays = requestFor(known);
        asScanSays.place.setSlices(request.place.slices());
        const Reconstruction said = Reconstructor().run(asScanSays);
        QCOMPARE(said.axisBins, 47.5);
        QVERIFY(said.image.values == given.image.values);
    }

    void rowsComeFromBeside()
    {
        std::vector<int> fifths;
        for (int p = 0; p < shiftedProjections; ++p)
            fifths.push_back(p % 23 - 11); // −2.2 to 2.2 rows
        const auto still =
            shiftedScan(std::vector<double>(shiftedProjections, 0.0), std::vector<int>(shiftedProjections, 0));
        const auto moved = shiftedScan(wanderingBins(), fifths);
        auto forgotten = std::make_shared<Scan>(*moved);
        std::get<ParallelBeam>(forgotten->geometry).shiftRows.clear();
        const double without = rmseOfShifted(still, shiftedRows / 2, "cpu"),
                     with = rmseOfShifted(moved, shiftedRows / 2, "cpu"),
                     wrong = rmseOfShifted(forgotten, shiftedRows / 2, "cpu");
        qInfo("RMSE %.5f without shifts, %.5f with, %.5f where they are forgotten", without, with, wrong);
        QVERIFY(with < 1.15 * without);
        QVERIFY(wrong > 1.3 * with);
        // Shifts by whole rows need no interpolation.
        std::vector<int> wholeRows;
        for (int p = 0; p < shiftedProjections; ++p)
            wholeRows.push_back(finerRows * (p % 5 - 2));
        const auto exact = shiftedScan(std::vector<double>(shiftedProjections, 0.0), wholeRows);
        Request request = requestFor(exact), plain = requestFor(still);
        request.place.setSlices({shiftedRows / 2, 1});
        plain.place.setSlices({shiftedRows / 2, 1});
        QVERIFY(relativeError(Reconstructor().run(request).image, Reconstructor().run(plain).image) < 1e-6);
    }

    void aSliceIsTheSameByItselfAsInAVolume()
    {
        std::vector<int> fifths;
        for (int p = 0; p < shiftedProjections; ++p)
            fifths.push_back(p % 17 - 8);
        const auto scan = shiftedScan(wanderingBins(), fifths);
        Request request = requestFor(scan);
        const Volume all = Reconstructor().run(request).image;
        const Reconstruction made = Reconstructor().run(request);
        QVERIFY(mentions(made.notes, "-1.6 to 1.6 rows"));
        Volume inParts(shiftedRows, shiftedSize, shiftedSize);
        reconstructVolume(request, planVolume(request),
                          [&](const Reconstruction& group, std::stop_token) {
                              std::ranges::copy(group.image.values,
                                                inParts.values.begin() +
                                                    std::ptrdiff_t(group.grid.z0) * shiftedSize * shiftedSize);
                          },
                          {}, {});
        QVERIFY(inParts.values == all.values);
        for (const int slice : {0, 3, shiftedRows - 1}) {
            request.place.setSlices({slice, 1});
            const Volume one = Reconstructor().run(request).image;
            QVERIFY(std::ranges::equal(one.slice(0), all.slice(slice)));
        }
    }

    void filesAreRead()
    {
        const TemporaryFolder folder;
        const ShiftsInFile both = readShifts(writtenShifts(folder, "# bins rows\n1.5 -2\n\n-0.25, 3\n"));
        QCOMPARE(both.bins, (std::vector{1.5, -0.25}));
        QCOMPARE(both.rows, (std::vector{-2.0, 3.0}));
        const ShiftsInFile one = readShifts(writtenShifts(folder, "1\n2\n"));
        QCOMPARE(one.bins, (std::vector{1.0, 2.0}));
        QVERIFY(one.rows.empty());
        QVERIFY(readShifts(writtenShifts(folder, "1 0\n2 0\n")).rows.empty());
        for (const char* bad : {"1 2\n3\n", "1 2 3\n", "here\n", "nan 1\n", "1e9\n", "\n# nothing\n"})
            QVERIFY2(fails(ErrorKind::badFile, {"shifts.txt"}, [&] { readShifts(writtenShifts(folder, bad)); }), bad);
    }

    void scansOpenWithThem()
    {
        const TemporaryFolder folder;
        const auto path = folder / "numbers.raw";
        std::ofstream(path, std::ios::binary) << std::string(4 * 3 * 8 * sizeof(float), '\0');
        OpenOptions options;
        options.raw = RawLayout{.projections = 4, .rows = 3, .bins = 8, .sampleType = "float32"};
        options.shiftsFile = writtenShifts(folder, "1 0\n0 0.5\n-1 0\n0 0\n");
        const auto scan = openScan(path, options);
        const auto& beam = std::get<ParallelBeam>(scan->geometry);
        QCOMPARE(beam.shiftBins, (std::vector{1.0, 0.0, -1.0, 0.0}));
        QCOMPARE(beam.shiftRows, (std::vector{0.0, 0.5, 0.0, 0.0}));
        QVERIFY(std::ranges::find(scan->files, options.shiftsFile) != scan->files.end());
        options.shiftsFile = writtenShifts(folder, "1\n2\n");
        QVERIFY(fails(ErrorKind::badRequest, {"4 projections", "2 shifts"}, [&] { openScan(path, options); }));
        options.shiftsFile = writtenShifts(folder, "1\n2\n3\n4\n");
        options.cone.sourceAxisMm = 100;
        options.cone.sourceDetectorMm = 200;
        options.cone.pixelUMm = 1;
        QVERIFY(fails(ErrorKind::badRequest, {"--shifts", "matrices"}, [&] { openScan(path, options); }));
    }
};

SINOSCOPE_TEST(ShiftsTest, QCoreApplication)
#include "shifts_test.moc"
