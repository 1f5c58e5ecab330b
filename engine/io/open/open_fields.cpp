// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/open/open_fields.h"

#include "engine/base/error.h"
#include "engine/base/field_json.h"
#include "engine/base/number_text.h"
#include "engine/base/units.h"
#include "engine/io/formats/raw_file.h"
#include "engine/io/frames/frame_axes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace engine
{

namespace
{

constexpr double radOfDegree = std::numbers::pi / 180;

using Kind = FieldKind;

constexpr const char* readingGroup = "Reading the scan";
constexpr const char* geometryGroup = "Geometry";
constexpr double mostCount = 1e9; // of lines and columns

std::string degreesText(double rad)
{
    return numberToText(degreesFromRad(rad));
}

std::string anglesText(const OpenOptions& o)
{
    if (o.angleRangeRad)
        return degreesText(o.angleRangeRad->first) + ":" + degreesText(o.angleRangeRad->second);
    if (o.angleSteps)
        return degreesText(o.angleSteps->firstRad) + "::" + degreesText(o.angleSteps->stepRad) +
               (o.angleSteps->wrapRad > 0 ? ":" + degreesText(o.angleSteps->wrapRad) : "");
    return o.anglesFile.string();
}

// Parses two numbers on both sides of a mark; nothing for any other text.
std::optional<std::pair<double, double>> twoAngles(const std::string& text, const std::string& mark)
{
    const std::size_t at = text.find(mark);
    if (at == std::string::npos)
        return {};
    std::pair<double, double> numbers;
    try {
        numbers = {realFromText(text.substr(0, at), "angle"), realFromText(text.substr(at + mark.size()), "angle")};
    } catch (const Error&) {
        return {};
    }
    constexpr double mostDegrees = 1e9; // radians are then still exact to 10⁻⁹
    for (const double number : {numbers.first, numbers.second})
        require(std::abs(number) <= mostDegrees, "angle " + numberToText(number) + " in '" + text +
                                                     "' is not between " + numberToText(-mostDegrees) + " and " +
                                                     numberToText(mostDegrees) + " degrees");
    return std::pair(numbers.first * radOfDegree, numbers.second * radOfDegree);
}

// Parses FIRST::STEP or FIRST::STEP:WRAP.
std::optional<AngleSteps> stepsFrom(const std::string& text)
{
    const std::size_t step = text.find("::");
    const std::size_t wrap = step == std::string::npos ? step : text.find(':', step + 2);
    const auto numbers = twoAngles(text.substr(0, wrap), "::");
    if (!numbers || wrap == std::string::npos)
        return numbers ? std::optional(AngleSteps{numbers->first, numbers->second}) : std::nullopt;
    const auto wrapped = twoAngles("0:" + text.substr(wrap + 1), ":");
    if (!wrapped)
        return {};
    require(wrapped->second > 0, "value " + text.substr(wrap + 1) + " in '" + text +
                                     "' is not above 0; angles start again at WRAP degrees, as in 0::111.246118:180");
    return AngleSteps{numbers->first, numbers->second, wrapped->second};
}

void setAngles(OpenOptions& o, const std::string& text)
{
    require(!text.empty(), "the name is empty");
    o.anglesRad.clear();
    o.anglesFile.clear();
    o.angleSteps = stepsFrom(text);
    o.angleRangeRad = o.angleSteps ? std::nullopt : twoAngles(text, ":");
    if (o.angleSteps || o.angleRangeRad)
        return;
    std::error_code ignored;
    require(text.find(':') == std::string::npos || std::filesystem::exists(text, ignored),
            "'" + text + "' is neither FIRST:LAST nor FIRST::STEP[:WRAP] in degrees, nor a file");
    require(text.find_first_not_of("0123456789.-") != std::string::npos || std::filesystem::exists(text, ignored),
            "'" + text + "' is not a file of angles; a range is FIRST:LAST, such as 0:180");
    o.anglesFile = text;
}

std::vector<double> radiansIn(const Json& degrees)
{
    std::vector<double> angles;
    for (const double angle : degrees.get<std::vector<double>>())
        angles.push_back(angle * radOfDegree);
    return angles;
}

void requireUsable(bool isUsable, const char* key)
{
    require(isUsable, std::string("'") + key + "' of the options for opening the scan can't be used");
}

void writeAngles(const OpenOptions& o, Json& json)
{
    if (o.angleRangeRad)
        json["angleRangeDeg"] = {degreesFromRad(o.angleRangeRad->first), degreesFromRad(o.angleRangeRad->second)};
    for (const double angle : o.anglesRad)
        json["anglesDeg"].push_back(degreesFromRad(angle));
    if (o.angleSteps)
        json["angleStepsDeg"] = stepsJson(*o.angleSteps);
    if (!o.anglesFile.empty())
        json["anglesFile"] = o.anglesFile.string();
}

void readAngles(OpenOptions& o, const Json& json)
{
    if (json.contains("angleRangeDeg")) {
        const std::vector<double> range = radiansIn(json["angleRangeDeg"]);
        requireUsable(range.size() == 2, "angleRangeDeg");
        o.angleRangeRad = {range[0], range[1]};
    }
    if (json.contains("anglesDeg"))
        o.anglesRad = radiansIn(json["anglesDeg"]);
    if (json.contains("angleStepsDeg")) {
        const std::vector<double> steps = radiansIn(json["angleStepsDeg"]);
        requireUsable(steps.size() == 2 || (steps.size() == 3 && steps[2] > 0), "angleStepsDeg");
        o.angleSteps = AngleSteps{steps[0], steps[1]};
        if (steps.size() == 3)
            o.angleSteps->wrapRad = steps[2];
    }
    o.anglesFile = json.value("anglesFile", std::string());
}

int countFromText(const std::string& text, const char* what)
{
    const long long value = integerFromText(text, what);
    require(value >= 1 && value <= mostCount, std::string("bad ") + what + " '" + text + "'; give 1 to 1000000000");
    return static_cast<int>(value);
}

void setLines(OpenOptions& o, const std::string& text)
{
    const std::size_t colon = text.find(':');
    require(colon != std::string::npos, "bad lines '" + text + "'; give FIRST:LAST, counted from 1");
    o.angleColumn.lines = {countFromText(text.substr(0, colon), "first line"),
                           countFromText(text.substr(colon + 1), "last line")};
    require(o.angleColumn.lines->first <= o.angleColumn.lines->second,
            "bad lines '" + text + "'; the last comes before the first");
}

std::string linesText(const OpenOptions& o)
{
    const auto& lines = o.angleColumn.lines;
    return lines ? std::to_string(lines->first) + ":" + std::to_string(lines->second) : std::string();
}

FieldJson<OpenOptions> linesJson()
{
    return {.keys = {"anglesLines"},
            .write =
                [](const OpenOptions& o, Json& json) {
                    if (const auto& lines = o.angleColumn.lines)
                        json["anglesLines"] = {lines->first, lines->second};
                },
            .read =
                [](OpenOptions& o, const Json& json) {
                    const Json& lines = json["anglesLines"];
                    requireUsable(lines.is_array() && lines.size() == 2, "anglesLines");
                    o.angleColumn.lines = {wholeNumberIn<int>(lines[0]), wholeNumberIn<int>(lines[1])};
                }};
}

// The JSON of a raw file's layout, as one object. It belongs to the field "raw" and includes the values of the
// fields "type", "big-endian" and "header", which have no JSON of their own.
FieldJson<OpenOptions> rawJson()
{
    return {.keys = {"raw"},
            .write =
                [](const OpenOptions& o, Json& json) {
                    if (o.raw)
                        json["raw"] = {{"projections", o.raw->projections},
                                       {"rows", o.raw->rows},
                                       {"bins", o.raw->bins},
                                       {"type", o.raw->sampleType},
                                       {"bigEndian", o.raw->bigEndian},
                                       {"headerBytes", o.raw->headerBytes}};
                },
            .read =
                [](OpenOptions& o, const Json& json) {
                    const Json& raw = json["raw"];
                    o.raw = RawLayout{
                        wholeNumberIn<int>(raw.at("projections")), wholeNumberIn<int>(raw.at("rows")),
                        wholeNumberIn<int>(raw.at("bins")),        raw.at("type").get<std::string>(),
                        raw.at("bigEndian").get<bool>(),           wholeNumberIn<long long>(raw.at("headerBytes"))};
                }};
}

FieldJson<OpenOptions> geometryJson()
{
    return {.keys = {"geometry", "geometryFile"},
            .write =
                [](const OpenOptions& o, Json& json) {
                    if (o.beam)
                        json["geometry"] = toText(*o.beam);
                    if (!o.geometryFile.empty())
                        json["geometryFile"] = o.geometryFile.string();
                },
            .read =
                [](OpenOptions& o, const Json& json) {
                    if (json.contains("geometry")) {
                        o.beam = beamKindFromText(json["geometry"].get<std::string>());
                        requireUsable(o.beam.has_value(), "geometry");
                    }
                    o.geometryFile = json.value("geometryFile", std::string());
                }};
}

// Returns the values of the option, which may be given twice: "parallel", and a file. The parallel beam then takes only
// the angles and the order of the rows from the file.
std::vector<std::string> geometryTexts(const OpenOptions& o)
{
    std::vector<std::string> texts;
    if (o.beam && (o.geometryFile.empty() || *o.beam == BeamKind::parallel))
        texts.push_back(toText(*o.beam));
    if (!o.geometryFile.empty())
        texts.push_back(o.geometryFile.string());
    return texts;
}

void setGeometryKind(OpenOptions& o, const std::string& text)
{
    require(!text.empty(), "the name is empty");
    if (const auto kind = beamKindFromText(text))
        o.beam = kind;
    else
        o.geometryFile = text;
}

std::vector<FieldChoice> choicesOf(const std::vector<std::string>& ids)
{
    std::vector<FieldChoice> choices;
    for (const std::string& id : ids)
        choices.push_back({id, {}, {}});
    return choices;
}

std::vector<FieldChoice> quantityChoices()
{
    std::vector<std::string> ids;
    for (const Quantity quantity : storedQuantities())
        ids.push_back(toText(quantity));
    return choicesOf(ids);
}

// Returns the layout of a raw file. Throws if there is none, as the option `what` is for raw files only.
RawLayout& rawOf(OpenOptions& o, const char* what)
{
    require(o.raw.has_value(),
            optionName(what) + " applies only to raw files; give their shape with " + optionName("raw"));
    return *o.raw;
}

// A flag. `member` finds it in the options.
template <typename Member>
OpenField flagField(Member member, OpenField field)
{
    field.kind = Kind::boolean;
    field.get = [member](const OpenOptions& o) { return member(o) ? "true" : ""; };
    field.set = [member](OpenOptions& o, const std::string& text) { member(o) = text == "true"; };
    return field;
}

OpenField pathField(std::filesystem::path OpenOptions::*path, OpenField field)
{
    field.kind = Kind::file;
    field.get = [path](const OpenOptions& o) { return (o.*path).string(); };
    field.set = [path](OpenOptions& o, const std::string& text) {
        require(!text.empty(), "the name is empty");
        o.*path = text;
    };
    return field;
}

OpenField reductionField(int Reduction::*count, int most, OpenField field)
{
    field.form = "N";
    field.kind = Kind::whole;
    field.least = 1;
    field.most = most;
    field.get = [count](const OpenOptions& o) {
        return o.reduction.*count > 1 ? std::to_string(o.reduction.*count) : std::string();
    };
    field.set = [count](OpenOptions& o, const std::string& text) {
        o.reduction.*count = static_cast<int>(integerFromText(text, "number"));
    };
    return field;
}

// Projections given by their numbers. `ranges` finds them in the options.
template <typename Ranges>
OpenField framesField(Ranges ranges, OpenField field)
{
    field.form = "K,FIRST:LAST,…";
    field.get = [ranges](const OpenOptions& o) { return rangesToText(ranges(o)); };
    field.set = [ranges](OpenOptions& o, const std::string& text) { ranges(o) = rangesFromText(text); };
    return field;
}

OpenField dataSetField(const DataSetRole& role)
{
    const bool isAxes = role.text == &DataSets::axes;
    return {.id = role.id,
            .label = role.label,
            .summary = role.summary,
            .form = role.form,
            .needs = role.text == &DataSets::projections || isAxes ? "" : dataSetRoles().front().id,
            .get = [&role](const OpenOptions& o) { return o.dataSets.*role.text; },
            .set =
                [&role, isAxes](OpenOptions& o, const std::string& text) {
                    require(!text.empty(), "the name is empty");
                    require(!isAxes || axesFromText(text, 3) || axesFromText(text, 2),
                            "bad axes '" + text +
                                "'; give theta, y and x in the order of the file, such as theta:y:x, or for a sinogram "
                                "theta:x or x:theta");
                    o.dataSets.*role.text = text;
                },
            .json = "dataSets/" + std::string(role.id)};
}

std::vector<OpenField> angleFields()
{
    return {
        {.id = "angles",
         .label = "Angles",
         .summary = "Angles in degrees: a file with one angle per line; FIRST:LAST, evenly spaced, both ends included; "
                    "or FIRST::STEP[:WRAP], STEP between projections, starting again from 0 at WRAP: golden angles "
                    "modulo 180° are 0::111.246118:180",
         .form = "FILE|FIRST:LAST|FIRST::STEP[:WRAP]",
         .get = anglesText,
         .set = setAngles,
         .ownJson = FieldJson<OpenOptions>{.keys = {"angleRangeDeg", "anglesDeg", "angleStepsDeg", "anglesFile"},
                                           .write = writeAngles,
                                           .read = readAngles}},
        flagField([](auto& o) -> auto& { return o.angleEndExcluded; },
                  {.id = "angles-end-excluded",
                   .label = "End excluded",
                   .summary = "LAST is one step beyond the last projection's angle: 0:360 is then a full turn",
                   .needs = "angles",
                   .json = "angleEndExcluded"}),
        {.id = "angles-column",
         .label = "Column of angles",
         .summary = "Column of the file of angles, from 1; columns are separated by blanks, commas or semicolons",
         .form = "N",
         .kind = Kind::whole,
         .least = 1,
         .most = mostCount,
         .needs = "angles",
         .get =
             [](const OpenOptions& o) {
                 return o.angleColumn.column ? std::to_string(*o.angleColumn.column) : std::string();
             },
         .set = [](OpenOptions& o, const std::string& text) { o.angleColumn.column = countFromText(text, "column"); }},
        flagField([](auto& o) -> auto& { return o.angleColumn.radians; },
                  {.id = "angles-radians",
                   .label = "Radians",
                   .summary = "The file of angles is in radians, not degrees",
                   .needs = "angles"}),
        {.id = "angles-skip",
         .label = "Lines to skip",
         .summary = "Lines to skip at the beginning of the file of angles",
         .form = "N",
         .kind = Kind::whole,
         .least = 0,
         .most = mostCount,
         .needs = "angles",
         .get =
             [](const OpenOptions& o) {
                 return o.angleColumn.skip > 0 ? std::to_string(o.angleColumn.skip) : std::string();
             },
         .set =
             [](OpenOptions& o, const std::string& text) {
                 o.angleColumn.skip = static_cast<int>(integerFromText(text, "count of lines"));
             }},
        {.id = "angles-lines",
         .label = "Lines with angles",
         .summary = "Use only these lines of the file of angles, counted from 1",
         .form = "FIRST:LAST",
         .needs = "angles",
         .get = linesText,
         .set = setLines,
         .ownJson = linesJson()}};
}

std::vector<OpenField> frameFields()
{
    std::vector<OpenField> fields = {
        pathField(&OpenOptions::shiftsFile,
                  {.id = "shifts",
                   .label = "Shifts",
                   .summary = "Displacement of each projection of a parallel beam, one line per projection: in bins, "
                              "and in rows if there is a second column; positive towards higher bins and rows",
                   .group = geometryGroup,
                   .form = "FILE",
                   .isRepeatable = true,
                   .use = {.unset = "none"}}),
        pathField(&OpenOptions::darks,
                  {.id = "darks",
                   .label = "Darks",
                   .summary = "Dark fields: a TIFF file, a folder of TIFFs, a NumPy array, or FILE:/data/set of HDF5",
                   .form = "PATH",
                   .use = {.unset = "none known"}}),
        pathField(&OpenOptions::flats,
                  {.id = "flats",
                   .label = "Flats",
                   .summary = "Flat fields: a TIFF file, a folder of TIFFs, a NumPy array, or FILE:/data/set of HDF5",
                   .form = "PATH",
                   .use = {.unset = "none known"}}),
        framesField(
            [](auto& o) -> auto& { return o.darkFrames; },
            {.id = "dark-frames",
             .label = "Dark frames",
             .summary =
                 "Projections that are dark fields, counted from 0: numbers and inclusive ranges, such as 0:9,190:199",
             .use = {.unset = "none"}}),
        framesField(
            [](auto& o) -> auto& { return o.flatFrames; },
            {.id = "flat-frames",
             .label = "Flat frames",
             .summary =
                 "Projections that are flat fields, counted from 0; other options count only the remaining projections",
             .use = {.unset = "none"}}),
        flagField([](auto& o) -> auto& { return o.sinogram; },
                  {.id = "sinogram",
                   .label = "Sinogram",
                   .summary = "The TIFF is a sinogram with one projection per line; each page, or each file of a "
                              "folder, is the sinogram of one row",
                   .jsonLeftOut = "false"}),
        flagField([](auto& o) -> auto& { return o.allowOutside; },
                  {.id = "allow-outside",
                   .label = "Files outside",
                   .summary = "Also read data that the scan's file refers to outside its folder; only for files from a "
                              "source that you trust"}),
        {.id = "values",
         .label = "Values",
         .summary = "Meaning of the stored numbers: detector counts, transmission (flat-fielded, 1 in air) or line "
                    "integrals (0 in air); default: as recorded in the file, or guessed",
         .kind = Kind::choice,
         .choices = quantityChoices(),
         .get = [](const OpenOptions& o) { return o.values ? toText(*o.values) : std::string(); },
         .set = [](OpenOptions& o, const std::string& text) { o.values = quantityFromText(text); }},
        reductionField(&Reduction::bin, Reduction::mostBin,
                       {.id = "bin",
                        .label = "Bin",
                        .summary = "Average N × N detector pixels into one: less memory and disk, coarser slices; "
                                   "positions are in averaged pixels",
                        .use = {.unset = "none", .suffix = " px"}}),
        reductionField(&Reduction::every, Reduction::mostEvery,
                       {.id = "every",
                        .label = "Use every",
                        .summary = "Read only every Nth projection, from the first on",
                        .use = {.unset = "projection", .suffix = " projections"}}),
        framesField([](auto& o) -> auto& { return o.reduction.leftOut; },
                    {.id = "leave-out",
                     .label = "Leave out",
                     .summary = "Projections to leave out, with their angles, counted from 0 as recorded: numbers and "
                                "inclusive ranges, such as 3,7:20",
                     .use = {.unset = "none"}})};
    for (const DataSetRole& role : dataSetRoles())
        fields.push_back(dataSetField(role));
    return fields;
}

std::vector<OpenField> rawFields()
{
    const FieldJson<OpenOptions> ofRaw = {.keys = {"raw"}};
    return {{.id = "raw",
             .label = "Shape",
             .summary = "Shape of a raw file: projections x rows x bins, or in the order of the axes",
             .form = "PxRxB",
             .get = [](const OpenOptions& o) { return o.raw ? shapeOf(*o.raw) : std::string(); },
             .set = [](OpenOptions& o, const std::string& text) { o.raw = rawLayoutFromText(text); },
             .ownJson = rawJson()},
            {.id = "type",
             .label = "Type",
             .summary = "Type of the numbers in a raw file; default: uint16",
             .kind = Kind::choice,
             .choices = choicesOf(rawSampleTypes()),
             .needs = "raw",
             .get = [](const OpenOptions& o) { return o.raw ? o.raw->sampleType : std::string(); },
             .set = [](OpenOptions& o, const std::string& text) { rawOf(o, "type").sampleType = text; },
             .ownJson = ofRaw},
            {.id = "big-endian",
             .label = "Big-endian",
             .summary = "The raw file has the most significant byte first",
             .kind = Kind::boolean,
             .needs = "raw",
             .get = [](const OpenOptions& o) { return o.raw && o.raw->bigEndian ? "true" : ""; },
             .set = [](OpenOptions& o, const std::string& text) { rawOf(o, "big-endian").bigEndian = text == "true"; },
             .ownJson = ofRaw},
            {.id = "header",
             .label = "Header",
             .summary = "Bytes to skip at the beginning of a raw file",
             .form = "BYTES",
             .kind = Kind::whole,
             .least = 0,
             .most = 1e15,
             .needs = "raw",
             .get =
                 [](const OpenOptions& o) {
                     return o.raw && o.raw->headerBytes > 0 ? std::to_string(o.raw->headerBytes) : std::string();
                 },
             .set = [](OpenOptions& o,
                       const std::string& text) { rawOf(o, "header").headerBytes = integerFromText(text, "header"); },
             .ownJson = ofRaw},
            {.id = "geometry",
             .label = "Geometry",
             .summary = "parallel, cone, or a file that describes a cone beam: RTK's geometry.xml, Nikon's .xtekct, "
                        "JSON, or 12 numbers per line, one projection matrix each; with parallel and a file, only "
                        "the file's angles and row order are used; default: from the scan or a file beside it",
             .group = geometryGroup,
             .form = "parallel|cone|FILE",
             .isRepeatable = true,
             .get =
                 [](const OpenOptions& o) {
                     const std::vector<std::string> texts = geometryTexts(o);
                     return texts.empty() ? std::string() : texts.back();
                 },
             .set = setGeometryKind,
             .getAll = geometryTexts,
             .ownJson = geometryJson()}};
}

std::vector<OpenField> openTable()
{
    std::vector<OpenField> fields;
    for (auto part : {angleFields(), frameFields(), rawFields()})
        for (OpenField& field : part) {
            field.group = *field.group ? field.group : readingGroup;
            fields.push_back(std::move(field));
        }
    return fields;
}

} // namespace

std::span<const OpenField> openFields()
{
    static const std::vector<OpenField> fields = openTable();
    return fields;
}

bool isOpenedWith(const OpenField& field, const OpenOptions& options)
{
    return isGiven(field, options) || (field.id == std::string("angles") && !options.anglesRad.empty());
}

OpenOptions openedWithout(const OpenField& field, const OpenOptions& options)
{
    OpenOptions rest;
    const std::string without = field.id;
    for (const OpenField& other : openFields())
        if (other.id != without && other.needs != without)
            for (const std::string& text : textsOf(other, options))
                other.set(rest, text);
    if (without != "angles")
        rest.anglesRad = options.anglesRad;
    rest.cone = options.cone;
    return rest;
}

Json stepsJson(const AngleSteps& steps)
{
    Json json = {degreesFromRad(steps.firstRad), degreesFromRad(steps.stepRad)};
    if (steps.wrapRad > 0)
        json.push_back(degreesFromRad(steps.wrapRad));
    return json;
}

OpenOptions openedOver(const OpenOptions& rest, const OpenOptions& said)
{
    const auto isSaid = [&said](const std::string& id) { return isOpenedWith(findField(openFields(), id), said); };
    OpenOptions all;
    for (const OpenField& field : openFields()) {
        // Axes in `rest` belong to the data set that `rest` names, if any, so they don't apply if `said` names another.
        const std::string data = dataSetRoles().front().id, axes = dataSetRoles().back().id;
        const bool isOfSaid =
            isSaid(field.id) || (*field.needs && isSaid(field.needs)) || (field.id == axes && isSaid(data));
        for (const std::string& text : textsOf(field, isOfSaid ? said : rest))
            field.set(all, text);
    }
    all.anglesRad = isSaid("angles") ? said.anglesRad : rest.anglesRad;
    const bool isParallel = all.beam == BeamKind::parallel && said.beam;
    all.cone = filledFrom(said.cone, isParallel ? ofParallelBeam(rest.cone) : rest.cone);
    return all;
}

} // namespace engine
