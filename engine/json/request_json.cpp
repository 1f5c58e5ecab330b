#include "engine/json/request_json.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/base/units.h"
#include "engine/options/options.h"
#include "engine/scan/cone_words.h"
#include "engine/scan/geometry_facts.h"

#include "engine/backproject/support.h"

#include <numbers>
#include <utility>

namespace engine
{

namespace
{

constexpr double degrees = 180 / std::numbers::pi;

// Of an option: "/filter/window".
Json::json_pointer placeOf(const Option& row)
{
    if (*row.json)
        return Json::json_pointer('/' + std::string(row.json));
    return Json::json_pointer('/' + jsonKey(row.id));
}

// A number where the text is one, a list of them where it has commas; else the text.
Json valueFrom(const Option& row, const std::string& text)
{
    if (row.kind == Option::Kind::whole)
        return integerFromText(text, row.id);
    if (row.kind == Option::Kind::bytes)
        return bytesFromText(text);
    if (text.find(',') != std::string::npos)
        if (Json list = Json::parse('[' + text + ']', nullptr, false); !list.is_discarded())
            return list;
    try {
        return realFromText(text, row.id);
    } catch (const Error&) {
        return text;
    }
}

// The other way; throws Error(badRequest).
std::string textFrom(const Option& row, const Json& value)
{
    if (value.is_string())
        return value.get<std::string>();
    if (value.is_number() && row.kind == Option::Kind::bytes)
        return bytesToText(value.get<double>());
    if (value.is_number_integer())
        return value.dump();
    if (value.is_number())
        return numberToText(value.get<double>());
    std::string list;
    for (const Json& item : value.is_array() ? value : Json::array())
        list += (list.empty() ? "" : ",") + item.dump();
    require(!list.empty(), std::string("the value ") + value.dump() + " of '" + row.id + "' can't be used");
    return list;
}

void addOption(Json& json, const Option& row, const Request& request)
{
    const std::string text = row.idle && row.idle(request) ? std::string() : row.get(request);
    if (text.empty()) {
        if (*row.jsonLeftOut)
            json[placeOf(row)] = Json::parse(row.jsonLeftOut);
        return;
    }
    const std::size_t colon = *row.jsonDetail ? text.find(':') : std::string::npos;
    json[placeOf(row)] = valueFrom(row, text.substr(0, colon));
    if (colon != std::string::npos)
        json[row.jsonDetail] = integerFromText(text.substr(colon + 1), row.id);
}

void takeOption(const Json& json, const Option& row, Request& request)
{
    const Json::json_pointer place = placeOf(row);
    if (!json.contains(place) || json[place].is_null() ||
        (*row.jsonLeftOut && json[place] == Json::parse(row.jsonLeftOut)))
        return;
    std::string text = textFrom(row, json[place]);
    if (*row.jsonDetail && json.contains(row.jsonDetail))
        text += ':' + json[row.jsonDetail].dump();
    try {
        setOption(row, request, text);
    } catch (const Error& error) {
        throw Error(error.kind(), std::string(row.id) + ": " + error.what());
    }
}

// With the objects around it that have nothing else.
void erase(Json& json, Json::json_pointer place)
{
    if (!json.contains(place))
        return;
    for (bool isEmpty = true; isEmpty && !place.empty();) {
        Json& around = json[place.parent_pointer()];
        around.erase(place.back());
        place.pop_back();
        isEmpty = around.empty();
    }
}

void requireOpened(bool right, const std::string& key)
{
    require(right, "'" + key + "' of how the scan was opened can't be used");
}

AngleColumn angleColumnFrom(const Json& json)
{
    AngleColumn column;
    if (json.contains("anglesColumn"))
        column.column = wholeNumberIn<int>(json["anglesColumn"]);
    column.radians = json.value("anglesRadians", false);
    if (json.contains("anglesSkip"))
        column.skip = wholeNumberIn<int>(json["anglesSkip"]);
    if (json.contains("anglesLines")) {
        const Json& lines = json["anglesLines"];
        requireOpened(lines.is_array() && lines.size() == 2, "anglesLines");
        column.lines = {wholeNumberIn<int>(lines[0]), wholeNumberIn<int>(lines[1])};
    }
    return column;
}

} // namespace

Json coneOf(const ConeBeam& beam)
{
    Json json = coneOptionsJson(optionsOf(beam));
    json["projectionMatrices"] = beam.matrices.size();
    if (beam.isCircle()) {
        json["magnification"] = beam.magnification();
        json["centralRow"] = beam.centralRow;
    }
    return json;
}

namespace
{

// The first, the step, and where they start again.
Json stepsOf(const AngleSteps& steps)
{
    Json json = Json::array({degreesFromRad(steps.firstRad), degreesFromRad(steps.stepRad)});
    if (steps.wrapRad > 0)
        json.push_back(degreesFromRad(steps.wrapRad));
    return json;
}

Json spreadOf(const AngleSpread& spread)
{
    if (spread.steps)
        return {{"stepsDeg", stepsOf(*spread.steps)}};
    return {{"firstDeg", degreesFromRad(spread.firstRad)},
            {"lastDeg", degreesFromRad(spread.lastRad)},
            {"endExcluded", spread.endExcluded}};
}

Json turnOf(const TurnGuess& guess)
{
    Json json = spreadOf(guess.spread);
    json["certainty"] = guess.certainty;
    json["endCertainty"] = guess.endCertainty;
    json["isSure"] = guess.isSure();
    json["isSureOfEnd"] = guess.isSureOfEnd();
    json["reason"] = guess.reason;
    if (guess.alternative)
        json["alternative"] = spreadOf(*guess.alternative);
    return json;
}

} // namespace

Json anglesOf(const Scan& scan)
{
    const std::vector<double> anglesRad = recordedAnglesRad(scan.geometry);
    if (anglesRad.empty())
        return nullptr;
    Json json = {{"count", scan.projections()},
                 {"firstDeg", degreesFromRad(anglesRad.front())},
                 {"lastDeg", degreesFromRad(anglesRad.back())}};
    if (scan.assumedTurn)
        json["assumed"] = turnOf(*scan.assumedTurn);
    if (scan.likelierTurn)
        json["likelier"] = turnOf(*scan.likelierTurn);
    return json;
}

Json valuesOf(const Scan& scan)
{
    Json json = {{"are", toText(scan.storedQuantity())}, {"source", toText(scan.quantitySource)}};
    if (!scan.quantityReason.empty())
        json["reason"] = scan.quantityReason;
    if (!scan.quantityDoubt.empty())
        json["doubt"] = scan.quantityDoubt;
    return json;
}

void addOptions(Json& json, const Request& request, bool ofSetting)
{
    for (const Option& row : options())
        if (row.ofSetting == ofSetting)
            addOption(json, row, request);
}

void takeOptions(const Json& json, Request& request)
{
    for (const Option& row : options())
        takeOption(json, row, request);
}

void takeSettingOut(Json& json, Request& request)
{
    const Json given = json;
    for (const Option& row : options()) {
        if (!row.ofSetting)
            continue;
        takeOption(given, row, request);
        erase(json, placeOf(row));
        if (*row.jsonDetail)
            erase(json, Json::json_pointer('/' + std::string(row.jsonDetail)));
    }
}

Json requestOf(const Request& request)
{
    Json json;
    if (request.scan)
        json["scan"] = {{"name", request.scan->name},
                        {"path", request.scan->path},
                        {"format", request.scan->format},
                        {"values", valuesOf(*request.scan)},
                        {"angles", anglesOf(*request.scan)}};
    json["slices"] = {{"first", request.place.slices.first}, {"count", request.place.slices.count}};
    for (const Option& row : options())
        addOption(json, row, request);
    json["previewStep"] = request.place.previewStep;
    return json;
}

Json openOptionsOf(const OpenOptions& options)
{
    Json json = Json::object();
    if (options.angleRangeRad)
        json["angleRangeDeg"] =
            Json::array({degreesFromRad(options.angleRangeRad->first), degreesFromRad(options.angleRangeRad->second)});
    if (!options.anglesRad.empty()) {
        Json list = Json::array();
        for (const double angle : options.anglesRad)
            list.push_back(degreesFromRad(angle));
        json["anglesDeg"] = std::move(list);
    }
    if (options.angleEndExcluded)
        json["angleEndExcluded"] = true;
    if (options.angleSteps)
        json["angleStepsDeg"] = stepsOf(*options.angleSteps);
    if (!options.anglesFile.empty())
        json["anglesFile"] = options.anglesFile.string();
    const AngleColumn& column = options.angleColumn;
    if (column.column)
        json["anglesColumn"] = *column.column;
    if (column.radians)
        json["anglesRadians"] = true;
    if (column.skip > 0)
        json["anglesSkip"] = column.skip;
    if (column.lines)
        json["anglesLines"] = Json::array({column.lines->first, column.lines->second});
    if (options.values)
        json["values"] = toText(*options.values);
    if (!options.shiftsFile.empty())
        json["shifts"] = options.shiftsFile.string();
    if (!options.darks.empty())
        json["darks"] = options.darks.string();
    if (!options.flats.empty())
        json["flats"] = options.flats.string();
    if (options.reduction.bin > 1)
        json["bin"] = options.reduction.bin;
    if (options.reduction.every > 1)
        json["every"] = options.reduction.every;
    if (!options.darkFrames.empty())
        json["darkFrames"] = rangesToText(options.darkFrames);
    if (!options.flatFrames.empty())
        json["flatFrames"] = rangesToText(options.flatFrames);
    if (!options.reduction.leftOut.empty())
        json["leaveOut"] = rangesToText(options.reduction.leftOut);
    json["sinogram"] = options.sinogram;
    if (options.allowOutside)
        json["allowOutside"] = true;
    if (options.raw)
        json["raw"] = {{"projections", options.raw->projections},
                       {"rows", options.raw->rows},
                       {"bins", options.raw->bins},
                       {"type", options.raw->sampleType},
                       {"bigEndian", options.raw->bigEndian},
                       {"headerBytes", options.raw->headerBytes}};
    for (const DataSetRole& role : dataSetRoles())
        if (const std::string& text = options.dataSets.*role.text; !text.empty())
            json["dataSets"][role.id] = text;
    if (options.beam)
        json["geometry"] = toText(*options.beam);
    if (!options.geometryFile.empty())
        json["geometryFile"] = options.geometryFile.string();
    if (options.cone != ConeOptions())
        json["cone"] = coneOptionsJson(options.cone);
    return json;
}

OpenOptions openOptionsFrom(const Json& json)
{
    requireOpened(json.is_object(), "opened");
    OpenOptions options;
    try {
        if (json.contains("angleRangeDeg")) {
            const auto range = json["angleRangeDeg"].get<std::vector<double>>();
            requireOpened(range.size() == 2, "angleRangeDeg");
            options.angleRangeRad = {range[0] / degrees, range[1] / degrees};
        }
        options.angleEndExcluded = json.value("angleEndExcluded", false);
        if (json.contains("angleStepsDeg")) {
            const auto steps = json["angleStepsDeg"].get<std::vector<double>>();
            requireOpened(steps.size() == 2 || (steps.size() == 3 && steps[2] > 0), "angleStepsDeg");
            options.angleSteps = AngleSteps{steps[0] / degrees, steps[1] / degrees};
            if (steps.size() == 3)
                options.angleSteps->wrapRad = steps[2] / degrees;
        }
        options.angleColumn = angleColumnFrom(json);
        if (json.contains("anglesDeg"))
            for (const double angle : json["anglesDeg"].get<std::vector<double>>())
                options.anglesRad.push_back(angle / degrees);
        options.anglesFile = json.value("anglesFile", std::string());
        if (json.contains("values"))
            options.values = quantityFromText(json["values"].get<std::string>());
        options.shiftsFile = json.value("shifts", std::string());
        options.darks = json.value("darks", std::string());
        options.flats = json.value("flats", std::string());
        if (json.contains("darkFrames"))
            options.darkFrames = rangesFromText(json["darkFrames"].get<std::string>());
        if (json.contains("flatFrames"))
            options.flatFrames = rangesFromText(json["flatFrames"].get<std::string>());
        if (json.contains("bin"))
            options.reduction.bin = wholeNumberIn<int>(json["bin"]);
        if (json.contains("every"))
            options.reduction.every = wholeNumberIn<int>(json["every"]);
        requireOpened(options.reduction.bin >= 1, "bin");
        requireOpened(options.reduction.every >= 1, "every");
        if (json.contains("leaveOut"))
            options.reduction.leftOut = rangesFromText(json["leaveOut"].get<std::string>());
        options.sinogram = json.value("sinogram", false);
        options.allowOutside = json.value("allowOutside", false);
        if (json.contains("raw")) {
            const Json& raw = json["raw"];
            options.raw =
                RawLayout{wholeNumberIn<int>(raw.at("projections")), wholeNumberIn<int>(raw.at("rows")),
                          wholeNumberIn<int>(raw.at("bins")),        raw.at("type").get<std::string>(),
                          raw.at("bigEndian").get<bool>(),           wholeNumberIn<long long>(raw.at("headerBytes"))};
        }
        if (json.contains("dataSets"))
            for (const DataSetRole& role : dataSetRoles())
                options.dataSets.*role.text = json["dataSets"].value(role.id, std::string());
        if (json.contains("geometry")) {
            options.beam = beamKindFromText(json["geometry"].get<std::string>());
            requireOpened(options.beam.has_value(), "geometry");
        }
        options.geometryFile = json.value("geometryFile", std::string());
        if (json.contains("cone")) {
            Json cone = json["cone"];
            options.cone = takeConeOptions(cone);
        }
    } catch (const Json::exception& error) {
        throw Error(ErrorKind::badRequest, std::string("how the scan was opened can't be read (") + error.what() + ")");
    }
    return options;
}

} // namespace engine
