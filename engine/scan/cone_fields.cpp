// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scan/cone_fields.h"

#include "engine/base/error.h"
#include "engine/base/field_json.h"
#include "engine/base/number_text.h"
#include "engine/base/units.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace engine
{

namespace
{

using Kind = FieldKind;

constexpr double radPerDegree = std::numbers::pi / 180;
constexpr double leastMm = 1e-9, mostMm = 1e9; // a picometre to a thousand kilometres
constexpr double mostTiltDeg = 28.6;           // as validate() of a cone beam allows
constexpr double mostTurnDeg = 3600;
constexpr const char *clockwise = "clockwise", *anticlockwise = "anticlockwise";

double mmFromText(const std::string& text, const std::string& what)
{
    return lengthFromText(text, what, "mm");
}

std::vector<double> oneOrTwoMm(const std::string& text, const char* what)
{
    return numbersFromText<double>(text, text.find(',') == std::string::npos ? 1 : 2, what, mmFromText);
}

int sideFromText(const std::string& text)
{
    const long long side = integerFromText(text, "size of the volume");
    require(side >= 1 && side <= 65536, "a volume of " + text + " voxels; each side must have 1 to 65536");
    return static_cast<int>(side);
}

std::string directionText(const ConeOptions& o)
{
    return o.direction ? *o.direction == AngleDirection::clockwise ? clockwise : anticlockwise : "";
}

using Number = std::optional<double> ConeOptions::*;
using Count = std::optional<int> ConeOptions::*;

std::string numberText(const std::optional<double>& value)
{
    return value ? numberToText(*value) : std::string();
}

[[noreturn]] void refuse(const std::string& key, const Json& value, const Text& why = {})
{
    throw Error(ErrorKind::badRequest, '"' + key + "\" is " + value.dump().substr(0, 60) + ", which can't be used" +
                                           (why.empty() ? Text() : " (" + why + ")"));
}

void takeLength(ConeOptions& o, Number member, const Json& json, const char* key, const FieldLimits& limits)
{
    if (!json.contains(key))
        return;
    if (!json[key].is_number())
        refuse(key, json[key]);
    const double length = json[key].get<double>();
    if (!(length >= limits.least && length <= limits.most))
        refuse(key, json[key],
               "not between " + numberToText(limits.least) + " and " + numberToText(limits.most) + " mm");
    o.*member = length;
}

void takeCount(ConeOptions& o, Count member, const Json& json, const char* key)
{
    if (!json.contains(key))
        return;
    const double count = json[key].is_number() ? json[key].get<double>() : 0;
    if (!(count >= 1 && count <= 65536 && count == std::floor(count)))
        refuse(key, json[key]);
    o.*member = static_cast<int>(count);
}

// Parses "0.5", or a length: "2um", "0.002 mm".
void setOutputPixel(ConeOptions& o, const std::string& text)
{
    const bool isLength = text.find_first_not_of("0123456789.+-eE ") != std::string::npos;
    const double least = isLength ? leastMm : leastPixelBins, most = isLength ? mostMm : mostPixelBins;
    double value = 0;
    try {
        value = isLength ? mmFromText(text, "output pixel") : realFromText(text, "output pixel");
    } catch (const Error&) { // reported below
    }
    require(value >= least && value <= most,
            "bad output pixel '" + text + "'; give pixels of the detector, such as 0.5, from " +
                numberToText(leastPixelBins) + " to " + numberToText(mostPixelBins) + ", or a length such as 2um");
    (isLength ? o.voxelMm : o.voxelBins) = value;
}

// Field of one length in mm.
ConeField lengthField(Number member, const char* what, const char* json, ConeField field)
{
    field.form = "MM";
    field.kind = Kind::length;
    field.unit = "mm";
    field.least = leastMm;
    field.most = mostMm;
    field.get = [member](const ConeOptions& o) { return numberText(o.*member); };
    field.set = [member, what](ConeOptions& o, const std::string& text) { o.*member = mmFromText(text, what); };
    field.json = json;
    return field;
}

// Field of one angle in degrees.
ConeField angleField(Number member, const char* what, const char* json, double mostDeg, ConeField field)
{
    field.least = -mostDeg;
    field.most = mostDeg;
    field.form = "DEG";
    field.unit = "°";
    field.kind = Kind::real;
    field.get = [member](const ConeOptions& o) {
        return o.*member ? numberToText(degreesFromRad(*(o.*member))) : std::string();
    };
    field.set = [member, what](ConeOptions& o, const std::string& text) {
        o.*member = realFromText(text, what) * radPerDegree;
    };
    field.json = json;
    return field;
}

// Field of one or two lengths in mm, for columns and rows: the two numbers of the field.
ConeField pairField(const char* what, const char* firstKey, const char* secondKey, ConeField field)
{
    const Number first = field.use.numbers.front().real, second = field.use.numbers.back().real;
    field.kind = Kind::length;
    field.unit = "mm";
    field.least = field.use.numbers.front().mayBeNegative ? -mostMm : leastMm;
    field.most = mostMm;
    field.get = [=](const ConeOptions& o) {
        if (!(o.*first) && !(o.*second))
            return std::string();
        return numberToText((o.*first).value_or(0)) + (o.*second ? "," + numberToText(*(o.*second)) : std::string());
    };
    field.set = [=](ConeOptions& o, const std::string& text) {
        const std::vector<double> lengths = oneOrTwoMm(text, what);
        o.*first = lengths.front();
        o.*second = lengths.size() > 1 ? std::optional(lengths.back()) : std::nullopt;
    };
    const std::pair<const char*, Number> keys[] = {{firstKey, first}, {secondKey, second}};
    field.ownJson = {.keys = {firstKey, secondKey},
                     .write =
                         [=](const ConeOptions& o, Json& json) {
                             for (const auto& [key, member] : keys)
                                 if (o.*member)
                                     json[key] = *(o.*member);
                         },
                     .read =
                         [=, limits = field.limits()](ConeOptions& o, const Json& json) {
                             for (const auto& [key, member] : keys)
                                 takeLength(o, member, json, key, limits);
                         }};
    return field;
}

ConeField sizeField()
{
    return {.id = "size",
            .label = "Size",
            .summary = "Pixels along each side of a slice, and slices of a cone beam's volume; default: as many pixels "
                       "as bins, and as many slices as pixels",
            .form = "N[xSLICES]",
            .get =
                [](const ConeOptions& o) {
                    const std::string slices = o.slices ? "x" + std::to_string(*o.slices) : std::string();
                    return o.size ? std::to_string(*o.size) + slices : std::string();
                },
            .set =
                [](ConeOptions& o, const std::string& text) {
                    const std::size_t cross = text.find('x');
                    o.size = sideFromText(text.substr(0, cross));
                    o.slices = cross == std::string::npos ? std::optional<int>() : sideFromText(text.substr(cross + 1));
                },
            .ownJson = FieldJson<ConeOptions>{.keys = {"size", "slices"},
                                              .write =
                                                  [](const ConeOptions& o, Json& json) {
                                                      if (o.size)
                                                          json["size"] = *o.size;
                                                      if (o.slices)
                                                          json["slices"] = *o.slices;
                                                  },
                                              .read =
                                                  [](ConeOptions& o, const Json& json) {
                                                      takeCount(o, &ConeOptions::size, json, "size");
                                                      takeCount(o, &ConeOptions::slices, json, "slices");
                                                  }},
            .use = {.isOfVolume = true,
                    .numbers = {{.count = &ConeOptions::size,
                                 .name = "volumeSize",
                                 .label = "Size",
                                 .summary = "Voxels along each side of a slice",
                                 .unit = "voxels",
                                 .unset = "automatic"},
                                {.count = &ConeOptions::slices,
                                 .name = "volumeSlices",
                                 .label = "Slices",
                                 .summary = "Slices of the volume, around the plane of the central ray",
                                 .unit = "slices",
                                 .unset = "automatic",
                                 .isOfRows = true}}}};
}

std::vector<ConeField> coneTable()
{
    return {
        lengthField(&ConeOptions::sourceAxisMm, "distance", "sourceAxisMm",
                    {.id = "source-axis",
                     .label = "Source–axis",
                     .summary = "Distance from the source to the rotation axis, for cone beams",
                     .use = {.needed = "the distance from source to axis",
                             .numbers = {{.real = &ConeOptions::sourceAxisMm,
                                          .name = "sourceAxis",
                                          .label = "Source–axis",
                                          .summary = "Distance from the source to the rotation axis",
                                          .unit = "mm",
                                          .unset = "not given"}}}}),
        lengthField(&ConeOptions::sourceDetectorMm, "distance", "sourceDetectorMm",
                    {.id = "source-detector",
                     .label = "Source–detector",
                     .summary = "Distance from the source to the detector, along its normal",
                     .use = {.needed = "the distance from source to detector",
                             .numbers = {{.real = &ConeOptions::sourceDetectorMm,
                                          .name = "sourceDetector",
                                          .label = "–detector",
                                          .summary = "Distance from the source to the detector, along its normal",
                                          .unit = "mm",
                                          .unset = "not given"}}}}),
        pairField(
            "pixel", "pixelUMm", "pixelVMm",
            {.id = "pixel",
             .label = "Pixel",
             .summary = "Size of the detector's pixels: width, and height if it differs; in mm, or with a unit: 1.5um",
             .form = "MM[,MM]",
             .use = {.needed = "the size of the detector's pixels",
                     .numbers = {{.real = &ConeOptions::pixelUMm,
                                  .name = "pixelU",
                                  .label = "Pixel u",
                                  .summary = "Distance between neighbouring bins on the detector",
                                  .unit = "µm",
                                  .unset = "not given"},
                                 {.real = &ConeOptions::pixelVMm,
                                  .name = "pixelV",
                                  .label = "Pixel v",
                                  .summary = "Distance between neighbouring rows on the detector",
                                  .unit = "µm",
                                  .unset = "same as u",
                                  .isOfRows = true}}}}),
        pairField(
            "offset", "offsetUMm", "offsetVMm",
            {.id = "detector-offset",
             .label = "Detector offset",
             .summary = "Distance of the detector's middle from the central ray, in mm, towards higher bins and rows",
             .form = "U,V",
             .use = {.numbers = {{.real = &ConeOptions::offsetUMm,
                                  .name = "offsetU",
                                  .label = "Offset u",
                                  .summary = "Distance of the detector's middle from the central ray, towards higher "
                                             "bins\nIt sets the rotation axis, unless Axis above does.",
                                  .unit = "mm",
                                  .unset = "not known",
                                  .mayBeNegative = true},
                                 {.real = &ConeOptions::offsetVMm,
                                  .name = "offsetV",
                                  .label = "Offset v",
                                  .summary = "Distance of the detector's middle from the central ray, towards higher "
                                             "rows, further down in the image",
                                  .unit = "mm",
                                  .mayBeNegative = true,
                                  .isOfRows = true}}}}),
        angleField(&ConeOptions::tiltRad, "tilt", "tiltDeg", mostTiltDeg,
                   {.id = "tilt",
                    .label = "Tilt",
                    .summary = "Angle by which the axis leans along the central ray, its top towards the detector",
                    .use = {.numbers = {{.real = &ConeOptions::tiltRad,
                                         .name = "tilt",
                                         .label = "Tilt",
                                         .summary = "Angle by which the axis leans towards the detector",
                                         .unit = "°",
                                         .mayBeNegative = true,
                                         .isOfRows = true}}}}),
        angleField(&ConeOptions::rollRad, "roll", "rollDeg", mostTiltDeg,
                   {.id = "roll",
                    .label = "Roll",
                    .summary = "Angle by which the axis leans across the central ray, its top towards higher bins",
                    .use = {.numbers = {{.real = &ConeOptions::rollRad,
                                         .name = "roll",
                                         .label = "Roll",
                                         .summary = "Angle by which the detector is turned about the central ray",
                                         .unit = "°",
                                         .mayBeNegative = true,
                                         .isOfRows = true}}}}),
        {.id = "direction",
         .label = "Direction",
         .summary = "Direction of increasing angle, for cone beams",
         .kind = Kind::choice,
         .choices = {{anticlockwise, "Anticlockwise", ""}, {clockwise, "Clockwise", ""}},
         .get = directionText,
         .set =
             [](ConeOptions& o, const std::string& text) {
                 o.direction = text == clockwise ? AngleDirection::clockwise : AngleDirection::anticlockwise;
             }},
        lengthField(&ConeOptions::voxelMm, "voxel", "voxelMm",
                    {.id = "voxel",
                     .label = "Voxel",
                     .summary = "Voxel size of a cone beam's volume, pixel size of a parallel beam's slices; default: "
                                "the detector's pixel at the axis",
                     .use = {.isOfVolume = true,
                             .numbers = {{.real = &ConeOptions::voxelMm,
                                          .name = "voxel",
                                          .label = "Voxel",
                                          .summary = "Edge of a voxel; the reconstructed region stays the "
                                                     "same\nDefault: the detector's pixel at the axis.",
                                          .unit = "µm",
                                          .unset = "automatic"}}}}),
        {.id = "output-pixel",
         .label = "Pixels of the slices",
         .summary = "Pixel size of the slices in detector pixels at the axis (0.5: four pixels for one), or as a "
                    "length with its unit (2um)",
         .form = "BINS|LENGTH",
         .kind = Kind::length,
         .get = [](const ConeOptions& o) { return numberText(o.voxelBins); },
         .set = setOutputPixel,
         .json = "voxelBins",
         .use = {.isOfVolume = true}},
        angleField(&ConeOptions::rotateRad, "rotation", "rotateDeg", mostTurnDeg,
                   {.id = "rotate",
                    .label = "Rotation",
                    .summary = "Angle by which the slices are turned, anticlockwise as displayed",
                    .use = {.isOfVolume = true}}),
        sizeField()};
}

} // namespace

std::span<const ConeField> coneFields()
{
    static const std::vector<ConeField> fields = coneTable();
    return fields;
}

Json coneOptionsJson(const ConeOptions& options)
{
    Json json = Json::object();
    for (const ConeField& field : coneFields())
        addField(json, field, options);
    return json;
}

ConeOptions takeConeOptions(Json& json)
{
    ConeOptions options;
    for (const ConeField& field : coneFields()) {
        try {
            takeField(json, field, options);
        } catch (const Error& error) {
            if (field.ownJson) // the error names the key
                throw;
            const std::string key = jsonPathsOf(field).front();
            refuse(key, json[key], error.text());
        }
        eraseField(json, field);
    }
    return options;
}

} // namespace engine
