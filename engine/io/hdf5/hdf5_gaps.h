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
    std::vector<std::vector<Range>> untouched; // of each dimension: indices that no source has anything of
    bool isPartial = false;                    // beside those, some numbers are in no source
    std::filesystem::path missing;             // the first of numbered sources ("frames_%b.h5") that isn't there
    bool isCut = false;                        // it ends there, for HDF5, and sources of higher numbers are there

    bool any() const;
};

// Of an open data set (hid_t) of the file; none where it isn't virtual. Under Hdf5Guard.
VirtualGaps gapsOf(std::int64_t dataset, const std::filesystem::path& file);

// "3 to 5, 9"
std::string toText(const std::vector<VirtualGaps::Range>& ranges);

} // namespace engine
