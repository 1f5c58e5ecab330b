// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/request/setting.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/base/spelling.h"
#include "engine/scan/axis_programs.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <sstream>
#include <vector>

namespace engine
{

namespace
{

template <typename T>
struct Name {
    T value;
    const char* text;
};

constexpr std::array interpolationNames = {
    Name<Interpolation>{Interpolation::nearest, "nearest"}, Name<Interpolation>{Interpolation::linear, "linear"},
    Name<Interpolation>{Interpolation::oversampled, "oversampled"}, Name<Interpolation>{Interpolation::cubic, "cubic"}};
constexpr std::array precisionNames = {Name<Precision>{Precision::single, "float"},
                                       Name<Precision>{Precision::half, "half"}};
constexpr std::array filterOnNames = {Name<FilterOn>{FilterOn::automatic, "auto"}, Name<FilterOn>{FilterOn::gpu, "gpu"},
                                      Name<FilterOn>{FilterOn::processor, "processor"}};
constexpr std::array filterTransformNames = {Name<FilterTransform>{FilterTransform::own, "own"},
                                             Name<FilterTransform>{FilterTransform::cufft, "cufft"},
                                             Name<FilterTransform>{FilterTransform::cufftReal, "cufft-real"}};
constexpr std::array padModeNames = {Name<PadMode>{PadMode::zero, "zero"}, Name<PadMode>{PadMode::edge, "edge"},
                                     Name<PadMode>{PadMode::cylinder, "cylinder"}};

template <typename T, std::size_t N>
std::string nameOf(const std::array<Name<T>, N>& names, T value)
{
    for (const auto& name : names)
        if (name.value == value)
            return name.text;
    return {};
}

template <typename T, std::size_t N>
T valueOf(const std::array<Name<T>, N>& names, const std::string& text, const char* what)
{
    std::vector<std::string> valid;
    for (const auto& name : names) {
        if (text == name.text)
            return name.value;
        valid.emplace_back(name.text);
    }
    throw Error(ErrorKind::badRequest, unknownText("unknown " + std::string(what), text, valid));
}

} // namespace

std::string toText(Interpolation value)
{
    return nameOf(interpolationNames, value);
}
std::string toText(Precision value)
{
    return nameOf(precisionNames, value);
}
std::string toText(PadMode value)
{
    return nameOf(padModeNames, value);
}
std::string toText(FilterOn value)
{
    return nameOf(filterOnNames, value);
}
std::string toText(FilterTransform value)
{
    return nameOf(filterTransformNames, value);
}

std::string toText(const AxisSettings& axis)
{
    switch (axis.mode) {
    case AxisSettings::Mode::automatic:
        return "auto";
    case AxisSettings::Mode::find:
        return "find";
    case AxisSettings::Mode::middle:
        return "middle";
    case AxisSettings::Mode::given:
        break;
    }
    std::ostringstream text;
    text << axis.bins;
    return text.str();
}

std::string toText(const DeviceSettings& device)
{
    if (device.index == DeviceSettings::all)
        return device.backend + ":all";
    return device.index == 0 ? device.backend : device.backend + ":" + std::to_string(device.index);
}

std::string devicesToText(const Resources& resources)
{
    std::string text = toText(resources.device);
    for (const DeviceSettings& other : resources.others)
        text += ',' + toText(other);
    return text;
}

Interpolation interpolationFromText(const std::string& text, int* oversampling)
{
    const std::size_t colon = text.find(':');
    const std::string name = text.substr(0, colon);
    const Interpolation value = valueOf(interpolationNames, name, "interpolation");
    if (colon == std::string::npos)
        return value;
    int factor = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data() + colon + 1, end, factor);
    if (value != Interpolation::oversampled || error != std::errc{} || rest != end || factor < 1 || factor > 64)
        throw Error(ErrorKind::badRequest,
                    "bad interpolation '" + text +
                        "'; only oversampled takes an oversampling factor, from 1 to 64, as oversampled:4");
    if (oversampling)
        *oversampling = factor;
    return value;
}

Precision precisionFromText(const std::string& text)
{
    return valueOf(precisionNames, text, "precision");
}
PadMode padModeFromText(const std::string& text)
{
    return valueOf(padModeNames, text, "pad mode");
}

FilterOn filterOnFromText(const std::string& text)
{
    return valueOf(filterOnNames, text, "place of the filter");
}

FilterTransform filterTransformFromText(const std::string& text)
{
    return valueOf(filterTransformNames, text, "filter on GPUs");
}

AxisSettings axisFromText(const std::string& text)
{
    if (double bins = 0; axisFromProgramText(text, bins))
        return {AxisSettings::Mode::given, bins};
    if (text == "auto")
        return {AxisSettings::Mode::automatic, 0};
    if (text == "find")
        return {AxisSettings::Mode::find, 0};
    if (text == "middle")
        return {AxisSettings::Mode::middle, 0};
    double bins = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, bins);
    if (error != std::errc{} || rest != end || !std::isfinite(bins))
        throw Error(ErrorKind::badRequest,
                    "bad axis '" + text +
                        "'; give auto, find, middle, a position in bins from the centre of bin "
                        "0, or nabu:, tomocupy:, tomopy: or tomopy-iterative: with that program's position");
    return {AxisSettings::Mode::given, bins};
}

Region regionFromText(const std::string& text)
{
    std::vector<int> values;
    for (std::size_t first = 0; first <= text.size();) {
        const std::size_t comma = std::min(text.find(',', first), text.size());
        const long long value = integerFromText(text.substr(first, comma - first), "region");
        values.push_back(value >= 0 && value <= 1'000'000 ? static_cast<int>(value) : -1);
        first = comma + 1;
    }
    if (values.size() != 4 || values[0] < 0 || values[1] < 0 || values[2] < 1 || values[3] < 1)
        throw Error(ErrorKind::badRequest, "bad region '" + text +
                                               "'; give X,Y,W,H in pixels: left column, top row (from 0), width and "
                                               "height (from 1), up to 1000000");
    return {values[0], values[1], values[2], values[3]};
}

Slab slabFromText(const std::string& text)
{
    const std::vector<double> numbers = numbersFromText(text, 5, "slab", realFromText);
    const auto pixels = [&](double number) {
        require(number >= 1 && number <= 1'000'000 && number == std::floor(number),
                "the slab '" + text + "' needs whole numbers of pixels along and across, from 1 to 1000000");
        return static_cast<int>(number);
    };
    constexpr double mostTurnDeg = 3600;
    require(std::abs(numbers[2]) <= mostTurnDeg, "the slab '" + text + "' needs an angle between " +
                                                     numberToText(-mostTurnDeg) + " and " + numberToText(mostTurnDeg) +
                                                     " degrees");
    return {numbers[0], numbers[1], numbers[2], pixels(numbers[3]), pixels(numbers[4])};
}

std::string toText(const Slab& slab)
{
    return numberToText(slab.column) + ',' + numberToText(slab.row) + ',' + numberToText(slab.angleDeg) + ',' +
           std::to_string(slab.width) + ',' + std::to_string(slab.thickness);
}

std::string toText(const Region& region)
{
    return std::to_string(region.column) + ',' + std::to_string(region.row) + ',' + std::to_string(region.width) + ',' +
           std::to_string(region.height);
}

int projectionsOf(const Request& request)
{
    return request.place.projections ? request.place.projections->count : request.scan->projections();
}

VolumeSize volumeOf(const Scan& scan)
{
    return {scan.sliceSize(), scan.slices()};
}

const RowRange Place::slices() const
{
    if (const auto* pairs = std::get_if<MirroredPairs>(&part))
        return pairs->numbers;
    if (const auto* slabs = std::get_if<SlabPart>(&part))
        return slabs->rows;
    const auto* whole = std::get_if<Slices>(&part);
    return whole ? whole->rows : RowRange{0, 1};
}

const std::optional<RowRange> Place::pairsOf() const
{
    const auto* pairs = std::get_if<MirroredPairs>(&part);
    return pairs ? std::optional(pairs->all) : std::nullopt;
}

const std::optional<Region> Place::region() const
{
    if (const auto* pairs = std::get_if<MirroredPairs>(&part))
        return pairs->region;
    const auto* whole = std::get_if<Slices>(&part);
    return whole ? whole->region : std::nullopt;
}

const std::optional<Slab> Place::slab() const
{
    const auto* slabs = std::get_if<SlabPart>(&part);
    return slabs ? std::optional(slabs->slab) : std::nullopt;
}

const std::optional<Plane> Place::plane() const
{
    const auto* planes = std::get_if<PlanePart>(&part);
    return planes ? std::optional(planes->plane) : std::nullopt;
}

bool Place::othersFollow() const
{
    const auto* planes = std::get_if<PlanePart>(&part);
    return planes && planes->othersFollow;
}

void Place::setSlices(const RowRange& slices)
{
    if (auto* pairs = std::get_if<MirroredPairs>(&part))
        pairs->numbers = slices;
    else if (auto* slabs = std::get_if<SlabPart>(&part))
        slabs->rows = slices;
    else if (auto* whole = std::get_if<Slices>(&part))
        whole->rows = slices;
}

void Place::setRegion(const std::optional<Region>& region)
{
    if (auto* pairs = std::get_if<MirroredPairs>(&part))
        pairs->region = region;
    else
        part = Slices{slices(), region};
}

std::vector<RowRange> runsOf(const Place& place)
{
    const auto* pairs = std::get_if<MirroredPairs>(&place.part);
    if (!pairs)
        return {place.slices()};
    const auto& [numbers, all, region] = *pairs;
    const int lower = numbers.count / 2, upper = numbers.count - lower;
    const int before = numbers.first / 2, end = all.first + all.count - before;
    const RowRange above{all.first + before, upper}, below{end - lower, lower};
    if (above.first + upper == below.first)
        return {{above.first, numbers.count}};
    return {above, below};
}

int sliceAt(const Place& place, int number)
{
    const auto* pairs = std::get_if<MirroredPairs>(&place.part);
    if (!pairs)
        return number;
    const RowRange& all = pairs->all;
    return number % 2 == 0 ? all.first + number / 2 : all.first + all.count - 1 - number / 2;
}

const Geometry& geometryOf(const Request& request)
{
    static const Geometry none;
    return request.scan ? request.scan->geometry : none;
}

} // namespace engine
