// SPDX-License-Identifier: GPL-3.0-or-later
// Geometry of a subset of the projections.
#pragma once

#include "engine/scan/geometries.h"

#include <vector>

namespace engine
{

// Returns the geometry of the projections in `kept`, in that order. Throws Error(badRequest) for a geometry that
// can't be divided.
Geometry withProjections(Geometry geometry, const std::vector<int>& kept);

} // namespace engine
