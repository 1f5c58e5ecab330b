// SPDX-License-Identifier: GPL-3.0-or-later
// Slices numbered in mirror-image pairs: the same images at the same positions, in another order.
#include "engine/io/slices/slice_writer.h"
#include "engine/io/slices/stored_slices.h"
#include "engine/io/slices/volume_journal.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/request/section.h"
#include "engine/volume/performance_problem.h"
#include "engine/volume/reconstruct_volume.h"
#include "engine/volume/slice_division.h"
#include "tests/fixtures.h"

#include <numeric>
#include <set>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;

namespace
{

constexpr int pairedSize = 24;

std::shared_ptr<const Scan> pairedScan()
{
    ConeOptions options;
    options.sourceAxisMm = 4 * pairedSize;
    options.sourceDetectorMm = 6 * pairedSize;
    options.pixelUMm = 1.5;
    options.size = options.slices = pairedSize;
    std::vector<double> anglesRad;
    for (int k = 0; k < 30; ++k)
        anglesRad.push_back(12 * k * degree);
    ConeBeam beam = coneBeamFrom(options, 40, pairedSize, std::move(anglesRad), "test");
    beam.axisBins = {beam.middleBins()};
    Simulation simulation;
    simulation.phantom = Phantom::sheppLogan3d;
    simulation.photons = 3000; // noise makes all slices different
    static const auto scan = simulate(simulation, beam);
    return scan;
}

Request pairedRequest(RowRange slices, const char* method = "exact")
{
    Request request = requestFor(pairedScan(), method);
    request.place.part = MirroredPairs{{0, slices.count}, slices};
    return request;
}

std::vector<int> slicesOf(const Place& place)
{
    std::vector<int> slices;
    for (const RowRange& run : runsOf(place))
        for (int k = 0; k < run.count; ++k)
            slices.push_back(run.first + k);
    return slices;
}

} // namespace

class PairsTest : public QObject
{
    Q_OBJECT

  private slots:
    void everySliceOnce()
    {
        for (const RowRange all : {RowRange{0, 8}, RowRange{3, 9}, RowRange{5, 1}})
            for (const int group : {2, 4, 100}) {
                Place place{MirroredPairs{{}, all}};
                std::set<int> seen;
                for (int first = 0; first < all.count; first += group) {
                    place.setSlices({first, std::min(group, all.count - first)});
                    std::set<int> named;
                    for (int number = first; number < first + place.slices().count; ++number)
                        named.insert(sliceAt(place, number));
                    const std::vector<int> slices = slicesOf(place);
                    QVERIFY(std::ranges::is_sorted(slices));
                    QVERIFY(std::set<int>(slices.begin(), slices.end()) == named);
                    for (const int slice : slices) {
                        QVERIFY(slice >= all.first && slice < all.first + all.count);
                        QVERIFY(seen.insert(slice).second);
                        QVERIFY(named.contains(2 * all.first + all.count - 1 - slice));
                    }
                }
                QCOMPARE(int(seen.size()), all.count);
            }
        QCOMPARE(slicesOf({Slices{{4, 3}}}), (std::vector<int>{4, 5, 6}));
    }

    // The images are the same for methods that do not work in pairs and for groups of several sizes, although the rows
    // read for a group include those between its upper and its lower slices.
    void theSameImages()
    {
        for (const char* method : {"exact", "cpu"})
            for (const RowRange all : {RowRange{0, 24}, RowRange{4, 15}}) {
                Request natural = requestFor(pairedScan(), method);
                natural.place.setSlices(all);
                const Reconstruction whole = Reconstructor().run(natural);
                const Request request = pairedRequest(all, method);
                for (const int group : {2, 6, 24}) {
                    VolumePlan plan{.slicesPerGroup = group, .overlapped = group == 6, .shortEnds = false};
                    Volume made(all.count, pairedSize, pairedSize);
                    std::ranges::fill(made.values, notANumber);
                    const Reconstruction facts =
                        reconstructVolume(request, plan, [&](Reconstruction& of, const std::stop_token&) {
                            int k = 0;
                            for (const int slice : slicesOf(of.request.place))
                                std::ranges::copy(of.image.slice(k++), made.slice(slice - all.first).begin());
                            QCOMPARE(of.image.slices, k);
                        });
                    const double error = relativeError(made, whole.image);
                    QVERIFY2(error < 1e-6, qPrintable(QString::number(error)));
                    if (std::string(method) == "exact")
                        QVERIFY(made.values == whole.image.values);
                    const double updates = double(pairedSize) * pairedSize * all.count * 30;
                    QVERIFY(std::abs(facts.totalGups * facts.timings.totalSeconds * 1e9 / updates - 1) < 1e-9);
                }
            }
    }

    void written_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("deflate");
        QTest::addColumn<bool>("whole");
        QTest::newRow("HDF5") << "v.h5" << 0 << false;
        QTest::newRow("HDF5 of whole numbers") << "v.h5" << 0 << true;
        QTest::newRow("compressed HDF5") << "v.h5" << 6 << false;
        QTest::newRow("TIFFs") << "v" << 0 << false;
    }
    void written()
    {
        QFETCH(const QString, name);
        QFETCH(const int, deflate);
        QFETCH(const bool, whole);
        const RowRange all{4, 15};
        const TemporaryFolder folder;
        Request request = pairedRequest(all);
        OutputFormat format{.type = whole ? OutputFormat::Type::uint16 : OutputFormat::Type::float32,
                            .range = {-1, 1},
                            .deflateLevel = deflate};
        const auto writerAt = [&](const fs::path& path, const Place& place, const std::string& identity = {}) {
            return SliceWriter(path, "s", place.slices(), false, {}, format, {}, identity, place.pairsOf());
        };
        const auto write = [&](SliceWriter& writer, const Request& of, int group, int most = 100) {
            Request part = of;
            for (int first = of.place.slices().first + writer.done();
                 first < of.place.slices().first + of.place.slices().count && most-- > 0; first += group) {
                part.place.setSlices(
                    {first, std::min(group, of.place.slices().first + of.place.slices().count - first)});
                writer.write(Reconstructor().run(part));
            }
        };
        Request natural = requestFor(pairedScan(), "exact");
        natural.place.setSlices(all);
        const fs::path asTheyLie = folder / "natural" / name.toStdString(), path = folder / name.toStdString();
        fs::create_directory(folder / "natural");
        {
            SliceWriter writer = writerAt(asTheyLie, natural.place);
            write(writer, natural, 15);
            writer.finish({R"({"firstSlice": 4})"});
        }
        const std::string identity = deflate == 0 ? R"({"of": "pairs"})" : "";
        if (!identity.empty()) { // interrupted and then resumed
            SliceWriter writer = writerAt(path, request.place, identity);
            write(writer, request, 4, 2);
        }
        {
            SliceWriter writer = writerAt(path, request.place, identity);
            QCOMPARE(writer.done(), identity.empty() ? 0 : 8);
            write(writer, request, 4);
            writer.finish({R"({"firstSlice": 4})"});
        }
        for (int slice = all.first; slice < all.first + all.count; ++slice) {
            const auto imageIn = [&](const fs::path& of) {
                const bool tiffs = outputKindOf(of) == OutputKind::folder;
                const std::string file = QString::asprintf("s_%05d.tiff", slice).toStdString();
                return tiffs ? readSlice({of / file}).image : readSlice({of}, slice).image;
            };
            QVERIFY(imageIn(path).values == imageIn(asTheyLie).values);
        }
    }

    // A method that does not work in pairs keeps the natural order; volumes are divided into whole pairs.
    void planned()
    {
        Request request = requestFor(pairedScan(), "cpu");
        request.place.setSlices({0, 24});
        QVERIFY(inPairs(request) == request);
        QCOMPARE(passOf(request), 1);
        Request pairs = pairedRequest({0, 24}, "cpu");
        QVERIFY(inPairs(pairs) == pairs);
        QCOMPARE(passOf(pairs), 2);
        for (const RowRange& part : partsOf(pairs, planVolume(pairs)))
            QVERIFY(part.first % 2 == 0 && part.count == 2);
        pairs.resources.others.assign(2, {"cpu", 0});
        const VolumePlan plan = planVolume(pairs);
        QCOMPARE(plan.workers, 3);
        QCOMPARE(plan.slicesPerGroup, 8);
        int next = 0;
        for (const RowRange& group : groupsOf(pairs.place.slices(), plan, passOf(pairs))) {
            QVERIFY(group.first == next && group.first % 2 == 0);
            next += group.count;
        }
        QCOMPARE(next, 24);
    }

    // The rows that the performance model expects are the rows that are read.
    void rowsOfTheModel()
    {
        const Request request = pairedRequest({0, 24}, "cpu");
        const Problem problem = problemOf(request);
        QVERIFY(problem.inPairs && problem.coneRatio > 0);
        for (const int slabs : {1, 2, 3, 6})
            for (int slab = 0; slab < slabs; ++slab) {
                Request part = request;
                part.place.setSlices({24 / slabs * slab, 24 / slabs});
                const int rows = rowsFor(pairedScan()->geometry, sectionOf(part).grid).count;
                const double said = bandRows(problem, slab, slabs);
                QVERIFY2(std::abs(said - rows) <= 4,
                         qPrintable(QString("%1 of %2: %3, %4").arg(slab).arg(slabs).arg(said).arg(rows)));
            }
    }
};

SINOSCOPE_TEST(PairsTest, QCoreApplication)
#include "pairs_test.moc"
