// SPDX-License-Identifier: GPL-3.0-or-later
// The part of a stack that its object occupies.
#pragma once

#include "engine/data/volume.h"

#include <array>

namespace ui
{

// Returns the first and the last voxel along x, y and z of the box around the values above the threshold, in a stack
// with one voxel or more. Planes with few such values, as noise has them, don't count. The whole stack if no value is
// above the threshold. Looks at about four million values.
std::array<int, 6> objectExtent(const engine::Volume& volume, double threshold);

} // namespace ui
