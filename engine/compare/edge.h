// SPDX-License-Identifier: GPL-3.0-or-later
// How sharp an edge is.
#pragma once

#include "engine/compare/profile.h"

#include <optional>

namespace engine
{

// The 10–90 % width of the edge that a profile crosses, in its unit of position (pixels): 2.56·σ for a Gaussian blur.
// Between samples the profile is straight, which makes an edge of that kind wider by up to 0.33/σ pixels (σ in
// pixels, from 1) where samples are a pixel apart. A line less than three times as long as that width cuts off the
// edge's ends, which makes it narrower, by a sixth at most.
//
// Nothing unless it crosses one clear edge: at least 10 samples, all finite; the first and the last fifth are the
// levels before and behind, with standard deviations below a tenth of the step between their means, and means of their
// halves less than a twentieth apart; before the edge (up to its 10 % point) all values are within a quarter of the
// step from the one level, behind it (from 90 % on) from the other, and between them within a quarter of the step from
// the straight line from point to point. So bars, steps in two goes, fringes higher than a quarter, and edges too wide
// for the line are none.
// Throws Error(badRequest) when positions and values differ in number.
std::optional<double> edgeWidth(const Profile& profile);

} // namespace engine
