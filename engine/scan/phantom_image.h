// SPDX-License-Identifier: GPL-3.0-or-later
// The exact image of a phantom.
#pragma once

#include "engine/data/volume.h"
#include "engine/scan/ellipses.h"

#include <vector>

namespace engine
{

// Mean over the area of each pixel, times `scale`, in closed form. A pixel is one pixel of the whole slice, at
// the place that the grid gives it, also where the grid steps over pixels: a coarse grid shows what
// a coarse reconstruction shows. unitsPerPixel: width of a pixel in the unit square.
Volume areaAveraged(const std::vector<Ellipse>& ellipses, double unitsPerPixel, double scale, const SliceGrid& grid);

} // namespace engine
