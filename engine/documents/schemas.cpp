// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/documents/schemas.h"

#include "engine/base/field_json.h"
#include "engine/documents/recipe.h"
#include "engine/documents/session.h"
#include "engine/io/open/open_fields.h"
#include "engine/options/options.h"
#include "engine/scan/cone_fields.h"

#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace engine
{

namespace
{

Json ofType(const char* type, const std::string& description = {})
{
    Json schema = {{"type", type}};
    if (!description.empty())
        schema["description"] = description;
    return schema;
}

// Returns the schema of a number that is written as null if it is not finite.
Json figure(const std::string& description)
{
    return {{"type", {"number", "null"}}, {"description", description}};
}

Json listOf(Json items, const std::string& description)
{
    return {{"type", "array"}, {"description", description}, {"items", std::move(items)}};
}

// Returns the schema of an object with these keys and no others. required: the keys that it always has.
Json closedObject(Json properties, std::vector<std::string> required = {})
{
    Json schema = {{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
    if (!required.empty())
        schema["required"] = std::move(required);
    return schema;
}

// Adds the schema of the value at a path: "filter/window" makes an object "filter" with the key "window".
void addAt(Json& properties, const std::string& path, Json schema)
{
    const std::size_t slash = path.find('/');
    if (slash == std::string::npos) {
        properties[path] = std::move(schema);
        return;
    }
    Json& object = properties[path.substr(0, slash)];
    if (object.is_null())
        object = closedObject(Json::object());
    addAt(object["properties"], path.substr(slash + 1), std::move(schema));
}

void addLimits(Json& schema, const FieldLimits& limits)
{
    if (!(limits.most > limits.least))
        return;
    schema[limits.leastIncluded ? "minimum" : "exclusiveMinimum"] = limits.least;
    schema["maximum"] = limits.most;
}

template <typename Owner>
Json schemaOf(const Field<Owner>& field)
{
    const std::string description = field.summary + (*field.unit ? ", in " + std::string(field.unit) : std::string());
    Json schema;
    switch (field.kind) {
    case FieldKind::choice:
        schema["enum"] = Json::array();
        for (const FieldChoice& choice : field.choices)
            schema["enum"].push_back(choice.id);
        break;
    case FieldKind::whole:
    case FieldKind::bytes:
        schema["type"] = "integer";
        addLimits(schema, field.limits());
        break;
    case FieldKind::real:
    case FieldKind::length:
        schema["type"] = "number";
        addLimits(schema, field.limits());
        break;
    case FieldKind::boolean:
        schema["type"] = "boolean";
        break;
    case FieldKind::text:
    case FieldKind::file:
        schema["type"] = "string";
        if (field.hasNumbers)
            schema["type"] = {"string", "number", "array"};
        break;
    }
    if (*field.jsonLeftOut) // what is written when the field isn't given
        schema = {{"anyOf", {schema, {{"const", Json::parse(field.jsonLeftOut)}}}}};
    schema["description"] = description;
    return schema;
}

template <typename Owner>
void addFieldAt(Json& properties, const Field<Owner>& field)
{
    if (field.ownJson) {
        for (const char* key : field.ownJson->keys)
            properties[key] = {{"description", field.summary}};
        return;
    }
    addAt(properties, jsonPlace(field.json, field.id).to_string().substr(1), schemaOf(field));
    if (*field.jsonDetail)
        addAt(properties, field.jsonDetail, ofType("integer", field.summary));
}

// Returns the schemas of the options of a setting, or of those of its place and resources.
Json optionKeys(bool ofSetting)
{
    Json properties = Json::object();
    for (const Option& row : options())
        if (row.use.ofSetting == ofSetting)
            addFieldAt(properties, row);
    return properties;
}

Json coneSchema()
{
    Json properties = Json::object();
    for (const ConeField& field : coneFields())
        addFieldAt(properties, field);
    return closedObject(properties);
}

// Returns the schema of how a scan was opened, as sessions and reports store it.
Json openedSchema()
{
    Json properties = Json::object();
    for (const OpenField& field : openFields())
        addFieldAt(properties, field);
    properties["cone"] = coneSchema();
    return closedObject(properties);
}

// Returns the same for recipes, which store the texts of the command line.
Json openedOfRecipe()
{
    Json properties = Json::object();
    for (const OpenField& field : openFields()) {
        Json schema = field.kind == FieldKind::boolean ? ofType("boolean") : Json{{"type", {"string", "number"}}};
        schema["description"] = field.summary;
        properties[jsonKey(field.id)] = schema;
    }
    properties["cone"] = coneSchema();
    return closedObject(properties);
}

Json header(const char* title, const std::string& description)
{
    return {
        {"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", title}, {"description", description}};
}

// Returns the schemas of the keys at the beginning of each file.
Json heading(const char* format, int least, int most)
{
    return {{"format", {{"const", format}}},
            {"version", {{"type", "integer"}, {"minimum", least}, {"maximum", most}}},
            {"program", ofType("string", "version of the program that wrote the file")}};
}

Json with(Json schema, const Json& more)
{
    schema.update(more);
    return schema;
}

std::string recipeSchema()
{
    Json keys = heading("Sinoscope recipe", 1, Recipe::version);
    keys["opened"] = openedOfRecipe();
    keys["setting"] = closedObject(optionKeys(true));
    keys["plane"] = ofType("string", "one plane instead of slices, as the option plane takes it");
    return dumped(with(header("Sinoscope recipe", "How a scan is opened and reconstructed, for other scans, too"),
                       closedObject(keys, {"format", "version"})));
}

Json scanOfSession()
{
    const Json file =
        closedObject({{"path", ofType("string", "file or folder; from the session's folder unless it is absolute")},
                      {"opened", openedSchema()}},
                     {"path"});
    const Json simulated = closedObject({{"simulation", ofType("object", "parameters of the simulated scan")},
                                         {"label", ofType("string", "name that the window shows")}},
                                        {"simulation"});
    return {{"oneOf", {file, simulated}}};
}

Json settingOfSession()
{
    Json keys = {{"id", {{"type", "integer"}, {"minimum", 1}}},
                 {"name", ofType("string", "as the window shows it: A, B, …")},
                 {"colour", {{"type", "integer"}, {"minimum", 0}, {"description", "number of its colour in charts"}}},
                 {"visible", ofType("boolean", "whether charts show it")},
                 {"namedAfterValues", ofType("boolean", "whether a preset named it after its values; absent: no")}};
    keys.update(optionKeys(true));
    return closedObject(keys, {"id", "name", "colour", "visible"});
}

Json markSchema()
{
    return closedObject(
        {{"id", {{"type", "integer"}, {"minimum", 1}}},
         {"name", ofType("string")},
         {"shape", ofType("string", areaForms() + "; line X0,Y0 X1,Y1")},
         {"visible", ofType("boolean", "whether the images show it")},
         {"width", {{"type", "integer"}, {"minimum", 1}, {"maximum", 1000}, {"description", "of a line, in pixels"}}}},
        {"id", "name", "shape"});
}

void addMarks(Json& keys)
{
    keys["marks"] = listOf(markSchema(), "lines and areas");
    keys["chosenLine"] = ofType("integer", "id of the line of the profile; 0: none");
    keys["chosenArea"] = ofType("integer", "id of the area whose figures are shown");
}

Json planesSchema()
{
    const auto number = [](double least, std::optional<double> most, const char* description) {
        Json json = {{"type", "number"}, {"minimum", least}};
        if (most)
            json["maximum"] = *most;
        json["description"] = description;
        return json;
    };
    Json keys = {{"point", closedObject({{"column", number(0, {}, "from the first voxel; fractions are possible")},
                                         {"row", number(0, {}, "from the first voxel")},
                                         {"slice", number(0, {}, "from the first voxel")}},
                                        {"column", "row", "slice"})}};
    Json ofPlane = {{"turn", number(-180, 180, "degrees about the vertical direction of the image")},
                    {"tilt", number(-180, 180, "degrees about its horizontal direction, after it")}};
    addMarks(ofPlane);
    for (const char* plane : {"x", "y", "z"})
        keys[plane] = closedObject(ofPlane, {"turn", "tilt"});
    Json schema = closedObject(keys, {"point"});
    schema["description"] =
        "the three planes that the window shows, with angles anticlockwise as displayed (until version 2 clockwise "
        "about the direction of rows, columns or slices); an absent one is not turned";
    return schema;
}

std::string sessionSchema()
{
    Json keys = heading("Sinoscope session", 2, Session::version);
    keys["scan"] = scanOfSession();
    keys["slice"] = {{"type", "integer"}, {"minimum", 0}, {"description", "the slice that is shown"}};
    keys["settings"] = listOf(settingOfSession(), "the settings that are compared");
    keys["settings"]["minItems"] = 1;
    keys["chosen"] = ofType("integer", "id of the setting that the window edits");
    keys["reference"] = ofType("string", "what all settings are measured against: " + std::string(referenceForms));
    keys["resources"] = closedObject(optionKeys(false));
    addMarks(keys);
    keys["planes"] = planesSchema();
    keys["window"] = ofType("object", "state that only the window uses");
    return dumped(
        with(header("Sinoscope session", "A comparison: a scan, the settings that are compared, and the view"),
             closedObject(keys, {"format", "version", "scan", "slice", "settings", "chosen", "reference", "resources",
                                 "marks"})));
}

Json rangeSchema()
{
    return closedObject({{"first", ofType("integer")}, {"count", ofType("integer")}}, {"first", "count"});
}

Json requestSchema()
{
    Json keys = {{"scan", ofType("object", "name, path, format, values and angles of the scan")},
                 {"slices", rangeSchema()},
                 {"previewStep", ofType("integer", "1: every pixel")}};
    keys.update(optionKeys(true));
    keys.update(optionKeys(false));
    return closedObject(keys, {"slices"});
}

// Returns the schemas of a report's keys for the settings that were used.
Json reportOfSettings()
{
    return {{"program", {{"const", "Sinoscope"}}},
            {"version", ofType("string", "version of the program")},
            {"method", ofType("string", "id of the method that ran")},
            {"interpolation", ofType("string")},
            {"oversampling", ofType("integer", "number of values per bin, for oversampled interpolation")},
            {"precision", ofType("string")},
            {"slicesPerPass", ofType("integer")},
            {"filter", ofType("string", "id of the filter's window")},
            {"axis", figure("position of the rotation axis that was used, in bins from the centre of bin 0")},
            {"axisSource", ofType("string", "where the position is from")},
            {"axisHow", ofType("string", "how it was found")},
            {"axisConfidence", figure("confidence in the position, 0 to 1, if it was found by a search")},
            {"axisConvention", ofType("string")},
            {"device", ofType("string", "name of the processor or GPU")},
            {"devices", listOf(ofType("object"), "share of each device, where several worked: slices, seconds, GU/s")}};
}

// Returns the schemas of a report's keys for the results.
Json reportOfResult()
{
    const Json count = ofType("integer");
    const Json texts = {{"type", "array"}, {"items", ofType("string")}};
    Json keys;
    keys["size"] = ofType("integer", "pixels along each side of a whole slice");
    for (const char* key : {"width", "height", "projections", "firstSlice", "slices"})
        keys[key] = count;
    keys["unit"] = ofType("string", "of the values: 1/mm or 1/pixel");
    keys["pixelMm"] = figure("width of a pixel in mm, where it is known");
    keys["pixelDownMm"] = figure("height of a plane's pixel in mm, where it is known");
    keys["sliceMm"] = figure("from one slice to the next in mm, where it is known");
    keys["pixelBins"] = figure("size of a pixel in bins of the detector, of a parallel beam");
    keys["kernelSeconds"] = figure("the back-projection alone");
    keys["totalSeconds"] = figure("filter and back-projection, with copies to and from a GPU");
    keys["kernelGups"] = figure("GU/s (10⁹ updates of a voxel by a projection per second) of the kernel");
    keys["totalGups"] = figure("GU/s of filter and back-projection");
    keys["elapsedSeconds"] = figure("from the first byte read to the last one written");
    keys["overlap"] = figure("seconds of all stages over the seconds that passed");
    keys["stageSeconds"] = closedObject({{"read", figure("")},
                                         {"prepare", figure("")},
                                         {"axis", figure("")},
                                         {"filter", figure("")},
                                         {"backproject", figure("")},
                                         {"write", figure("")},
                                         {"exchange", figure("exchanging projections between ranks")},
                                         {"reduce", figure("sums over ranks")}});
    for (const char* key : {"warnings", "notes", "scanNotes"})
        keys[key] = texts;
    keys["grid"] = ofType("string", "rows and columns of ranks, of sinoscope-mpi");
    keys["loading"] = ofType("string", "of the projections by ranks: bands or exchanged");
    keys["ranks"] = listOf(ofType("object"), "share of each rank, of sinoscope-mpi");
    return keys;
}

std::string reportSchema()
{
    Json keys = reportOfSettings();
    keys.update(reportOfResult());
    keys["request"] = {{"$ref", "#/$defs/request"}};
    keys["opened"] = openedSchema();
    Json schema = with(header("Sinoscope report", "How slices were reconstructed, what it took, and what was noticed"),
                       closedObject(keys, {"program", "version", "method", "request"}));
    schema["$defs"] = {{"request", requestSchema()}};
    return dumped(schema);
}

} // namespace

std::span<const DocumentSchema> documentSchemas()
{
    static constexpr std::array<DocumentSchema, 3> all{{{"recipe", "Sinoscope recipe", recipeSchema},
                                                        {"session", "Sinoscope session", sessionSchema},
                                                        {"report", "Sinoscope report", reportSchema}}};
    return all;
}

} // namespace engine
