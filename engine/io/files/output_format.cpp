// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/files/output_format.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

namespace engine
{

namespace
{

constexpr const char* stored = "value = stored * "; // begins the description of uint16 slices
constexpr const char* forImageJ = "ImageJ=";
constexpr const char* ofSlice = "reconstructed slice in "; // begins the description of other slices

} // namespace

ValueRange valueRangeFromText(const std::string& text)
{
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos)
        throw Error(ErrorKind::badRequest, "bad range '" + text + "'; give LEAST:MOST");
    constexpr double most = 3e38; // slices are computed as floats
    const ValueRange range{realWithin(text.substr(0, colon), "range", -most, most),
                           realWithin(text.substr(colon + 1), "range", -most, most)};
    if (!(range.most > range.least))
        throw Error(ErrorKind::badRequest, "the range '" + text + "' is empty; give LEAST:MOST with MOST above LEAST");
    return range;
}

std::string toText(const ValueRange& range)
{
    return numberToText(range.least) + ':' + numberToText(range.most);
}

std::string toText(OutputFormat::Type type)
{
    switch (type) {
    case OutputFormat::Type::float32:
        return "float32";
    case OutputFormat::Type::half:
        return "half";
    default:
        return "uint16";
    }
}

std::vector<OutputFormat::Type> outputTypes()
{
    return {OutputFormat::Type::float32, OutputFormat::Type::half, OutputFormat::Type::uint16};
}

OutputFormat::Type outputTypeFromText(const std::string& text)
{
    for (const OutputFormat::Type type : outputTypes())
        if (text == toText(type))
            return type;
    throw Error(ErrorKind::badRequest, "unknown type '" + text + "'; valid are float32, half and uint16");
}

int compressionFromText(const std::string& text)
{
    if (text == "none")
        return 0;
    if (text == "deflate")
        return 1;
    constexpr const char* leveled = "deflate:";
    if (text.starts_with(leveled))
        if (const long long level = integerFromText(text.substr(std::strlen(leveled)), "level");
            level >= 1 && level <= OutputFormat::mostDeflate)
            return static_cast<int>(level);
    throw Error(ErrorKind::badRequest, "unknown compression '" + text +
                                           "'; valid are none, deflate and deflate:1 to "
                                           "deflate:9");
}

std::string compressionToText(int deflateLevel)
{
    return deflateLevel == 0 ? "none" : "deflate:" + std::to_string(deflateLevel);
}

namespace
{

// Returns ImageJ's lines about lengths, in centimetres as the resolution of the page, and about whole numbers, whose
// values are those of a straight line (function 0).
std::string linesForImageJ(const OutputFormat& format, const std::string& unit, const SliceFacts& facts)
{
    std::string text;
    if (facts.mm)
        text += "unit=cm\n";
    if (facts.mm && facts.mm->apart)
        text += "spacing=" + numberToText(*facts.mm->apart / 10) + "\n";
    if (format.type == OutputFormat::Type::uint16)
        text += "cf=0\nc0=" + numberToText(format.range.least) + "\nc1=" + numberToText(format.step()) +
                "\nvunit=" + unit + "\n";
    return text.empty() ? text : std::string(forImageJ) + "1.53\n" + text;
}

} // namespace

std::string describe(const OutputFormat& format, const std::string& unit, const SliceFacts& facts)
{
    const bool whole = format.type == OutputFormat::Type::uint16;
    if (!whole && unit.empty())
        return {};
    std::string text = linesForImageJ(format, unit, facts);
    text += whole ? stored + numberToText(format.step()) + " + " + numberToText(format.range.least) + " " + unit
                  : ofSlice + unit;
    return facts.lines.empty() ? text : text + "\n" + facts.lines;
}

namespace
{

// Returns a description without the lines for ImageJ.
std::string withoutImageJ(const std::string& description)
{
    if (!description.starts_with(forImageJ))
        return description;
    for (const std::string& begin : {std::string("\n") + ofSlice, std::string("\n") + stored})
        if (const std::size_t at = description.find(begin); at != std::string::npos)
            return description.substr(at + 1);
    return {};
}

} // namespace

std::optional<ValueRange> rangeDescribed(const std::string& whole)
{
    const std::string description = withoutImageJ(whole);
    if (!description.starts_with(stored))
        return {};
    const std::size_t begin = std::strlen(stored), plus = description.find(" + ", begin);
    const std::size_t end = plus == std::string::npos ? plus : description.find(' ', plus + 3);
    if (end == std::string::npos)
        return {};
    try {
        const double step = realFromText(description.substr(begin, plus - begin), "step");
        const double least = realFromText(description.substr(plus + 3, end - plus - 3), "least");
        return ValueRange{least, least + 65535 * step};
    } catch (const Error&) {
        return {};
    }
}

bool describesSlice(const std::string& description)
{
    return withoutImageJ(description).starts_with(ofSlice) || rangeDescribed(description).has_value();
}

namespace
{

template <typename Number>
std::optional<Number> numberDescribed(const std::string& description, std::string_view key)
{
    const std::size_t at = description.find(key);
    if (at == std::string::npos || !describesSlice(description))
        return {};
    Number number{};
    const char* const first = description.data() + at + key.size();
    const auto read = std::from_chars(first, description.data() + description.size(), number);
    return read.ec == std::errc() ? std::optional(number) : std::nullopt;
}

} // namespace

std::string unitDescribed(const std::string& description)
{
    const std::string own = withoutImageJ(description), first = own.substr(0, own.find('\n'));
    return describesSlice(first) ? first.substr(first.rfind(' ') + 1) : std::string();
}

std::optional<int> sliceDescribed(const std::string& description)
{
    return numberDescribed<int>(description, "\nslice=");
}

std::string planeDescribed(const std::string& description)
{
    constexpr std::string_view key = "\nplane=";
    const std::size_t at = description.find(key);
    if (at == std::string::npos || !describesSlice(description))
        return {};
    const std::size_t first = at + key.size();
    return description.substr(first, description.find('\n', first) - first);
}

PixelSize pixelDescribed(const std::string& description)
{
    return {numberDescribed<double>(description, "\npixel_mm="), numberDescribed<double>(description, "\npixel_bins=")};
}

bool hasTiffSuffix(const std::filesystem::path& path)
{
    const std::string suffix = lowerCase(path.extension().string());
    return std::find(tiffSuffixes.begin(), tiffSuffixes.end(), suffix) != tiffSuffixes.end();
}

} // namespace engine
