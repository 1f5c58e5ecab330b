// SPDX-License-Identifier: GPL-3.0-or-later
// Paths of reconstructed slices.
#pragma once

#include <array>
#include <filesystem>
#include <string>

namespace engine
{

struct SlicesPath {
    std::filesystem::path file = {}; // or a folder of TIFFs, one per slice
    std::string dataset = {};        // in HDF5, "/exchange/data"; empty: the only one that fits
    // The order of a data set's three dimensions, such as "y:z:x" with the slices in the middle, if the file doesn't
    // specify it; empty: z:y:x, or y:z:x if only then the slices have a size that the reader accepts.
    std::string axes = {};
    std::string unit = {}; // one of imageUnits, in place of what the file specifies; empty: as the file specifies
    bool operator==(const SlicesPath&) const = default;
};

// Converts a path to text and back: "scan.h5", or "scan.h5#/exchange/data" with the data set after the last #/, or
// "scan.h5#/data@y:z:x" with the order of its dimensions; each may end with the unit, "scan.h5@1/pixel". A # is
// appended to file names that would otherwise be split. slicesPathFromText() throws Error(badRequest) if no file is
// named.
std::string toText(const SlicesPath& path);
SlicesPath slicesPathFromText(const std::string& text);
std::string shortName(const SlicesPath& path);           // without the folder
std::string volumeAxesFromText(const std::string& text); // returns it in the form "z:y:x". Throws Error(badRequest)

// The units that a user can choose for the values of an image. imageUnitFromText() accepts only these; it throws
// Error(badRequest).
inline constexpr std::array imageUnits = {"1/pixel", "1/mm", "1/cm"};
std::string imageUnitFromText(const std::string& text);

struct SliceSize {
    int width = 0, height = 0;
    bool operator==(const SliceSize&) const = default;
};

} // namespace engine
