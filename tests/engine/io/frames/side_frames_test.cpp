// SPDX-License-Identifier: GPL-3.0-or-later
// Darks and flats among the projections of a stack: found although nothing marks them, and used when requested.
#include "engine/io/open/open_scan.h"
#include "engine/simulate/random.h"
#include "tests/engine/io/files.h"

#include <cmath>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;

namespace
{

constexpr int stackBins = 96, stackRows = 4;

// A stack of darks, flats, projections over half a turn, and flats, of a beam that is brightest in its middle
class Stack
{
  public:
    // isCut: the detector sees only the middle of the object. firstLight: brightness of the first fifth of the
    // projections.
    Stack(const fs::path& path, int darks, int flatsBefore, int projections, int flatsAfter, bool isCut = false,
          double firstLight = 1)
        : m_path(path)
    {
        const int size = isCut ? 2 * stackBins : stackBins, aside = (size - stackBins) / 2;
        Simulation simulation;
        simulation.phantom = Phantom::resolution;
        simulation.size = size;
        simulation.projections = projections;
        simulation.counts = false;
        simulation.attenuation = 2.5 / size;
        const Values integrals = simulate(simulation)->read({0, 1}, {}).data.toFloats();
        for (int k = 0; k < darks; ++k)
            add([](int) { return 0.005; });
        const auto flat = [](int) { return 1.0; };
        for (int k = 0; k < flatsBefore; ++k)
            add(flat);
        for (int k = 0; k < projections; ++k)
            add([&](int bin) {
                return (k < projections / 5 ? firstLight : 1) *
                       std::exp(-integrals[std::size_t(k) * std::size_t(size) + std::size_t(bin + aside)]);
            });
        for (int k = 0; k < flatsAfter; ++k)
            add(flat);
    }

  private:
    template <typename Transmission>
    void add(const Transmission& transmissionOf)
    {
        std::vector<std::uint16_t> counts;
        for (int row = 0; row < stackRows; ++row)
            for (int bin = 0; bin < stackBins; ++bin) {
                const double aside = (bin - (stackBins - 1) / 2.0) / stackBins, beam = 20000 * std::exp(-aside * aside);
                counts.push_back(std::uint16_t(std::min(65535.0, m_random.poisson(beam * transmissionOf(bin)))));
            }
        made::tiff(m_path, stackBins, stackRows, counts, {.mode = m_pages++ > 0 ? "a" : "w"});
    }

    fs::path m_path;
    Random m_random{3, {1}};
    int m_pages = 0;
};

} // namespace

class SideFramesTest : public QObject
{
    Q_OBJECT
  private slots:
    void found_data()
    {
        QTest::addColumn<int>("darks");
        QTest::addColumn<int>("flatsBefore");
        QTest::addColumn<int>("projections");
        QTest::addColumn<int>("flatsAfter");
        QTest::newRow("flats at both ends") << 0 << 10 << 90 << 10;
        QTest::newRow("darks too") << 5 << 7 << 90 << 3;
        QTest::newRow("one flat") << 0 << 1 << 60 << 0;
        QTest::newRow("more than are looked at") << 3 << 9 << (sanitized ? 420 : 700) << 13;
        QTest::newRow("none") << 0 << 0 << 90 << 0;
    }

    void found()
    {
        QFETCH(int, darks);
        QFETCH(int, flatsBefore);
        QFETCH(int, projections);
        QFETCH(int, flatsAfter);
        const TemporaryFolder folder;
        const Stack stack(folder / "all.tif", darks, flatsBefore, projections, flatsAfter);
        const auto plain = openScan(folder / "all.tif");
        if (flatsBefore == 0) {
            QVERIFY(!plain->offeredSides && plain->assumedTurn->isSure());
            return;
        }
        QVERIFY(plain->offeredSides && !plain->assumedTurn->isSure());
        std::vector<RowRange> flats{{darks, flatsBefore}};
        if (flatsAfter > 0)
            flats.push_back({darks + flatsBefore + projections, flatsAfter});
        QCOMPARE(rangesToText(plain->offeredSides->flats), rangesToText(flats));
        QCOMPARE(rangesToText(plain->offeredSides->darks),
                 darks > 0 ? "0:" + std::to_string(darks - 1) : std::string());
        QVERIFY(mentions(plain->notes, "(--flat-frames " + rangesToText(flats) + ")"));
        OpenOptions given;
        given.angleRangeRad = {0, 3};
        QVERIFY(openScan(folder / "all.tif", given)->offeredSides &&
                !openScan(folder / "all.tif", given)->likelierTurn);

        OpenOptions options;
        options.darkFrames = plain->offeredSides->darks;
        options.flatFrames = plain->offeredSides->flats;
        const auto scan = openScan(folder / "all.tif", options);
        QCOMPARE(scan->projections(), projections);
        QVERIFY(scan->darkFrames == darks && scan->flatFrames == flatsBefore + flatsAfter && !scan->offeredSides);
        QVERIFY(scan->assumedTurn->isSure() && scan->sources.flats.given);
        RawRows all = plain->read({0, stackRows}, {}), sorted = scan->read({0, stackRows}, {});
        const Values frames = all.data.toFloats(), theirs = sorted.data.toFloats();
        const std::size_t frame = std::size_t(stackRows) * stackBins, before = std::size_t(darks + flatsBefore) * frame;
        QVERIFY(std::equal(theirs.begin(), theirs.end(), frames.begin() + std::ptrdiff_t(before)));
        QVERIFY(std::equal(sorted.darks.begin(), sorted.darks.end(), frames.begin()));
        QVERIFY(std::equal(sorted.flats.begin(), sorted.flats.begin() + std::ptrdiff_t(flatsBefore * frame),
                           frames.begin() + std::ptrdiff_t(darks * frame)));
    }

    // The projections have no air beside the object; projections with a brighter beam at the beginning are not flats.
    void ofACutObject()
    {
        const TemporaryFolder folder;
        const Stack flats(folder / "flats.tif", 4, 6, 90, 5, true), darks(folder / "darks.tif", 4, 0, 90, 0, true),
            brighter(folder / "brighter.tif", 0, 0, 90, 0, true, 1.3),
            whole(folder / "whole.tif", 0, 0, 90, 0, false, 1.3);
        const auto sides = openScan(folder / "flats.tif")->offeredSides;
        QVERIFY(sides);
        QCOMPARE(rangesToText(sides->flats), std::string("4:9,100:104"));
        QCOMPARE(rangesToText(sides->darks), std::string("0:3"));
        const auto onlyDarks = openScan(folder / "darks.tif")->offeredSides;
        QVERIFY(onlyDarks && onlyDarks->flats.empty());
        for (const char* name : {"brighter.tif", "whole.tif"})
            QVERIFY(!openScan(folder / name)->offeredSides);
    }

    // Combined with other options.
    void together()
    {
        const TemporaryFolder folder;
        const Stack stack(folder / "all.tif", 2, 3, 60, 1);
        OpenOptions options;
        options.darkFrames = {{0, 2}};
        options.flatFrames = {{2, 3}, {65, 1}};
        options.reduction.leftOut = {{0, 10}};
        options.angleRangeRad = {0, 3};
        const auto scan = openScan(folder / "all.tif", options);
        QCOMPARE(scan->projections(), 50);
        QVERIFY(std::abs(scan->anglesRad().front() - 3 * 10 / 59.0) < 1e-12);
        const auto refused = [&](std::initializer_list<std::string> parts, auto&& change) {
            OpenOptions wrong = options;
            change(wrong);
            return fails(ErrorKind::badRequest, parts, [&] { openScan(folder / "all.tif", wrong); });
        };
        QVERIFY(refused({"--flat-frames", "frame 66", "0 to 65"}, [](OpenOptions& o) { o.flatFrames = {{66, 1}}; }));
        QVERIFY(refused({"frame 2 is both"}, [](OpenOptions& o) { o.darkFrames = {{0, 3}}; }));
        QVERIFY(refused({"no projections besides"}, [](OpenOptions& o) {
            o.darkFrames = {}, o.flatFrames = {{0, 66}};
        }));
        QVERIFY(refused({"--flats and --flat-frames"}, [&](OpenOptions& o) { o.flats = folder / "all.tif"; }));
    }
};

SINOSCOPE_TEST(SideFramesTest, QCoreApplication)
#include "side_frames_test.moc"
