// SPDX-License-Identifier: GPL-3.0-or-later
// Number formats of slices in files: 32-bit floats, or 16-bit numbers; compressed or not.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace engine
{

struct ValueRange {
    double least = 0, most = 0;
    double step() const { return (most - least) / 65535; } // value = least + stored · step
    bool operator==(const ValueRange&) const = default;
};
// "-0.01:0.25"
ValueRange valueRangeFromText(const std::string&); // throws Error(badRequest)
std::string toText(const ValueRange&);

struct OutputFormat {
    enum class Type { float32, half, uint16 };
    static constexpr int mostDeflate = 9;
    Type type = Type::float32;
    ValueRange range;     // for uint16: the values of 0 and 65535
    int deflateLevel = 0; // 1 (fast) to mostDeflate; 0: not compressed

    std::size_t bytesPerValue() const { return type == Type::float32 ? 4 : 2; }
    double step() const { return range.step(); }
};
std::string toText(OutputFormat::Type);                    // "float32", "half", "uint16"
OutputFormat::Type outputTypeFromText(const std::string&); // throws Error(badRequest)
std::vector<OutputFormat::Type> outputTypes();
int compressionFromText(const std::string&); // "none", "deflate", "deflate:LEVEL"; throws Error(badRequest)
std::string compressionToText(int deflateLevel);

// Converts the values into `to`, which has values.size() · bytesPerValue() bytes and is aligned to bytesPerValue().
// Returns how many values are changed by more than rounding: values outside the range become its nearest end, and
// values beyond 65504 become infinite halves. NaN becomes 0 in uint16.
long long store(const OutputFormat& format, std::span<const float> values, std::byte* to);

// The size of a slice's pixel.
struct PixelSize {
    std::optional<double> mm;
    std::optional<double> bins; // in detector bins as recorded; only for a parallel beam
};

// Lengths in the image of a slice or plane, in mm.
struct ImageLengths {
    double across = 0, down = 0;   // sides of a pixel
    std::optional<double> apart{}; // from one slice to the next; none for a plane
};

// Facts in the description of a slice's TIFF, in addition to its unit.
struct SliceFacts {
    std::string lines; // "key=value", one per line, as ImageJ and tifffile read them
    std::optional<ImageLengths> mm;
};

// The description of a slice's TIFF: for ImageJ the distance of the slices, if it is known, and the calibration of
// whole numbers; the unit and, for whole numbers, their range, so that values can be converted back; the lines of the
// facts. Empty if there is nothing to say. The parsers return nothing for other descriptions.
std::string describe(const OutputFormat& format, const std::string& unit, const SliceFacts& facts);
bool describesSlice(const std::string& description);
std::optional<ValueRange> rangeDescribed(const std::string& description);
std::string unitDescribed(const std::string& description); // empty for other descriptions
// Parse the slice's number, its plane and its pixel size, which SliceFacts::lines have; nothing for other descriptions.
std::optional<int> sliceDescribed(const std::string& description);
std::string planeDescribed(const std::string& description); // as text
PixelSize pixelDescribed(const std::string& description);

inline constexpr std::array tiffSuffixes = {".tif", ".tiff"};
bool hasTiffSuffix(const std::filesystem::path& path); // regardless of case

} // namespace engine
