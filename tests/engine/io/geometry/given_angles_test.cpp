// SPDX-License-Identifier: GPL-3.0-or-later
// Angles given by the user when projections are missing; the pixel size of a scan; the text form of all these
// options.
#include "engine/io/geometry/angles_file.h"
#include "engine/io/open/open_fields.h"
#include "engine/io/open/open_scan.h"
#include "engine/json/request_json.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/scan/geometry_facts.h"
#include "tests/engine/io/files.h"

#include <QTest>

#include <map>
#include <numbers>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;

namespace
{

// Writes one projection per name into a folder.
fs::path stackOf(const TemporaryFolder& folder, const std::vector<std::string>& names)
{
    const fs::path tiffs = folder / "tiffs";
    fs::create_directories(tiffs);
    for (const std::string& name : names)
        made::tiff(tiffs / (name + ".tif"), 8, 4, std::vector<std::uint16_t>(32, 30000));
    return tiffs;
}

std::vector<double> inDegrees(const Scan& scan)
{
    std::vector<double> angles;
    for (const double angle : scan.anglesRad())
        angles.push_back(angle * 180 / std::numbers::pi);
    return angles;
}

bool areAngles(const Scan& scan, const std::vector<double>& wanted)
{
    if (largestDifference(inDegrees(scan), wanted) < 1e-9)
        return true;
    for (const double angle : inDegrees(scan))
        qWarning("%g", angle);
    return false;
}

} // namespace

class GivenAnglesTest : public QObject
{
    Q_OBJECT
  private slots:
    // Projections at a single angle cannot give a slice, which a note reports.
    void oneDirection()
    {
        const TemporaryFolder folder;
        OpenOptions options;
        options.anglesRad = {1, 1, 1};
        const fs::path three = stackOf(folder, {"a1", "a2", "a3"});
        QVERIFY(mentions(openScan(three, options)->notes, "All 3 projections have the same angle, 57.29"));
        options.anglesRad = {1, 1, 1.1};
        QVERIFY(!mentions(openScan(three, options)->notes, "only their rays"));
        fs::remove(three / "a2.tif");
        fs::remove(three / "a3.tif");
        options.anglesRad = {1};
        QVERIFY(mentions(openScan(three, options)->notes, "There is only one projection:"));
    }

    void columnsOfATable()
    {
        const TemporaryFolder folder;
        const fs::path file = folder / "table.csv";
        std::ofstream(file) << "frame,angle\n# begun\n1, 0.5,x\n2; 1.5;x\n\n3\t2.5\n4 +3.5 x\n";
        const auto read = [&](const AngleColumn& column) {
            std::vector<double> angles = readAngles(file, column);
            for (double& angle : angles)
                angle *= column.radians ? 1 : 180 / std::numbers::pi;
            return angles;
        };
        const auto are = [&](const AngleColumn& column, const std::vector<double>& wanted) {
            return largestDifference(read(column), wanted) < 1e-12;
        };
        QVERIFY(are({.column = 2, .skip = 1, .lines = {}}, {0.5, 1.5, 2.5, 3.5}));
        QVERIFY(are({.column = 1, .skip = 1, .lines = {}}, {1, 2, 3, 4}));
        QVERIFY(are({.column = 2, .radians = true, .skip = 1, .lines = {}}, {0.5, 1.5, 2.5, 3.5}));
        QVERIFY(are({.column = 2, .lines = std::pair(4, 6)}, {1.5, 2.5})); // line numbers as in an editor
        const auto refuses = [&](const AngleColumn& column, const std::vector<std::string>& words) {
            return fails(ErrorKind::badFile, words, [&] { readAngles(file, column); });
        };
        QVERIFY(refuses({.column = 2, .lines = {}}, {"line 1: 'angle'", "--angles-skip"}));
        QVERIFY(refuses({.column = {}, .skip = 1, .lines = {}}, {"line 3", "3 columns", "--angles-column"}));
        QVERIFY(refuses({.column = 3, .skip = 1, .lines = {}}, {"line 3: 'x'"}));
        QVERIFY(refuses({.column = 4, .skip = 1, .lines = {}}, {"line 3", "no column 4"}));
        QVERIFY(refuses({.column = 2, .lines = std::pair(20, 30)}, {"no angles", "selected lines"}));
    }

    void spreads()
    {
        const TemporaryFolder folder;
        const fs::path tiffs = stackOf(folder, {"a0", "a1", "a2", "a3"});
        OpenOptions options;
        const auto say = [&](const std::vector<std::pair<const char*, const char*>>& words) {
            options = {};
            for (const OpenField& field : openFields())
                for (const auto& [id, text] : words)
                    if (std::string(field.id) == id)
                        setField(field, options, text);
            return openScan(tiffs, options);
        };
        QVERIFY(areAngles(*say({{"angles", "10:40"}}), {10, 20, 30, 40}));
        QVERIFY(areAngles(*say({{"angles", "0:360"}, {"angles-end-excluded", "true"}}), {0, 90, 180, 270}));
        QVERIFY(areAngles(*say({{"angles", "5::-2.5"}}), {5, 2.5, 0, -2.5}));
        QVERIFY(!say({{"angles", "5::-2.5"}})->anglesAssumed);
        QVERIFY(areAngles(*say({{"angles", "0::100:180"}}), {0, 100, 20, 120})); // golden angles over half a turn
        QVERIFY(areAngles(*say({{"angles", "5::-100:180"}}), {5, 85, 165, 65}));
        QVERIFY(fails(ErrorKind::badRequest, {"value 0 in '0::100:0' is not above 0"}, [&] {
            say({{"angles", "0::100:0"}});
        }));
    }

    // If the file has more lines than there are projections, the given lines are used; without a given range, the
    // error explains how to give it.
    void linesWhereCountsDiffer()
    {
        const TemporaryFolder folder;
        const fs::path tiffs = stackOf(folder, {"a0", "a1", "a2"});
        OpenOptions options;
        options.anglesFile = folder / "angles.txt";
        std::ofstream(options.anglesFile) << "0\n1\n2\n3\n4\n";
        QVERIFY(fails(ErrorKind::badRequest,
                      {"has 3 projections, but '" + options.anglesFile.string() + "' has 5 angles", "--angles-lines"},
                      [&] { openScan(tiffs, options); }));
        std::ofstream(options.anglesFile) << "# flats\n0\n0\n0\n60\n120\n120\n";
        QVERIFY(fails(ErrorKind::badRequest, {"6 angles", "--angles-lines 4:6"}, [&] { openScan(tiffs, options); }));
        fs::copy_file(options.anglesFile, tiffs / "angles.txt");
        QVERIFY(mentions(openScan(tiffs)->notes, "--angles-lines 4:6"));
        fs::remove(tiffs / "angles.txt");
        std::ofstream(options.anglesFile) << "0\n1\n2\n3\n4\n";
        options.angleColumn.lines = {2, 4};
        const auto scan = openScan(tiffs, options);
        QVERIFY(areAngles(*scan, {1, 2, 3}));
        QVERIFY(std::ranges::count(scan->files, options.anglesFile) == 1); // protected from overwriting
    }

    void missingFramesLeaveTheirAnglesOut()
    {
        const TemporaryFolder folder;
        const fs::path tiffs = stackOf(folder, {"p_08", "p_09", "p_11", "p_12", "p_13", "p_14", "p_15"});
        const auto assumed = openScan(tiffs);
        QVERIFY(areAngles(*assumed, {0, 22.5, 67.5, 90, 112.5, 135, 157.5})); // eight numbers, one is missing
        QVERIFY(mentions(assumed->notes, "1 frame is missing in the numbers of the files 'p_….tif' (10)"));
        QVERIFY(mentions(assumed->notes, "its angle is left out"));
        OpenOptions given;
        given.angleRangeRad = {0, 70 * std::numbers::pi / 180};
        QVERIFY(areAngles(*openScan(tiffs, given), {0, 10, 30, 40, 50, 60, 70}));
        given.angleRangeRad = {};
        given.anglesFile = folder / "angles.txt";
        std::ofstream(given.anglesFile) << "0\n1\n2\n3\n4\n5\n6\n7\n";
        QVERIFY(areAngles(*openScan(tiffs, given), {0, 1, 3, 4, 5, 6, 7}));
        std::ofstream(given.anglesFile) << "0\n1\n3\n4\n5\n6\n8\n";
        const auto theirs = openScan(tiffs, given);
        QVERIFY(areAngles(*theirs, {0, 1, 3, 4, 5, 6, 8}));
        QVERIFY(mentions(theirs->notes, "as many angles as existing frames"));
        given = {};
        given.geometryFile = folder / "g.json";
        std::ofstream(given.geometryFile)
            << R"({"sourceAxisMm": 100, "sourceDetectorMm": 150, "pixelUMm": 1, "anglesDeg": [0,1,2,3,4,5,6,7]})";
        QVERIFY(areAngles(*openScan(tiffs, given), {0, 1, 3, 4, 5, 6, 7}));
    }

    void otherNumbersHaveNoGaps_data()
    {
        QTest::addColumn<std::vector<std::string>>("names");
        const auto row = [](const char* name, const std::vector<std::string>& names) { QTest::newRow(name) << names; };
        row("tens", {"p010", "p020", "p030", "p040", "p050"});
        row("no numbers", {"a", "b", "c", "d"});
        row("degrees in the names", {"p0", "p15", "p20", "p45", "p90", "p100"});
        row("other names", {"left1", "left2", "right4", "right5", "right6"});
        row("times", {"20260101120000000001", "20260101120000000003", "20260101120000000004"});
        row("the same number again", {"a1", "a01", "a2", "a3", "a5"});
        row("one", {"a5"});
    }

    void otherNumbersHaveNoGaps()
    {
        QFETCH(const std::vector<std::string>, names);
        const TemporaryFolder folder;
        const auto scan = openScan(stackOf(folder, names));
        QVERIFY(!mentions(scan->notes, "missing"));
        QCOMPARE(scan->projections(), int(names.size()));
    }

    void thePixelOfAParallelBeam()
    {
        const TemporaryFolder folder;
        const fs::path tiffs = stackOf(folder, {"a0", "a1"});
        QVERIFY(!openScan(tiffs)->pixelSizeMm());
        OpenOptions options;
        options.cone.pixelUMm = 0.02;
        QCOMPARE(openScan(tiffs, options)->pixelSizeMm().value_or(0), 0.02);
        for (const double other : {0.03, -1.0}) {
            options.cone.pixelVMm = other;
            QVERIFY(fails(ErrorKind::badRequest, {"one pixel size"}, [&] { openScan(tiffs, options); }));
        }
        options.cone.pixelUMm = options.cone.pixelVMm = 0;
        QVERIFY(fails(ErrorKind::badRequest, {"above 0"}, [&] { openScan(tiffs, options); }));
    }

    // All opening options keep their values when they are written as a command or a session and read again.
    void wordsThereAndBack()
    {
        const TemporaryFolder folder;
        std::map<std::string, std::string> texts = {{"angles", (folder / "angles.txt").string()},
                                                    {"angles-end-excluded", "true"},
                                                    {"angles-column", "3"},
                                                    {"angles-radians", "true"},
                                                    {"angles-skip", "2"},
                                                    {"angles-lines", "11:101"},
                                                    {"shifts", "s"},
                                                    {"darks", "d"},
                                                    {"flats", "f"},
                                                    {"dark-frames", "0:4"},
                                                    {"flat-frames", "5:9,190"},
                                                    {"values", "counts"},
                                                    {"bin", "2"},
                                                    {"every", "3"},
                                                    {"leave-out", "3,7:20"},
                                                    {"sinogram", "true"},
                                                    {"allow-outside", "true"},
                                                    {"raw", "7x5x11"},
                                                    {"type", "int8"},
                                                    {"big-endian", "true"},
                                                    {"header", "512"},
                                                    {"geometry", "g.xml"}};
        for (const DataSetRole& role : dataSetRoles())
            texts[role.id] = role.text == &DataSets::axes ? "y:theta:x" : std::string("/of/") + role.id;
        OpenOptions all;
        for (const OpenField& field : openFields()) {
            QVERIFY2(texts.contains(field.id), field.id);
            QVERIFY2(field.get(all).empty() || std::string(field.id) == "type", field.id);
            setField(field, all, texts.at(field.id));
            QVERIFY2(textsOf(field, all) == std::vector{texts.at(field.id)}, field.id);
            QVERIFY2(formOf(field).empty() == (field.kind == FieldKind::boolean), field.id);
        }
        QVERIFY(openOptionsFrom(openOptionsOf(all)) == all);
        for (const OpenField& field : openFields()) {
            const OpenOptions without = openedWithout(field, all);
            for (const OpenField& other : openFields())
                if (std::string(other.id) != "type")
                    QCOMPARE(isGiven(other, without), &other != &field && std::string(other.needs) != field.id);
        }
        for (const char* text : {"0:180", "0::0.5"}) {
            OpenOptions spread;
            findField(openFields(), "angles").set(spread, text);
            QVERIFY(findField(openFields(), "angles").get(spread) == text);
            QVERIFY(findField(openFields(), "angles").get(openOptionsFrom(openOptionsOf(spread))) == text);
        }
        OpenOptions both;
        for (const char* text : {"parallel", "g.xml"})
            findField(openFields(), "geometry").set(both, text);
        QVERIFY(textsOf(findField(openFields(), "geometry"), both) == (std::vector<std::string>{"parallel", "g.xml"}));
        for (const auto& [id, text] : {std::pair("angles", "0:x"),
                                       {"angles-lines", "5:3"},
                                       {"angles-column", "0"},
                                       {"angles-skip", "-1"},
                                       {"bin", "65"},
                                       {"every", "0"},
                                       {"leave-out", "7:x"},
                                       {"raw", "7x5"},
                                       {"type", "uint12"},
                                       {"header", "-1"},
                                       {"data-axes", "y:z:x"},
                                       {"values", "photons"}})
            for (const OpenField& field : openFields())
                if (std::string(field.id) == id)
                    QVERIFY2(
                        fails(ErrorKind::badRequest, {text}, [&, t = std::string(text)] { setField(field, all, t); }),
                        id);
    }

    // A wrong unit is reported only where it is certain; no realistic laboratory setup is reported.
    void doubts()
    {
        ConeBeam beam;
        beam.bins = 2048;
        beam.rows = 10;
        beam.anglesRad = evenAngles(720, 2 * std::numbers::pi);
        beam.axisBins = {1023.5};
        const auto says = [&](double sourceAxis, double sourceDetector, double pixel, const char* words) {
            beam.sourceAxisMm = sourceAxis;
            beam.sourceDetectorMm = sourceDetector;
            beam.pixelUMm = beam.pixelVMm = pixel;
            const std::vector<Note> doubts = geometryDoubts(beam);
            return *words ? doubts.size() == 1 && contains(doubts[0], words) : doubts.empty();
        };
        QVERIFY(says(410.66, 553.74, 0.05, ""));
        QVERIFY(says(8, 900, 0.055, ""));     // a nanofocus tube
        QVERIFY(says(1000, 1536, 0.388, "")); // a linac
        QVERIFY(says(5, 25, 0.0035, ""));     // a table-top scanner with optics
        QVERIFY(says(0.41066, 0.55374, 0.05, "metres"));
        QVERIFY(says(0.41066, 553.74, 0.05, "magnification"));
        QVERIFY(says(410.66, 553.74, 50, "micrometres"));
        QVERIFY(says(410.66, 553.74, 0.00005, "metres"));
        ParallelBeam parallel;
        const auto covering = [&](double arcDeg, int count, bool end) {
            parallel.anglesRad.clear();
            for (int k = 0; k < count; ++k)
                parallel.anglesRad.push_back(arcDeg * std::numbers::pi / 180 * k / (end ? count - 1 : count));
            return !geometryDoubts(parallel).empty();
        };
        for (const bool end : {false, true}) {
            QVERIFY(covering(std::numbers::pi, 180, end) && covering(2 * std::numbers::pi, 721, end));
            QVERIFY(!covering(180, 180, end) && !covering(6, 180, end) && !covering(3.5, 180, end));
        }
        QVERIFY(!covering(2 * std::numbers::pi, 10, true)); // few projections, as in tests
    }

    // A note about the assumed axis disappears when another axis is used.
    void assumedAxisIsOfSlicesWithIt()
    {
        const TemporaryFolder folder;
        const auto cone = simulate({.phantom = Phantom::disc, .size = 24, .projections = 40});
        auto scan = std::make_shared<Scan>(*cone);
        scan->axisAssumption = "The middle is taken.";
        const auto notesWith = [&](AxisSettings axis) {
            Request request = requestFor(scan);
            request.setting.axis = axis;
            Reconstructor reconstructor;
            return reconstructor.run(request).notes;
        };
        QVERIFY(mentions(notesWith({}), "The middle is taken"));
        QVERIFY(!mentions(notesWith({AxisSettings::Mode::find, 0}), "The middle is taken"));
        QVERIFY(!mentions(notesWith({AxisSettings::Mode::given, 11}), "The middle is taken"));
    }
};

SINOSCOPE_TEST(GivenAnglesTest, QCoreApplication)
#include "given_angles_test.moc"
