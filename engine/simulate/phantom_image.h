// SPDX-License-Identifier: GPL-3.0-or-later
// Exact images of phantoms.
#pragma once

#include "engine/data/volume.h"
#include "engine/simulate/ellipses.h"

#include <vector>

namespace engine
{

// Returns the mean over the area of each pixel, times `scale`, in closed form. Every pixel has the size of a pixel of
// the whole slice, also if the grid skips pixels: a coarse grid shows the same as a coarse reconstruction.
// unitsPerPixel: width of a pixel in the unit square.
Volume areaAveraged(const std::vector<Ellipse>& ellipses, double unitsPerPixel, double scale, const SliceGrid& grid);

} // namespace engine
