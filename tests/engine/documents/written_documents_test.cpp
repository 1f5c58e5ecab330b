// SPDX-License-Identifier: GPL-3.0-or-later
// Sessions, recipes, reports and queue entries that version 0.1 of the program wrote are read back with the same
// contents as then. SINOSCOPE_WRITE_DOCUMENTS=FOLDER writes the documents that a folder lacks, for new kinds of
// content; existing documents are not changed.
#include "engine/documents/queued_volume.h"
#include "engine/documents/recipe.h"
#include "engine/documents/report.h"
#include "engine/documents/session.h"
#include "tests/fixtures.h"

#include <QTest>

#include <fstream>
#include <numbers>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;

namespace
{

const fs::path writtenFolder = fs::path(SINOSCOPE_SOURCE_DIR) / "tests/engine/documents/written";

std::string writtenText(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// The contents of the written files, by the file's name without suffix
struct WrittenSetting {
    const char* name;
    Setting setting;
    Resources resources = {};
};

Setting settingWith(Kernel kernel, FilterSettings filter = {}, AxisSettings axis = {},
                    PreparationSettings preparation = {})
{
    return {.preparation = std::move(preparation), .filter = filter, .axis = axis, .kernel = std::move(kernel)};
}

std::vector<WrittenSetting> writtenSettings()
{
    return {
        {.name = "defaults", .setting = {}},
        {.name = "oversampled-half",
         .setting = settingWith({.method = "cpu",
                                 .interpolation = Interpolation::oversampled,
                                 .oversampling = 9,
                                 .precision = Precision::half,
                                 .slicesPerPass = 8},
                                {.window = Window::butterworth, .cutoff = 0.123456789, .order = 7},
                                {AxisSettings::Mode::given, 31.25}),
         .resources = {.device = {.backend = "cpu"}, .threads = 3}},
        {.name = "tensor",
         .setting = settingWith({.method = "tensor", .precision = Precision::half, .slicesPerPass = 64},
                                {.window = Window::hann, .padMode = PadMode::edge}, {AxisSettings::Mode::middle, 0}),
         .resources = {.device = {.backend = "cuda", .index = DeviceSettings::all}, .memoryLimitBytes = 8e9}},
        {.name = "cubic-unfiltered",
         .setting = settingWith({.method = "texture", .interpolation = Interpolation::cubic},
                                {.window = Window::none, .padMode = PadMode::cylinder}, {AxisSettings::Mode::find, 0})},
        {.name = "prepared",
         .setting = settingWith({.method = "shuffle", .interpolation = Interpolation::nearest},
                                {.window = Window::parzen, .cutoff = 0.5}, {},
                                {.values = {{"zingers", 1}, {"zinger-size", 5}, {"rings", 1}, {"ring-size", 31}}})}};
}

OpenOptions openedWithAngles()
{
    OpenOptions opened;
    opened.angleRangeRad = {0, 2 * std::numbers::pi};
    opened.angleEndExcluded = true;
    opened.values = Quantity::transmission;
    opened.sinogram = true;
    opened.reduction.bin = 2;
    opened.reduction.every = 3;
    opened.reduction.leftOut = {{4, 2}, {9, 1}};
    return opened;
}

OpenOptions openedRaw()
{
    OpenOptions opened;
    opened.raw = RawLayout{720, 51, 64, "float32", true, 512};
    opened.dataSets.axes = "y:theta:x";
    opened.beam = BeamKind::cone;
    opened.cone.sourceAxisMm = 410.66;
    opened.cone.sourceDetectorMm = 553.74;
    opened.cone.pixelUMm = 0.2;
    opened.cone.offsetUMm = -0.125;
    opened.cone.direction = AngleDirection::clockwise;
    opened.cone.size = 77;
    return opened;
}

OpenOptions openedSets()
{
    OpenOptions opened;
    opened.dataSets = {.projections = "/run/frames",
                       .angles = "/run/omega",
                       .darks = "/run/dark",
                       .flats = {},
                       .key = "/run/key",
                       .axes = {}};
    opened.angleSteps = AngleSteps{.firstRad = std::numbers::pi / 2, .stepRad = std::numbers::pi};
    opened.values = Quantity::counts;
    return opened;
}

std::vector<std::pair<std::string, Recipe>> writtenRecipes()
{
    std::vector<std::pair<std::string, Recipe>> all;
    for (const WrittenSetting& each : writtenSettings())
        all.emplace_back(each.name, Recipe{.setting = each.setting, .choosesPasses = false, .opened = {}});
    OpenOptions ofAnyScan = openedWithAngles();
    ofAnyScan.reduction.leftOut.clear();
    all.emplace_back("opened-angles", Recipe{.setting = {}, .choosesPasses = true, .opened = ofAnyScan});
    all.emplace_back("opened-raw-cone", Recipe{.setting = {}, .choosesPasses = true, .opened = openedRaw()});
    all.emplace_back("plane", Recipe{.setting = {}, .opened = {}, .plane = "centre=20,19.5,14;u=0.6,0.8,0;v=0,0,1"});
    return all;
}

std::vector<std::pair<std::string, Session>> writtenSessions()
{
    std::vector<std::pair<std::string, Session>> all;
    const auto add = [&](const char* name, auto&& change) {
        Session session;
        session.scan = writtenFolder / "scan.h5"; // this file doesn't exist
        change(session);
        all.emplace_back(name, std::move(session));
    };
    add("defaults", [](Session&) {});
    add("several", [](Session& session) {
        for (const WrittenSetting& each : writtenSettings())
            session.list.add(each.setting, each.name);
        session.list.settings.back().visible = false;
        session.list.chosenId = 3;
        session.list.reference = {ReferenceChoice::Kind::exactOf, 2};
        session.slice = 17;
    });
    add("marks", [](Session& session) {
        session.marks.add(Area(Region{4, 5, 20, 21}), "hole");
        session.marks.add(Line{1.5, 2, 30, 40.25}).width = 5;
        session.marks.add(Circle{20, 21, 7.5}, "round ×2").visible = false;
        session.marks.choose(3);
        session.window = R"({"view":"lens"})";
    });
    add("opened-angles", [](Session& session) { session.opened = openedWithAngles(); });
    add("opened-raw-cone", [](Session& session) { session.opened = openedRaw(); });
    add("opened-sets", [](Session& session) { session.opened = openedSets(); });
    add("planes", [](Session& session) { // of version 2: angles count the other way in it, except the tilt of x
        session.planes = SessionPlanes{{12, 20.0625, 7}, {{{-30, -15.5}, {}, {0, -0.1}}}};
    });
    add("planes-marks", [](Session& session) {
        session.planes = SessionPlanes{{12, 20.0625, 7}, {{{-30, -15.5}, {}, {0, -0.1}}}};
        session.planes->marks[1] = Marks::standard();
        session.planes->marks[1].add(Line{0, 3.5, 40, 12}).width = 3;
    });
    add("simulated", [](Session& session) {
        session.scan.clear();
        Simulation simulation;
        simulation.phantom = Phantom::sheppLogan3d;
        simulation.size = 48;
        simulation.projections = 60;
        simulation.slices = 8;
        simulation.arcDeg = 360;
        simulation.axisOffsetBins = -2.5;
        session.simulation = simulation;
        session.label = "head";
        session.list.reference = {ReferenceChoice::Kind::phantom, 0};
        session.resources.device.backend = "cpu";
    });
    return all;
}

std::vector<std::pair<std::string, QueuedVolume>> writtenQueueEntries()
{
    QueuedVolume one{.scan = "/data/tooth.h5",
                     .named = "the window's settings",
                     .recipe = {},
                     .opened = openedSets(),
                     .resources = {},
                     .output = {}};
    one.recipe.setting = writtenSettings()[1].setting;
    one.recipe.choosesPasses = false;
    one.output = {.path = "/data/tooth_slices", .name = "tooth", .overwrite = true};
    QueuedVolume failed{
        .scan = "/data/walnut", .named = "walnut.json", .recipe = {}, .opened = {}, .resources = {}, .output = {}};
    failed.resources.device.backend = "cpu";
    failed.resources.memoryLimitBytes = 4e9;
    failed.output = {.path = "/data/walnut.h5"};
    failed.failure = "'/data/walnut' isn't there.";
    return {{"tooth", one}, {"failed", failed}};
}

// Documents of earlier versions name the mean of the flats, which was the default: it stays the mean. Returns the
// setting without it.
Setting withoutMean(Setting read)
{
    const auto named = read.preparation.values.find("flat-field");
    if (named != read.preparation.values.end() && named->second == 1)
        read.preparation.values.erase(named);
    return read;
}

// Returns the request that a report contains; such a request has no scan.
Request writtenRequest(const WrittenSetting& each)
{
    Request request;
    request.setting = each.setting;
    request.resources = each.resources;
    return request;
}

} // namespace

class WrittenDocumentsTest : public QObject
{
    Q_OBJECT

  private slots:
    void initTestCase()
    {
        const QString folder = qEnvironmentVariable("SINOSCOPE_WRITE_DOCUMENTS");
        if (folder.isEmpty())
            return;
        const auto write = [&](const std::string& name, const std::string& text) {
            const fs::path file = fs::path(folder.toStdString()) / name;
            if (!fs::exists(file))
                std::ofstream(file, std::ios::binary) << text;
        };
        for (const auto& [name, recipe] : writtenRecipes())
            write("recipe-" + name + ".json", recipeJson(recipe));
        for (const auto& [name, session] : writtenSessions())
            write("session-" + name + ".sinoscope", sessionJson(session, writtenFolder / "a.sinoscope"));
        for (const auto& [name, entry] : writtenQueueEntries())
            write("queue-" + name + ".json", queuedVolumeJson(entry));
        for (const WrittenSetting& each : writtenSettings())
            write(std::string("report-") + each.name + ".json", requestJson(writtenRequest(each)));
    }

    void recipes()
    {
        for (const auto& [name, recipe] : writtenRecipes()) {
            Recipe read = readRecipe(writtenFolder / ("recipe-" + name + ".json"));
            QCOMPARE(read.setting.preparation.values.at("flat-field"), 1.0);
            read.setting = withoutMean(read.setting);
            QVERIFY2(read == recipe, name.c_str());
        }
    }

    void sessions()
    {
        for (const auto& [name, session] : writtenSessions()) {
            Session read = readSession(writtenFolder / ("session-" + name + ".sinoscope"));
            for (NamedSetting& one : read.list.settings)
                one.setting = withoutMean(one.setting);
            QVERIFY2(read.scan == session.scan && read.simulation == session.simulation && read.label == session.label,
                     name.c_str());
            QVERIFY2(read.opened == session.opened, name.c_str());
            QVERIFY2(read.slice == session.slice && read.list == session.list, name.c_str());
            QVERIFY2(read.resources == session.resources && read.marks == session.marks, name.c_str());
            QVERIFY2(read.window == session.window && read.planes == session.planes, name.c_str());
        }
    }

    void queueEntries()
    {
        for (const auto& [name, entry] : writtenQueueEntries()) {
            QueuedVolume read = queuedVolumeFromJson(writtenText(writtenFolder / ("queue-" + name + ".json")));
            read.recipe.setting = withoutMean(read.recipe.setting);
            QVERIFY2(read.scan == entry.scan && read.named == entry.named && read.failure == entry.failure,
                     name.c_str());
            QVERIFY2(read.recipe == entry.recipe && read.opened == entry.opened, name.c_str());
            QVERIFY2(read.resources == entry.resources, name.c_str());
            QVERIFY2(read.output.path == entry.output.path && read.output.name == entry.output.name &&
                         read.output.overwrite == entry.output.overwrite,
                     name.c_str());
        }
    }

    void reports()
    {
        for (const WrittenSetting& each : writtenSettings()) {
            Request read = requestFromJson(writtenText(writtenFolder / (std::string("report-") + each.name + ".json")));
            read.setting = withoutMean(read.setting);
            QVERIFY2(read == writtenRequest(each), each.name);
        }
    }

    // Every file in the folder is read by a test.
    void allAreRead()
    {
        std::size_t files = 0;
        for (const auto& entry : fs::directory_iterator(writtenFolder))
            files += entry.is_regular_file() ? 1 : 0;
        QCOMPARE(files, writtenRecipes().size() + writtenSessions().size() + writtenQueueEntries().size() +
                            writtenSettings().size());
    }
};

SINOSCOPE_TEST(WrittenDocumentsTest, QCoreApplication)
#include "written_documents_test.moc"
