// SPDX-License-Identifier: GPL-3.0-or-later
// How the values of slices stand in files: as floats, or in half the bytes; compressed or not.
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
    ValueRange range;     // of uint16: what 0 and 65535 stand for
    int deflateLevel = 0; // 1 (fast) to mostDeflate; 0: not compressed

    std::size_t bytesPerValue() const { return type == Type::float32 ? 4 : 2; }
    double step() const { return range.step(); }
};
std::string toText(OutputFormat::Type);                    // "float32", "half", "uint16"
OutputFormat::Type outputTypeFromText(const std::string&); // throws Error(badRequest)
std::vector<OutputFormat::Type> outputTypes();
int compressionFromText(const std::string&); // "none", "deflate", "deflate:LEVEL"; throws Error(badRequest)
std::string compressionToText(int deflateLevel);

// Into values.size() · bytesPerValue() bytes that begin at a multiple of that. Returns how many are not what they were:
// beyond the range, which become its ends, or beyond 65504, which become infinite halves; those that aren't numbers
// become 0 in uint16.
long long store(const OutputFormat& format, std::span<const float> values, std::byte* to);

// Of a pixel of slices.
struct PixelSize {
    std::optional<double> mm;
    std::optional<double> bins; // of the detector as recorded, of a parallel beam
};

// What a slice's TIFF says of it, beside its unit.
struct SliceFacts {
    std::string lines; // "key=value", one a line, as ImageJ and tifffile read them
    std::optional<double> pixelMm;
};

// What the first line of the description of a slice's TIFF says: its unit, and of whole numbers their range, so that
// values can be taken back. Nothing for other descriptions.
std::string describe(const OutputFormat& format, const std::string& unit);
bool describesSlice(const std::string& description);
std::optional<ValueRange> rangeDescribed(const std::string& description);
std::string unitDescribed(const std::string& description); // empty for other descriptions
// By SliceFacts; likewise.
std::optional<int> sliceDescribed(const std::string& description);
PixelSize pixelDescribed(const std::string& description);

inline constexpr std::array tiffSuffixes = {".tif", ".tiff"};
bool hasTiffSuffix(const std::filesystem::path& path); // in letters of any case

} // namespace engine
