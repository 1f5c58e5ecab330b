// SPDX-License-Identifier: GPL-3.0-or-later
// Recipes as files: everything is read back except what belongs to one scan, and an error names the file and the key.
#include "engine/base/error.h"
#include "engine/documents/recipe.h"
#include "engine/io/open/open_fields.h"
#include "engine/options/options.h"
#include "tests/fixtures.h"

#include <QTest>

#include <algorithm>
#include <fstream>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;

namespace
{

// Returns a setting whose options have values other than their defaults; every option that is set has an effect.
Setting changed()
{
    Request request;
    for (const Option& row : options()) {
        if (!row.use.ofSetting || row.id == std::string("variant") || (row.idle && row.idle(request)))
            continue;
        if (row.kind == Option::Kind::choice && row.id != std::string("method"))
            setField(row, request, row.choices.back().id);
        if (row.kind == Option::Kind::real && !row.get(request).empty())
            setField(row, request, std::to_string(std::min(row.most, row.least + 1.2345)));
    }
    setField(option("filter"), request, "butterworth");
    setField(option("order"), request, "7");
    setField(option("axis"), request, "31.25");
    setField(option("interpolation"), request, "oversampled:9");
    return request.setting;
}

OpenOptions openedAs()
{
    OpenOptions opened;
    const std::pair<const char*, const char*> said[] = {{"angles", "0:360"},    {"angles-end-excluded", "true"},
                                                        {"sinogram", "true"},   {"values", "transmission"},
                                                        {"raw", "720x51x64"},   {"type", "float32"},
                                                        {"big-endian", "true"}, {"header", "512"},
                                                        {"geometry", "cone"}};
    for (const auto& [id, text] : said)
        for (const OpenField& field : openFields())
            if (field.id == std::string(id))
                field.set(opened, text);
    opened.cone.sourceAxisMm = 410.66;
    opened.cone.offsetUMm = -0.125;
    opened.cone.direction = AngleDirection::clockwise;
    opened.cone.size = 77;
    return opened;
}

fs::path writtenAs(const TemporaryFolder& folder, const std::string& text)
{
    const fs::path file = folder / "r.json";
    std::ofstream(file) << text;
    return file;
}

std::string withPlane(const std::string& json)
{
    return R"({"format": "Sinoscope recipe", "version": 1, "plane": )" + json + "}";
}

std::string with(const std::string& setting, const std::string& opened = "{}")
{
    return R"({"format": "Sinoscope recipe", "version": 1, "setting": )" + setting + R"(, "opened": )" + opened + "}";
}

} // namespace

class RecipeTest : public QObject
{
    Q_OBJECT
  private slots:
    void everythingComesBack()
    {
        const TemporaryFolder folder;
        const Recipe recipe{.setting = changed(), .choosesPasses = false, .opened = openedAs(), .plane = "y=12.5"};
        writeRecipe(recipe, folder / "r.json", false, {});
        const Recipe back = readRecipe(folder / "r.json");
        QVERIFY(back == recipe);
        QVERIFY(!(back == Recipe{}));
        QVERIFY(fails(ErrorKind::output, {"r.json"}, [&] { writeRecipe(recipe, folder / "r.json", false, {}); }));
        writeRecipe({}, folder / "plain.json", false, {});
        QVERIFY(readRecipe(folder / "plain.json") == Recipe{});
        QVERIFY(!contains(recipeJson({}), "plane"));
    }

    // Every opening option that names a file is left out.
    void filesAreLeftOut()
    {
        OpenOptions opened = openedAs();
        std::vector<std::string> leftOut;
        QVERIFY(withoutFiles(opened, leftOut) == opened);
        QVERIFY(leftOut.empty() && leftOutText(leftOut).empty());
        opened.angleRangeRad.reset();
        opened.angleEndExcluded = false;
        opened.anglesFile = "angles.txt";
        opened.anglesRad = {0, 1, 2};
        opened.angleColumn.column = 2;
        opened.darks = "dark.tif";
        opened.flats = "flats";
        opened.geometryFile = "geometry.xml";
        opened.shiftsFile = "shifts.txt";
        opened.allowOutside = true;
        opened.beam.reset();
        const OpenOptions kept = withoutFiles(opened, leftOut);
        QVERIFY(contains(leftOutText(leftOut), ", which are"));
        std::ranges::sort(leftOut);
        QCOMPARE(leftOut,
                 (std::vector<std::string>{"allow-outside", "angles", "darks", "flats", "geometry", "shifts"}));
        QVERIFY(kept.anglesRad.empty() && kept.angleColumn == AngleColumn{});
        QVERIFY(kept.beam == BeamKind::cone); // otherwise other scans would silently be interpreted as parallel beams
        const std::string json = recipeJson({.setting = {}, .opened = kept});
        for (const char* file : {"angles.txt", "dark.tif", "flats", "geometry.xml", "shifts.txt"})
            QVERIFY2(!contains(json, file), json.c_str());
    }

    // An option that the user gives overrides that of the recipe, and the recipe's options that belong to it are
    // dropped as well.
    void givenGoesFirst()
    {
        const OpenOptions recipe = openedAs();
        QVERIFY(openedOver(recipe, {}) == recipe);
        QVERIFY(openedOver({}, recipe) == recipe);
        OpenOptions said;
        said.angleRangeRad = std::pair(0, std::numbers::pi);
        const OpenOptions half = openedOver(recipe, said);
        QVERIFY(half.angleRangeRad == said.angleRangeRad);
        QVERIFY(!half.angleEndExcluded);
        QVERIFY(half.raw == recipe.raw && half.cone == recipe.cone);
        said = {};
        said.beam = BeamKind::parallel;
        said.cone.pixelUMm = 0.5;
        QVERIFY(!openedOver(recipe, said).cone.sourceAxisMm);
        QCOMPARE(openedOver(recipe, said).cone.pixelUMm.value(), 0.5);
        said = {};
        said.anglesFile = "a.txt";
        said.anglesRad = {1, 2};
        QCOMPARE(openedOver(recipe, said).anglesRad, (std::vector<double>{1, 2}));
        QVERIFY(!openedOver(recipe, said).angleRangeRad);
    }

    void saysWhatIsWrong_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("word");
        const auto row = [](const char* name, const std::string& text, const char* word) {
            QTest::newRow(name) << QString::fromStdString(text) << word;
        };
        row("empty", "", "it needs at least one");
        row("cut off", with("{}").substr(0, 50), "damaged");
        row("another file", R"({"format": "Sinoscope session"})", "not a recipe");
        row("a list", "[1, 2]", "not a recipe");
        row("newer", R"({"format": "Sinoscope recipe", "version": 2})", "newer");
        row("no version", R"({"format": "Sinoscope recipe"})", "version");
        row("unknown key", R"({"format": "Sinoscope recipe", "version": 1, "settings": {}})", "\"settings\"");
        row("unknown option", with(R"({"filter": {"windw": "hann"}})"), "\"filter/windw\"");
        row("unknown way", with("{}", R"({"angle": "0:180"})"), "\"angle\"");
        row("unknown of a cone", with("{}", R"({"cone": {"sourceAxis": 3}})"), "\"cone/sourceAxis\"");
        row("unknown value", with(R"({"filter": {"window": "hanning"}})"), "filter: unknown value 'hanning'");
        row("wrong type", with(R"({"filter": {"cutoff": {"a": 1}}})"), "cutoff");
        row("truth", with(R"({"filter": {"cutoff": true}})"), "cutoff");
        row("text of a number", with(R"({"filter": {"cutoff": "half"}})"), "cutoff");
        row("out of range", with(R"({"filter": {"cutoff": 1.5}})"), "cutoff: value 1.5");
        row("not a number", with(R"({"filter": {"cutoff": "nan"}})"), "cutoff");
        row("NaN", with(R"({"filter": {"cutoff": NaN}})"), "damaged");
        row("too large", with(R"({"filter": {"cutoff": 1e999}})"), "damaged");
        row("a text of an object", with(R"({"filter": "hann"})"), "\"filter\"");
        row("list of settings", with("[]"), "\"setting\"");
        row("of the machine", with(R"({"threads": 3})"), "\"threads\"");
        row("angles of a kind", with("{}", R"({"angles": [0, 180]})"), "\"angles\" of \"opened\": is [0,180]");
        row("a flag that is none", with("{}", R"({"sinogram": "yes"})"), "true or false");
        row("a file", with("{}", R"({"darks": "dark.tif"})"), "give --darks in addition to the recipe");
        row("a geometry file", with("{}", R"({"geometry": "geometry.xml"})"), "give --geometry");
        row("without what it needs", with("{}", R"({"type": "uint8"})"), "--raw");
        row("end of no angles", with("{}", R"({"anglesEndExcluded": true})"), "without \"angles\"");
        row("cone of a kind", with("{}", R"({"cone": 7})"), "\"cone\"");
        row("plane of a kind", withPlane("12"), "\"plane\" is 12, but must be a text");
        row("plane of a list", withPlane(R"(["x", 12])"), "\"plane\" is [");
        row("empty plane", withPlane(R"("")"), "\"plane\": '' is no plane");
        row("no plane", withPlane(R"("12")"), "\"plane\": '12' is no plane");
        row("half a plane", withPlane(R"("centre=1,2,3;u=1,0,0")"), "needs centre, u and v");
        row("plane of parallels", withPlane(R"("centre=1,2,3;u=1,0,0;v=2,0,0")"), "parallel");
        row("plane in the setting", with(R"({"plane": "x=12"})"), "\"plane\" of \"setting\"");
        row("cone's number", with("{}", R"({"cone": {"tiltDeg": "steep"}})"), "\"tiltDeg\"");
    }
    void saysWhatIsWrong()
    {
        QFETCH(QString, text);
        QFETCH(QString, word);
        const TemporaryFolder folder;
        const fs::path file = writtenAs(folder, text.toStdString());
        QVERIFY(fails(ErrorKind::badFile, {"r.json", word.toStdString()}, [&] { readRecipe(file); }));
    }

    void missing()
    {
        const TemporaryFolder folder;
        QVERIFY(fails(ErrorKind::badFile, {"none.json", "it isn't there"}, [&] { readRecipe(folder / "none.json"); }));
        QVERIFY(fails(ErrorKind::badFile, {"it is a folder"}, [&] { readRecipe(folder.path()); }));
    }

    // A recipe written by hand that specifies only some of the values.
    void byHand()
    {
        const TemporaryFolder folder;
        const Recipe recipe =
            readRecipe(writtenAs(folder, with(R"({"filter": {"window": "hann"}})",
                                              R"({"angles": "0:180", "sinogram": false, "bigEndian": false})")));
        QVERIFY(recipe.setting.filter.window == Window::hann);
        QVERIFY(recipe.choosesPasses && recipe.opened.angleRangeRad && !recipe.opened.sinogram);
        const Request request = requestWith(recipe, smallScan(32, 40, 9));
        QCOMPARE(request.place.slices().count, 9);
        QVERIFY(request.setting.filter == recipe.setting.filter);
    }

    void aPlaneInsteadOfSlices()
    {
        const TemporaryFolder folder;
        Recipe recipe = readRecipe(writtenAs(folder, withPlane(R"("x=12")")));
        QCOMPARE(shortPlane(recipe), std::string("x=12"));
        QCOMPARE(shortPlane({}), std::string());
        for (const int size : {32, 40}) { // the plane is as large as the volume
            const Request request = requestWith(recipe, smallScan(size, 40, 9));
            QVERIFY(request.place.plane() == planeAcross(PlaneAxis::x, 12, {size, 9}));
            QVERIFY(request.place.slices() == (RowRange{0, 1}));
        }
        recipe.plane = "x=32";
        QVERIFY(fails(ErrorKind::badRequest, {"the recipe's plane x=32", "columns 0 to 31"},
                      [&] { requestWith(recipe, smallScan(32, 40, 9)); }));
        recipe.plane = "centre=8,9,3;u=1,1,0;v=0,0,1";
        QCOMPARE(shortPlane(recipe), std::string("centre=8,9,3,normal=0.707,-0.707,0"));
        QVERIFY(requestWith(recipe, smallScan(32, 40, 9)).place.plane()->height == 9);
        // About the middle of the volume, however far the point is.
        const Plane whole = *requestWith(recipe, smallScan(32, 40, 9)).place.plane();
        QVERIFY(std::abs(whole.centre[0] - 15) < 1e-9 && std::abs(whole.centre[1] - 16) < 1e-9);
        QCOMPARE(whole.centre[2], 4.0);
        recipe.plane.clear();
        QVERIFY(!requestWith(recipe, smallScan(32, 40, 9)).place.plane());
    }
};

SINOSCOPE_TEST(RecipeTest, QCoreApplication)
#include "recipe_test.moc"
