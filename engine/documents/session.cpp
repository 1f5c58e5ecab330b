// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/documents/session.h"

#include "engine/base/error.h"
#include "engine/base/version.h"
#include "engine/compare/mark_figures.h"
#include "engine/documents/report.h"
#include "engine/io/files/json_file.h"
#include "engine/io/files/protected_inputs.h"
#include "engine/io/open/open_fields.h"
#include "engine/json/request_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace engine
{

namespace
{

namespace fs = std::filesystem;

constexpr const char* format = "Sinoscope session";
constexpr std::size_t mostSettings = 1000, mostMarks = 1000;

Json settingOf(const NamedSetting& one)
{
    Json json = {{"id", one.id}, {"name", one.name}, {"colour", one.colour}, {"visible", one.visible}};
    if (one.isNamedAfterValues)
        json["namedAfterValues"] = true;
    Request request;
    request.setting = one.setting;
    addOptions(json, request, true);
    return json;
}

NamedSetting settingFrom(const Json& json)
{
    Request request;
    takeOptions(json, request);
    NamedSetting one{wholeNumberIn<int>(json.at("id")),
                     json.at("name").get<std::string>(),
                     wholeNumberIn<int>(json.at("colour")),
                     json.at("visible").get<bool>(),
                     request.setting,
                     json.value("namedAfterValues", false)};
    require(!one.name.empty() && one.id > 0 && one.colour >= 0, "a setting without a name, an id or a colour");
    return one;
}

SettingList listFrom(const Json& json)
{
    SettingList list;
    list.settings.clear();
    std::set<int> ids;
    for (const Json& one : json.at("settings")) {
        list.settings.push_back(settingFrom(one));
        require(ids.insert(list.settings.back().id).second,
                "two settings have the id " + std::to_string(list.settings.back().id));
        require(list.settings.size() <= mostSettings, "more than " + std::to_string(mostSettings) + " settings");
    }
    require(!list.settings.empty(), "there is no setting");
    list.chosenId = wholeNumberIn<int>(json.at("chosen"));
    require(ids.contains(list.chosenId), "the chosen setting " + std::to_string(list.chosenId) + " is missing");
    list.reference = referenceFromText(json.at("reference").get<std::string>());
    require(list.reference.id == 0 || ids.contains(list.reference.id),
            "the setting " + std::to_string(list.reference.id) + ", which is the reference, is missing");
    return list;
}

// Returns the path relative to the session's folder if the file is in it, else the absolute path.
fs::path namedFrom(const fs::path& file, const fs::path& folder)
{
    const fs::path whole = fs::absolute(file).lexically_normal();
    const fs::path near = whole.lexically_relative(folder);
    return near.empty() || *near.begin() == ".." ? whole : near;
}

Json markOf(const Mark& one)
{
    Json json = {{"id", one.id}, {"name", one.name}, {"shape", toText(one.shape)}, {"visible", one.visible}};
    if (!isArea(one.shape))
        json["width"] = one.width;
    return json;
}

// Reads one line and one area, as version 1 stored them.
Marks marksOfVersion1(const Json& json)
{
    Marks marks;
    const Area area = areaFromText(json.at("area").get<std::string>());
    const bool isDisc = std::holds_alternative<DiscArea>(area); // which version 1 did not draw
    marks.add(area, isDisc ? "disc" : std::string()).visible = !isDisc;
    if (json.contains("line")) {
        const auto ends = json["line"].get<std::vector<double>>();
        require(ends.size() == 4, "the profile's line needs two points of the slice");
        const Line line{ends[0], ends[1], ends[2], ends[3]};
        validate(Shape(line));
        marks.add(line);
    }
    return marks;
}

// Adds a list of marks, and which are chosen.
void addMarks(Json& json, const Marks& marks)
{
    json["marks"] = Json::array();
    for (const Mark& one : marks.marks)
        json["marks"].push_back(markOf(one));
    json["chosenLine"] = marks.lineId;
    json["chosenArea"] = marks.areaId;
}

Marks marksFrom(const Json& json)
{
    Marks marks;
    for (const Json& one : json.at("marks")) {
        Mark mark{wholeNumberIn<int>(one.at("id")), one.at("name").get<std::string>(),
                  shapeFromText(one.at("shape").get<std::string>()), wholeNumberIn<int>(one.value("width", Json(1))),
                  one.value("visible", true)};
        require(mark.id > 0 && !mark.name.empty(), "a line or an area without a name or an id");
        require(mark.width >= 1 && mark.width <= 1000,
                "'" + mark.name + "' is " + std::to_string(mark.width) + " pixels wide; 1 to 1000 are possible");
        require(!marks.find(mark.id), "two lines or areas have the id " + std::to_string(mark.id));
        marks.marks.push_back(std::move(mark));
        require(marks.marks.size() <= mostMarks, "more than " + std::to_string(mostMarks) + " lines and areas");
    }
    marks.lineId = wholeNumberIn<int>(json.value("chosenLine", Json(0)));
    marks.areaId = wholeNumberIn<int>(json.value("chosenArea", Json(0)));
    require(marks.line() ? !isArea(marks.line()->shape) : marks.lineId == 0, "the chosen line is missing");
    require(marks.area() && isArea(marks.area()->shape), "the chosen area is missing");
    return marks;
}

constexpr std::array coordinateKeys{"column", "row", "slice"}, planeKeys{"x", "y", "z"};

Json planesOf(const SessionPlanes& planes)
{
    Json json = {{"point", Json::object()}};
    for (std::size_t k = 0; k < 3; ++k)
        json["point"][coordinateKeys[k]] = planes.point[k];
    for (std::size_t k = 0; k < 3; ++k) {
        const SessionPlanes::Angles& by = planes.angles[k];
        const bool hasMarks = !planes.marks[k].marks.empty();
        if (by == SessionPlanes::Angles() && !hasMarks)
            continue;
        json[planeKeys[k]] = {{"turn", by.turnDeg}, {"tilt", by.tiltDeg}};
        if (hasMarks)
            addMarks(json[planeKeys[k]], planes.marks[k]);
    }
    return json;
}

const Json& objectIn(const Json& json, const std::string& name)
{
    require(json.is_object(), "'" + name + "' is not an object");
    return json;
}

// Returns a number of an object. Throws Error(badRequest), which names the value.
double numberIn(const Json& object, const std::string& of, const char* key, int least, int most)
{
    const std::string name = "'" + of + "." + key + "'";
    require(object.contains(key), name + " is missing");
    const Json& json = object[key];
    const std::string value = json.is_structured() || json.dump().size() > 40 ? "of another type" : json.dump();
    require(json.is_number(), name + " is " + value + ", but should be a number");
    const auto number = json.get<double>();
    require(number >= least && number <= most,
            name + " is " + value + "; " + std::to_string(least) + " to " + std::to_string(most) + " are possible");
    return number;
}

// Converts angles of versions 1 and 2.
SessionPlanes::Angles anticlockwiseAngles(const SessionPlanes::Angles& angles, std::size_t plane)
{
    const auto negated = [](double degrees) { return 0 - degrees; }; // no −0
    return {plane == 2 ? angles.turnDeg : negated(angles.turnDeg),
            plane == 0 ? angles.tiltDeg : negated(angles.tiltDeg)};
}

// written: version of the session
SessionPlanes planesFrom(const Json& json, int written)
{
    constexpr int mostVoxels = 1000000000; // the size of the volume is known only when the scan is open
    SessionPlanes planes;
    require(objectIn(json, "planes").contains("point"), "'planes.point' is missing");
    const Json& point = objectIn(json["point"], "planes.point");
    for (std::size_t k = 0; k < 3; ++k) {
        planes.point[k] = numberIn(point, "planes.point", coordinateKeys[k], 0, mostVoxels);
        if (!json.contains(planeKeys[k]))
            continue;
        const std::string name = std::string("planes.") + planeKeys[k];
        const Json& plane = objectIn(json[planeKeys[k]], name);
        planes.angles[k] = {numberIn(plane, name, "turn", -180, 180), numberIn(plane, name, "tilt", -180, 180)};
        if (written < 3)
            planes.angles[k] = anticlockwiseAngles(planes.angles[k], k);
        if (plane.contains("marks"))
            planes.marks[k] = marksFrom(plane);
    }
    return planes;
}

Session sessionFrom(const Json& json, const fs::path& folder)
{
    require(json.is_object() && json.value("format", "") == format, "it is not a session of Sinoscope");
    const int written = wholeNumberIn<int>(json.at("version"));
    require(written >= 1 && written <= Session::version,
            "it has version " + std::to_string(written) + ", but this program reads " +
                std::to_string(Session::version) + "; a newer Sinoscope wrote it");
    Session session;
    const Json& scan = json.at("scan");
    if (scan.contains("simulation")) {
        session.simulation = simulationFromJson(scan["simulation"].dump());
        session.label = scan.value("label", std::string());
    } else {
        session.scan = folder / fs::path(scan.at("path").get<std::string>()); // an absolute path stays unchanged
        session.opened = openOptionsFrom(scan.value("opened", Json::object()));
        session.opened.allowOutside = false; // not taken from the session: its author may be the author of the scan
        for (const auto path : openedPaths)
            if (!(session.opened.*path).empty())
                session.opened.*path = folder / session.opened.*path;
    }
    session.slice = wholeNumberIn<int>(json.at("slice"));
    require(session.slice >= 0, "slice " + std::to_string(session.slice) + " is none");
    session.list = listFrom(json);
    if (fs::path& file = session.list.reference.file.file; !file.empty())
        file = folder / file;
    Request all;
    takeOptions(json.at("resources"), all);
    session.resources = all.resources;
    session.marks = written == 1 ? marksOfVersion1(json) : marksFrom(json);
    if (json.contains("planes"))
        session.planes = planesFrom(json["planes"], written);
    if (json.contains("window"))
        session.window = json["window"].dump();
    return session;
}

Json areasOf(const Session& session, const ComparedSetting& one)
{
    Json json = Json::array();
    const std::vector<const Mark*> areas = session.marks.areas();
    std::optional<AreaStatistics> first; // contrasts refer to the first area
    for (const Mark* mark : areas) {
        const AreaFigures figures =
            figuresOf(*one.result, one.reference.get(), session.slice, std::get<Area>(mark->shape));
        const AreaStatistics& of = figures.statistics;
        json.push_back({{"name", mark->name},
                        {"area", toText(mark->shape)},
                        {"pixels", of.pixels},
                        {"mean", of.mean},
                        {"deviation", of.deviation},
                        {"noise", of.noise},
                        {"metrics", figures.metrics ? Json::parse(metricsJson(*figures.metrics)) : Json(nullptr)}});
        if (first)
            json.back()["contrastToNoise"] = {{"against", areas.front()->name}, {"value", contrastToNoise(of, *first)}};
        else
            first = of;
    }
    return json;
}

// Returns null for the reference, and if there is no spectrum, as for areas of a few pixels.
Json correlationOf(const Session& session, const ComparedSetting& one)
{
    if (!one.reference || one.reference == one.result)
        return nullptr;
    const auto sliceOf = [&](const Reconstruction& image) {
        return image.image.slice(session.slice - image.request.place.slices().first);
    };
    const auto spectra = spectraIfAny(sliceOf(*one.result), sliceOf(*one.reference), one.result->grid.width,
                                      one.result->grid.height, session.marks.mask());
    return spectra ? Json::parse(spectraJson(*spectra)) : Json(nullptr);
}

Json linesOf(const Session& session, const ComparedSetting& one)
{
    Json json = Json::array();
    for (const Mark* mark : session.marks.lines()) {
        const std::optional<double> width = edgeWidthOf(*one.result, session.slice, *mark);
        json.push_back({{"name", mark->name},
                        {"line", toText(mark->shape)},
                        {"width", mark->width},
                        {"edgeWidthPixels", width ? Json(*width) : Json(nullptr)}});
    }
    return json;
}

} // namespace

std::string sessionJson(const Session& session, const fs::path& file)
{
    const fs::path folder = fs::absolute(file).lexically_normal().parent_path();
    Json json = {{"format", format}, {"version", Session::version}, {"program", programVersion()}};
    if (session.simulation) {
        json["scan"] = {{"simulation", Json::parse(toJson(*session.simulation))}, {"label", session.label}};
    } else {
        OpenOptions opened = session.opened;
        for (const auto path : openedPaths)
            if (!(opened.*path).empty())
                opened.*path = namedFrom(opened.*path, folder);
        json["scan"] = {{"path", namedFrom(session.scan, folder).string()}, {"opened", openOptionsOf(opened)}};
    }
    json["slice"] = session.slice;
    json["settings"] = Json::array();
    for (const NamedSetting& one : session.list.settings)
        json["settings"].push_back(settingOf(one));
    json["chosen"] = session.list.chosenId;
    ReferenceChoice reference = session.list.reference;
    if (!reference.file.file.empty())
        reference.file.file = namedFrom(reference.file.file, folder);
    json["reference"] = toText(reference);
    Request all;
    all.resources = session.resources;
    json["resources"] = Json::object();
    addOptions(json["resources"], all, false);
    addMarks(json, session.marks);
    if (session.planes)
        json["planes"] = planesOf(*session.planes);
    if (!session.window.empty())
        json["window"] = Json::parse(session.window);
    return dumped(json);
}

Session readSession(const fs::path& file)
{
    return readJsonFile(file, "session", [&](const Json& json) {
        return sessionFrom(json, fs::absolute(file).lexically_normal().parent_path());
    });
}

void writeSession(const Session& session, const fs::path& file, bool overwrite)
{
    writeJsonFile(file, sessionJson(session, file), overwrite, {});
}

std::string areaText(const Session& session)
{
    return session.marks.area() ? toText(session.marks.area()->shape) : std::string("whole slice");
}

std::string comparedSettingsJson(const Session& session, const Scan& scan, const std::vector<ComparedSetting>& all)
{
    Json json = {{"program", "Sinoscope"},
                 {"version", programVersion()},
                 {"scan", Json::parse(scanJson(scan))},
                 {"slice", session.slice},
                 {"against", toText(session.list.reference)},
                 {"reference", referenceText(session.list, all.front().reference.get())},
                 {"area", areaText(session)},
                 {"unit", all.front().result->unit},
                 {"settings", Json::array()}};
    for (const ComparedSetting& one : all) {
        Json setting = settingOf(one.setting);
        setting["ran"] = one.result->method;
        setting["device"] = one.result->device;
        setting["axisBins"] = one.result->axisBins;
        setting["kernelGups"] = one.result->kernelGups;
        setting["totalGups"] = one.result->totalGups;
        setting["kernelSeconds"] = one.result->timings.kernelSeconds;
        setting["totalSeconds"] = one.result->timings.totalSeconds;
        setting["metrics"] = one.metrics ? Json::parse(metricsJson(*one.metrics)) : Json(nullptr);
        setting["fourierRingCorrelation"] = correlationOf(session, one);
        if (one.consistency)
            setting["consistency"] = Json::parse(consistencyJson(*one.consistency));
        setting["areas"] = areasOf(session, one);
        setting["lines"] = linesOf(session, one);
        setting["notes"] = textsOf(one.result->notes, commandLineStyle());
        json["settings"].push_back(std::move(setting));
    }
    return dumped(json);
}

std::shared_ptr<const Scan> openScan(const Session& session, std::stop_token stop)
{
    if (session.simulation)
        return simulate(*session.simulation);
    if (std::error_code error; !fs::exists(session.scan, error))
        throw Error(ErrorKind::badFile, "The session's scan " + fileText(session.scan.string()) +
                                            " is missing; put it back, or change \"path\" in the session, which may be "
                                            "relative to the session's folder.");
    return openScan(session.scan, session.opened, std::move(stop));
}

} // namespace engine
