#include "engine/scan/cone_words.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/base/units.h"

#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace engine
{

namespace
{

constexpr double radPerDegree = std::numbers::pi / 180;
constexpr const char *clockwise = "clockwise", *anticlockwise = "anticlockwise";

std::string lengthText(const std::optional<double>& value)
{
    return value ? numberToText(*value) : std::string();
}

// 30, not 29.999999999999996.
std::string angleText(const std::optional<double>& rad)
{
    return rad ? numberToText(std::round(*rad / radPerDegree * 1e9) / 1e9) : std::string();
}

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

AngleDirection directionFromText(const std::string& text)
{
    require(text == clockwise || text == anticlockwise,
            "unknown direction '" + text + "'; choose " + anticlockwise + " or " + clockwise);
    return text == clockwise ? AngleDirection::clockwise : AngleDirection::anticlockwise;
}

std::string directionText(const ConeOptions& o)
{
    return o.direction ? *o.direction == AngleDirection::clockwise ? clockwise : anticlockwise : "";
}

std::string pairText(const std::optional<double>& first, const std::optional<double>& second, double standard)
{
    if (!first && !second)
        return {};
    return numberToText(first.value_or(standard)) + (second ? "," + numberToText(*second) : std::string());
}

void takeSize(ConeOptions& o, const std::string& text)
{
    const std::size_t cross = text.find('x');
    o.size = sideFromText(text.substr(0, cross));
    o.slices = cross == std::string::npos ? std::optional<int>() : sideFromText(text.substr(cross + 1));
}

std::string sizeOption(const ConeOptions& o)
{
    return o.size ? std::to_string(*o.size) + (o.slices ? "x" + std::to_string(*o.slices) : std::string()) : "";
}

// "0.5", or a length: "2um", "0.002 mm".
void setOutputPixel(ConeOptions& o, const std::string& text)
{
    const bool isLength = text.find_first_not_of("0123456789.+-eE ") != std::string::npos;
    double value = 0;
    try {
        value = isLength ? mmFromText(text, "output pixel") : realFromText(text, "output pixel");
    } catch (const Error&) { // said below
    }
    require(value > 0, "bad output pixel '" + text +
                           "'; give pixels of the detector above 0, such as 0.5, or a length such as 2um");
    (isLength ? o.voxelMm : o.voxelBins) = value;
}

using Number = std::optional<double> ConeOptions::*;

struct JsonNumber {
    const char* key;
    Number value;
    double unit; // of what is kept: 1, or radPerDegree
};
constexpr JsonNumber jsonNumbers[] = {{"sourceAxisMm", &ConeOptions::sourceAxisMm, 1},
                                      {"sourceDetectorMm", &ConeOptions::sourceDetectorMm, 1},
                                      {"pixelUMm", &ConeOptions::pixelUMm, 1},
                                      {"pixelVMm", &ConeOptions::pixelVMm, 1},
                                      {"offsetUMm", &ConeOptions::offsetUMm, 1},
                                      {"offsetVMm", &ConeOptions::offsetVMm, 1},
                                      {"tiltDeg", &ConeOptions::tiltRad, radPerDegree},
                                      {"rollDeg", &ConeOptions::rollRad, radPerDegree},
                                      {"voxelMm", &ConeOptions::voxelMm, 1},
                                      {"voxelBins", &ConeOptions::voxelBins, 1},
                                      {"rotateDeg", &ConeOptions::rotateRad, radPerDegree}};
constexpr std::pair<const char*, std::optional<int> ConeOptions::*> jsonCounts[] = {{"size", &ConeOptions::size},
                                                                                    {"slices", &ConeOptions::slices}};

} // namespace

std::span<const ConeWord> coneWords()
{
    static const std::array words = {
        ConeWord{.id = "source-axis",
                 .form = "MM",
                 .summary = "Source to rotation axis, of a cone beam",
                 .get = [](const ConeOptions& o) { return lengthText(o.sourceAxisMm); },
                 .set = [](ConeOptions& o, const std::string& text) { o.sourceAxisMm = mmFromText(text, "distance"); }},
        ConeWord{
            .id = "source-detector",
            .form = "MM",
            .summary = "Source to detector, along its normal",
            .get = [](const ConeOptions& o) { return lengthText(o.sourceDetectorMm); },
            .set = [](ConeOptions& o, const std::string& text) { o.sourceDetectorMm = mmFromText(text, "distance"); }},
        ConeWord{.id = "pixel",
                 .form = "MM[,MM]",
                 .summary =
                     "Pixels of the detector: their width, and height where it differs; in mm, or with a unit: 1.5um",
                 .get = [](const ConeOptions& o) { return pairText(o.pixelUMm, o.pixelVMm, 0); },
                 .set =
                     [](ConeOptions& o, const std::string& text) {
                         const std::vector<double> sizes = oneOrTwoMm(text, "pixel");
                         o.pixelUMm = sizes.front();
                         o.pixelVMm = sizes.size() > 1 ? std::optional(sizes.back()) : std::nullopt;
                     }},
        ConeWord{.id = "detector-offset",
                 .form = "U,V",
                 .summary =
                     "How far the detector's middle lies from the central ray, in mm, towards higher bins and rows",
                 .get = [](const ConeOptions& o) { return pairText(o.offsetUMm, o.offsetVMm, 0); },
                 .set =
                     [](ConeOptions& o, const std::string& text) {
                         const std::vector<double> offsets = oneOrTwoMm(text, "offset");
                         o.offsetUMm = offsets.front();
                         o.offsetVMm = offsets.size() > 1 ? std::optional(offsets.back()) : std::nullopt;
                     }},
        ConeWord{.id = "tilt",
                 .form = "DEG",
                 .summary = "The axis leans along the central ray, its top towards the detector",
                 .get = [](const ConeOptions& o) { return angleText(o.tiltRad); },
                 .set = [](ConeOptions& o,
                           const std::string& text) { o.tiltRad = realFromText(text, "tilt") * radPerDegree; }},
        ConeWord{.id = "roll",
                 .form = "DEG",
                 .summary = "The axis leans across the central ray, its top towards higher bins",
                 .get = [](const ConeOptions& o) { return angleText(o.rollRad); },
                 .set = [](ConeOptions& o,
                           const std::string& text) { o.rollRad = realFromText(text, "roll") * radPerDegree; }},
        ConeWord{.id = "direction",
                 .form = "anticlockwise|clockwise",
                 .summary = "In which the angles of a cone beam count",
                 .get = directionText,
                 .set = [](ConeOptions& o, const std::string& text) { o.direction = directionFromText(text); }},
        ConeWord{.id = "voxel",
                 .form = "MM",
                 .summary = "Voxels of a cone beam's volume, pixels of a parallel beam's slices; the detector's pixel "
                            "at the axis if not given",
                 .ofVolume = true,
                 .get = [](const ConeOptions& o) { return lengthText(o.voxelMm); },
                 .set = [](ConeOptions& o, const std::string& text) { o.voxelMm = mmFromText(text, "voxel"); }},
        ConeWord{.id = "output-pixel",
                 .form = "BINS|LENGTH",
                 .summary = "The same in pixels of the detector, as they are seen at the axis (0.5: four pixels in "
                            "one), or as a length with its unit (2um)",
                 .ofVolume = true,
                 .get = [](const ConeOptions& o) { return lengthText(o.voxelBins); },
                 .set = setOutputPixel},
        ConeWord{.id = "rotate",
                 .form = "DEG",
                 .summary = "Turns the slices, anticlockwise as they are shown",
                 .ofVolume = true,
                 .get = [](const ConeOptions& o) { return angleText(o.rotateRad); },
                 .set = [](ConeOptions& o,
                           const std::string& text) { o.rotateRad = realFromText(text, "rotation") * radPerDegree; }},
        ConeWord{.id = "size",
                 .form = "N[xSLICES]",
                 .summary = "Pixels along each side of a slice, and slices of a cone beam's volume; as many as bins, "
                            "and as many again, if not given",
                 .ofVolume = true,
                 .get = sizeOption,
                 .set = takeSize}};
    return words;
}

nlohmann::ordered_json coneOptionsJson(const ConeOptions& options)
{
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (const JsonNumber& number : jsonNumbers)
        if (const std::optional<double>& value = options.*number.value)
            json[number.key] = number.unit == radPerDegree ? degreesFromRad(*value) : *value;
    for (const auto& [key, value] : jsonCounts)
        if (options.*value)
            json[key] = *(options.*value);
    if (options.direction)
        json["direction"] = directionText(options);
    return json;
}

ConeOptions takeConeOptions(nlohmann::ordered_json& json)
{
    ConeOptions options;
    const auto take = [&json](const char* key, const auto& use) {
        const auto found = json.find(key);
        if (found == json.end())
            return;
        const nlohmann::ordered_json value = *found;
        json.erase(key);
        try {
            use(value);
        } catch (const std::exception&) {
            throw Error(ErrorKind::badRequest,
                        std::string("\"") + key + "\" is " + value.dump().substr(0, 60) + ", which can't be used");
        }
    };
    for (const JsonNumber& number : jsonNumbers)
        take(number.key, [&](const nlohmann::ordered_json& value) {
            options.*number.value = value.get<double>() * number.unit;
            require(std::isfinite(*(options.*number.value)), number.key);
        });
    for (const auto& [key, count] : jsonCounts)
        take(key, [&, which = count](const nlohmann::ordered_json& value) {
            const auto number = value.get<double>();
            require(number >= 1 && number <= 65536 && number == std::floor(number), "no whole number");
            options.*which = static_cast<int>(number);
        });
    take("direction",
         [&](const nlohmann::ordered_json& value) { options.direction = directionFromText(value.get<std::string>()); });
    return options;
}

} // namespace engine
