// SPDX-License-Identifier: GPL-3.0-or-later
// Where slices that were reconstructed are stored.
#pragma once

#include <filesystem>
#include <string>

namespace engine
{

struct SlicesPath {
    std::filesystem::path file = {}; // or a folder of TIFFs, one a slice
    std::string dataset = {};        // in HDF5, "/exchange/data"; empty: the one that there is
    // The order of a data set's three dimensions, such as "y:z:x" with the slices in the middle, where the file doesn't
    // state it; empty: z:y:x, or y:z:x where only that fits.
    std::string axes = {};
    bool operator==(const SlicesPath&) const = default;
};

// "scan.h5", or "scan.h5#/exchange/data": what follows the last #/ is the data set; "scan.h5#/data@y:z:x" with the
// order of its dimensions. A # is put behind a name of a file that would be read otherwise. Throws Error(badRequest)
// where there is no file.
std::string toText(const SlicesPath& path);
SlicesPath slicesPathFromText(const std::string& text);
std::string shortName(const SlicesPath& path);           // without the folder
std::string volumeAxesFromText(const std::string& text); // as "z:y:x". Throws Error(badRequest)

struct SliceSize {
    int width = 0, height = 0;
    bool operator==(const SliceSize&) const = default;
};

} // namespace engine
