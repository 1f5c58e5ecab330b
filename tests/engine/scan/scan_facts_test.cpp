// SPDX-License-Identifier: GPL-3.0-or-later
// The list of properties of a scan that were found, guessed or missing; and its thumbnails, against the frames
// themselves.
#include "engine/documents/report.h"
#include "engine/reconstruct/thumbnails.h"
#include "engine/scan/scan_facts.h"
#include "tests/engine/io/files.h"

#include <QTest>

#include <map>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;

namespace
{

std::map<std::string, ScanFact> factsOf(const Scan& scan)
{
    std::map<std::string, ScanFact> facts;
    for (const ScanFact& fact : scanFacts(scan))
        facts.emplace(fact.id, fact);
    return facts;
}

bool are(const Scan& scan, const std::map<std::string, FactState>& wanted)
{
    const auto facts = factsOf(scan);
    for (const auto& [id, state] : wanted)
        if (facts.at(id).state != state) {
            qWarning("%s is %s: %s", id.c_str(), toText(facts.at(id).state).c_str(), facts.at(id).value.c_str());
            return false;
        }
    return true;
}

// A scan that records which frames are read, and fails if all projections are read together
struct Watched {
    std::shared_ptr<std::vector<FramePart>> parts = std::make_shared<std::vector<FramePart>>();
    Scan scan;

    explicit Watched(const Scan& original) : scan(original)
    {
        scan.read = [](RowRange, const std::stop_token&) -> RawRows {
            throw Error(ErrorKind::badFile, "all projections were read");
        };
        scan.readFrames = [original, log = parts](const FramePart& part, std::stop_token stop) {
            log->push_back(part);
            return original.readFrames(part, stop);
        };
    }
};

} // namespace

class ScanFactsTest : public QObject
{
    Q_OBJECT
  private slots:
    void ofDxchange()
    {
        const TemporaryFolder folder;
        {
            made::Hdf5 file(folder / "full.h5");
            file.numbers("/exchange/data", {12, 4, 9}, made::frames(12, 4, 9), H5T_STD_U16LE);
            file.numbers("/exchange/data_white", {2, 4, 9}, made::frames(2, 4, 9, 20), H5T_STD_U16LE);
            file.numbers("/exchange/data_dark", {1, 4, 9}, made::frames(1, 4, 9), H5T_STD_U16LE);
            file.numbers("/exchange/theta", {12}, made::counting(12, 15));
            made::Hdf5 bare(folder / "bare.h5");
            bare.numbers("/exchange/data", {12, 4, 9}, made::frames(12, 4, 9), H5T_STD_U16LE);
        }
        const auto full = openScan(folder / "full.h5");
        QVERIFY(are(*full, {{"projections", FactState::found},
                            {"angles", FactState::found},
                            {"flats", FactState::found},
                            {"darks", FactState::found},
                            {"imageKey", FactState::notNeeded},
                            {"pixelSize", FactState::missing},
                            {"values", FactState::guessed},
                            {"geometry", FactState::found}}));
        auto facts = factsOf(*full);
        QCOMPARE(facts.at("projections").where, std::string("/exchange/data"));
        QVERIFY(contains(facts.at("projections").value, "12, of 4 rows and 9 bins, uint16"));
        QCOMPARE(facts.at("angles").where, std::string("/exchange/theta"));
        QCOMPARE(facts.at("angles").value, std::string("12, 0° to 165°"));
        QCOMPARE(facts.at("flats").where, std::string("/exchange/data_white"));
        QVERIFY(correctionText(facts.at("angles")).empty());
        QVERIFY(contains(correctionText(facts.at("pixelSize")), "missing; --pixel sets it"));

        const auto bare = openScan(folder / "bare.h5");
        QVERIFY(
            are(*bare, {{"angles", FactState::guessed}, {"flats", FactState::missing}, {"darks", FactState::missing}}));
        QVERIFY(contains(correctionText(factsOf(*bare).at("angles")), "guessed; --angles overrides it"));
        QVERIFY(factsOf(*bare).at("flats").where.empty());

        OpenOptions options;
        options.angleRangeRad = {0, 1};
        options.cone.pixelUMm = 0.001;
        options.values = Quantity::attenuation;
        options.reduction.every = 2;
        const auto given = openScan(folder / "full.h5", options);
        QVERIFY(are(*given, {{"angles", FactState::given},
                             {"pixelSize", FactState::given},
                             {"values", FactState::given},
                             {"flats", FactState::notNeeded},
                             {"darks", FactState::notNeeded}}));
        QVERIFY(contains(factsOf(*given).at("projections").value, "6, of 4 rows and 9 bins, uint16; recorded: 12"));
        QVERIFY(contains(scanJson(*given), "\"state\": \"given\""));
    }

    void ofFolders()
    {
        const TemporaryFolder folder;
        const std::vector<std::uint16_t> grey(32, 300);
        for (const char* name : {"p0", "p1", "p2", "dark1", "flat1", "flat2"})
            made::tiff(folder / (std::string(name) + ".tif"), 8, 4, grey);
        std::ofstream(folder / "angles.txt") << "0\n60\n120\n";
        const auto facts = factsOf(*openScan(folder.path()));
        QCOMPARE(facts.at("projections").where, std::string("p0.tif and 2 more"));
        QCOMPARE(facts.at("flats").where, std::string("flat1.tif and 1 more"));
        QCOMPARE(facts.at("angles").where, std::string("angles.txt"));
        QVERIFY(facts.at("angles").state == FactState::found);
        QVERIFY(facts.at("geometry").state == FactState::guessed); // TIFFs do not specify the beam
        QVERIFY(contains(facts.at("geometry").value, "(default)"));
        OpenOptions parallel;
        parallel.beam = BeamKind::parallel;
        QVERIFY(are(*openScan(folder.path(), parallel), {{"geometry", FactState::given}}));
    }

    void ofSimulations()
    {
        for (const ScanFact& fact : scanFacts(*smallScan()))
            QVERIFY2(!*fact.option && !*fact.place, fact.id);
    }

    // Each thumbnail reads one frame, the first and the last frame included, and only some rows of the flats; the
    // whole scan is never read.
    void picturesOfFrames()
    {
        const TemporaryFolder folder;
        {
            made::Hdf5 file(folder / "s.h5");
            file.numbers("/exchange/data", {31, 8, 12}, made::frames(31, 8, 12), H5T_STD_U16LE);
            file.numbers("/exchange/data_white", {2, 8, 12}, made::frames(2, 8, 12, 40), H5T_STD_U16LE);
            file.numbers("/exchange/theta", {31}, made::counting(31, 6));
        }
        const Watched watched(*openScan(folder / "s.h5"));
        const std::vector<Thumbnail> thumbnails = thumbnailsOf(watched.scan);
        QCOMPARE(thumbnails.size(), std::size_t(11)); // including the flat
        QCOMPARE(thumbnails.front().projection, 0);
        QCOMPARE(thumbnails[9].projection, 30);
        QVERIFY(std::abs(thumbnails[9].angleRad - 180 * degree) < 1e-9);
        QVERIFY(thumbnails[10].kind == Thumbnail::Kind::flat);
        for (int k = 0; k < 10; ++k) {
            watched.parts->clear();
            const Volume picture = pictureOf(watched.scan, thumbnails[k], 6);
            QCOMPARE(watched.parts->size(), std::size_t(1));
            QCOMPARE(watched.parts->front().projections.count, 1);
            QVERIFY(!watched.parts->front().sides);
            QCOMPARE(picture.width, 6);
            QCOMPARE(picture.height, 4);
            const int f = thumbnails[k].projection;
            for (int row = 0; row < 4; ++row)
                for (int column = 0; column < 6; ++column) {
                    const float mean =
                        (made::value(f, 2 * row, 2 * column) + made::value(f, 2 * row, 2 * column + 1) +
                         made::value(f, 2 * row + 1, 2 * column) + made::value(f, 2 * row + 1, 2 * column + 1)) /
                        4;
                    QVERIFY(std::abs(picture.values[row * 6 + column] - mean) < 1e-3);
                }
        }
        watched.parts->clear();
        const Volume flat = pictureOf(watched.scan, thumbnails[10], 6);
        int rows = 0;
        for (const FramePart& part : *watched.parts)
            rows += part.rows.count;
        QVERIFY(rows <= 4); // every second row
        QVERIFY(std::abs(flat.values[0] - (made::value(40, 0, 0) + made::value(41, 0, 1)) / 2) < 1e-3);
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(fails(ErrorKind::cancelled, [&] { pictureOf(watched.scan, thumbnails[3], 6, stop.get_token()); }));
    }

    void sinogramsInstead()
    {
        const auto one = smallScan(64, 90);
        QVERIFY(contains(insteadOfProjections(*one), "single sinogram"));
        QCOMPARE(thumbnailsOf(*one).size(), std::size_t(1));
        const Volume picture = pictureOf(*one, thumbnailsOf(*one).front(), 32);
        QVERIFY(picture.height <= 32 && picture.width <= 32 && picture.height > 20);
        Scan together = *smallScan(64, 90, 4); // a large file whose projections are all stored together
        together.readFrames = [](const FramePart&, const std::stop_token&) { return RawRows(); };
        QVERIFY(insteadOfProjections(together).empty());
        together.framesTogether = 90;
        QVERIFY(insteadOfProjections(together).empty()); // still small
        together.rows = 100'000;
        QVERIFY(contains(insteadOfProjections(together), "keeps 90 projections together"));
        QVERIFY(thumbnailsOf(together).front().kind == Thumbnail::Kind::sinogram);
    }
};

SINOSCOPE_TEST(ScanFactsTest, QCoreApplication)
#include "scan_facts_test.moc"
