// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/documents/recipe.h"

#include "engine/base/error.h"
#include "engine/base/field_json.h"
#include "engine/base/version.h"
#include "engine/documents/report.h"
#include "engine/io/files/json_file.h"
#include "engine/io/open/open_fields.h"
#include "engine/json/request_json.h"
#include "engine/options/options.h"
#include "engine/scan/cone_fields.h"
#include "engine/volume/volume_plan.h"

#include <algorithm>
#include <utility>

namespace engine
{

namespace
{

constexpr const char* recipeFormat = "Sinoscope recipe";

// Returns the text of an option for opening a scan.
std::string givenText(const OpenField& field, const Json& value)
{
    const bool isFlag = field.kind == FieldKind::boolean;
    require(isFlag ? value.is_boolean() : value.is_string() || value.is_number(),
            "is " + value.dump().substr(0, 60) + (isFlag ? ", but must be true or false" : ", but must be a text"));
    return textFromJson(field.kind, value, field.id);
}

Json openedOf(const OpenOptions& opened)
{
    Json json = Json::object();
    for (const OpenField& field : openFields())
        for (const std::string& text : textsOf(field, opened))
            json[jsonKey(field.id)] = field.kind == FieldKind::boolean ? Json(true) : Json(text);
    if (opened.cone != ConeOptions())
        json["cone"] = coneOptionsJson(opened.cone);
    return json;
}

// Reads the known keys and removes them.
OpenOptions openedFrom(Json& json)
{
    require(json.is_object(), "\"opened\" is not a list of keys");
    OpenOptions opened;
    for (const OpenField& field : openFields()) {
        const std::string key = jsonKey(field.id);
        if (!json.contains(key))
            continue;
        const Json value = json[key];
        json.erase(key);
        try {
            if (const std::string text = givenText(field, value); value != Json(false)) // false is the default
                setField(field, opened, text);
            std::vector<std::string> files;
            withoutFiles(opened, files);
            require(files.empty(), "belongs to one scan; give " + (files.empty() ? Text() : optionName(files.front())) +
                                       " in addition to the recipe");
            require(value == Json(false) || !*field.needs || isGiven(findField(openFields(), field.needs), opened),
                    "has no effect without \"" + jsonKey(field.needs) + "\"");
        } catch (const Error& error) {
            throw Error(error.kind(), "\"" + key + "\" of \"opened\": " + error.text());
        }
    }
    if (json.contains("cone")) {
        require(json["cone"].is_object(), "\"cone\" of \"opened\" is not a list of keys");
        opened.cone = takeConeOptions(json["cone"]);
        if (json["cone"].empty())
            json.erase("cone");
    }
    return opened;
}

// Reads the key and removes it. How the plane fits into a volume is seen when there is a scan.
std::string planeFrom(Json& json)
{
    if (!json.contains("plane"))
        return {};
    const Json value = json["plane"];
    json.erase("plane");
    require(value.is_string(), "\"plane\" is " + value.dump().substr(0, 60) + ", but must be a text");
    const auto text = value.get<std::string>();
    try {
        planeFromText(text, {});
    } catch (const Error& error) {
        throw Error(error.kind(), "\"plane\": " + error.text());
    }
    return text;
}

// Returns the path of the first key that is left in an object: "filter/windw".
std::string firstKey(const Json& json)
{
    const auto item = json.begin();
    const bool goesOn = item.value().is_object() && !item.value().empty();
    return item.key() + (goesOn ? "/" + firstKey(item.value()) : std::string());
}

void requireNothingLeft(const Json& json, const std::string& of)
{
    if (!json.empty())
        throw Error(ErrorKind::badFile,
                    "the key \"" + firstKey(json) + "\"" + of + " is unknown, or its value has the wrong type");
}

Recipe recipeFrom(Json json)
{
    require(json.is_object() && json.contains("format") && json["format"] == recipeFormat,
            "it is not a recipe of Sinoscope");
    const int written = wholeNumberIn<int>(json.at("version"));
    require(written >= 1 && written <= Recipe::version,
            "it has version " + std::to_string(written) + ", but this program reads " +
                std::to_string(Recipe::version) + "; a newer Sinoscope wrote it");
    Recipe recipe;
    Request request;
    Json setting = json.value("setting", Json::object());
    require(setting.is_object(), "\"setting\" is not a list of keys");
    recipe.choosesPasses = !setting.contains("slicesPerPass");
    takeSettingOut(setting, request);
    requireNothingLeft(setting, " of \"setting\"");
    recipe.setting = request.setting;
    Json opened = json.value("opened", Json::object());
    recipe.opened = openedFrom(opened);
    requireNothingLeft(opened, " of \"opened\"");
    recipe.plane = planeFrom(json);
    for (const char* key : {"format", "version", "program", "setting", "opened"})
        json.erase(key);
    requireNothingLeft(json, "");
    return recipe;
}

} // namespace

OpenOptions withoutFiles(OpenOptions opened, std::vector<std::string>& leftOut)
{
    const OpenOptions given = opened;
    for (const auto path : openedPaths)
        (opened.*path).clear();
    opened.anglesRad.clear();
    opened.reduction.leftOut.clear();
    opened.allowOutside = false;
    if (!opened.angleRangeRad && !opened.angleSteps)
        opened.angleColumn = {};
    for (const OpenField& field : openFields())
        if (!*field.needs && (textsOf(field, given) != textsOf(field, opened) ||
                              (field.id == std::string("angles") && !given.anglesRad.empty())))
            leftOut.push_back(field.id);
    // A scan without its geometry file must not be opened as a parallel beam.
    if (!given.geometryFile.empty() && !opened.beam)
        opened.beam = BeamKind::cone;
    return opened;
}

Text leftOutText(const std::vector<std::string>& leftOut)
{
    Text names;
    for (const std::string& id : leftOut)
        names += (names.empty() ? "" : ", ") + optionName(id);
    const bool one = leftOut.size() == 1;
    return names.empty() ? names
                         : "The recipe leaves out " + names + ", which " + (one ? "is" : "are") +
                               " specific to this scan; give " + (one ? "it" : "them") +
                               " again for other scans that need " + (one ? "it." : "them.");
}

std::string shortPlane(const Recipe& recipe)
{
    return recipe.plane.empty() ? std::string() : shortText(planeFromText(recipe.plane, {}));
}

void usePlane(const Recipe& recipe, Request& request)
{
    try {
        if (!recipe.plane.empty())
            setField(option("plane"), request, recipe.plane);
    } catch (const Error& error) {
        throw Error(error.kind(), "the recipe's plane " + recipe.plane + ": " + error.text());
    }
}

Request requestWith(const Recipe& recipe, std::shared_ptr<const Scan> scan)
{
    Request request;
    request.setting = recipe.setting;
    request.place.setSlices({0, scan->slices()});
    request.scan = std::move(scan);
    usePlane(recipe, request);
    if (recipe.choosesPasses)
        chooseSlicesPerPass(request);
    return request;
}

std::string recipeJson(const Recipe& recipe)
{
    Request request;
    request.setting = recipe.setting;
    Json setting = Json::object();
    addOptions(setting, request, true);
    if (recipe.choosesPasses)
        setting.erase("slicesPerPass");
    Json json = {{"format", recipeFormat},
                 {"version", Recipe::version},
                 {"program", programVersion()},
                 {"opened", openedOf(recipe.opened)},
                 {"setting", setting}};
    if (!recipe.plane.empty())
        json["plane"] = recipe.plane;
    return dumped(json);
}

Recipe recipeFromJson(const std::string& text)
{
    try {
        return recipeFrom(parsedJson(text));
    } catch (const Json::exception& wrong) {
        throw Error(ErrorKind::badRequest, std::string("the recipe can't be read (") + wrong.what() + ")");
    }
}

Recipe readRecipe(const std::filesystem::path& file)
{
    return readJsonFile(file, "recipe", [](const Json& json) { return recipeFrom(json); });
}

void writeRecipe(const Recipe& recipe, const std::filesystem::path& file, bool overwrite, const ProtectedInputs& inputs)
{
    writeJsonFile(file, recipeJson(recipe), overwrite, inputs);
}

} // namespace engine
