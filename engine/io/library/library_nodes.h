// SPDX-License-Identifier: GPL-3.0-or-later
// The groups and data sets of an HDF5 file, found within limits.
#pragma once

#include "engine/io/hdf5/hdf5_types.h"

#include <cstdint>

namespace engine
{

// Lists an open file (hid_t), up to `depth` groups deep. Only the first mostLinks links are followed
// (engine/io/files/size_limits.h), so that even a web of links takes limited time. To be called under Hdf5Guard.
Hdf5Nodes nodesOf(std::int64_t file, int depth);

} // namespace engine
