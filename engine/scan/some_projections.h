// SPDX-License-Identifier: GPL-3.0-or-later
// The geometry of some of a scan's projections.
#pragma once

#include "engine/scan/geometries.h"

#include <vector>

namespace engine
{

// Of those that are kept, in that order. Throws Error(badRequest) for a geometry that is known as a whole alone.
Geometry withProjections(Geometry geometry, const std::vector<int>& kept);

} // namespace engine
