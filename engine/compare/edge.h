// SPDX-License-Identifier: GPL-3.0-or-later
// Sharpness of an edge.
#pragma once

#include "engine/compare/profile.h"

#include <optional>

namespace engine
{

// Returns the 10–90 % width of the edge that a profile crosses, in its unit of position (pixels): 2.56·σ for a
// Gaussian blur. The profile is taken as linear between samples. If these are one pixel apart, the width of a blurred
// edge is therefore too large by up to 0.33/σ pixels, for σ of one pixel or more. A line shorter than three times the
// width cuts off the ends of the edge, so that the width is too small, by a sixth at most.
//
// Returns nothing unless the profile crosses one clear edge:
// - It has at least 10 samples, all finite.
// - The first and the last fifth give the levels before and behind the edge. Their standard deviations are below a
//   tenth of the step between their means, and the means of their halves differ by less than a twentieth of it.
// - All values before the 10 % point are within a quarter of the step from the first level, those after the 90 %
//   point from the second, and those between from the straight line between the two points.
// So bars, edges of two steps, fringes higher than a quarter, and edges too wide for the line give nothing.
// Throws Error(badRequest) when positions and values differ in number.
std::optional<double> edgeWidth(const Profile& profile);

} // namespace engine
