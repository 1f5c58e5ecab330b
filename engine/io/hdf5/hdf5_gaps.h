// SPDX-License-Identifier: GPL-3.0-or-later
// Regions of a virtual data set that no source file covers: HDF5 silently reads fill values there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace engine
{

struct VirtualGaps {
    struct Range {
        long long first = 0, count = 0;
    };
    std::vector<std::vector<Range>> untouched; // per dimension: the indices that no source touches
    bool isPartial = false;                    // some further numbers are in no source
    std::filesystem::path missing;             // the first missing file of numbered sources ("frames_%b.h5")
    bool isCut = false;                        // HDF5 ends the data set there, but files with higher numbers exist

    bool any() const;
};

// "3 to 5, 9"
std::string toText(const std::vector<VirtualGaps::Range>& ranges);

} // namespace engine
