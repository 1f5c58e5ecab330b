// SPDX-License-Identifier: GPL-3.0-or-later
// The groups and data sets of an HDF5 file, as far as they are looked at.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace engine
{

// Paths in order, each group before what is in it. A group with several names has all of them, and what is in it is
// told under the first; links that lead nowhere are left out.
struct Hdf5Nodes {
    std::vector<std::string> groups, datasets; // "/" among the groups
};

// Of the open file (hid_t), so many groups deep; what is in the first mostLinks links (engine/io/files/size_limits.h),
// so that no web of links takes for ever. Under Hdf5Guard.
Hdf5Nodes nodesOf(std::int64_t file, int depth);

} // namespace engine
