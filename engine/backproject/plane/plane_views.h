// SPDX-License-Identifier: GPL-3.0-or-later
// Where the pixels of a plane meet the detector, for parallel and cone beams alike.
#pragma once

#include "engine/backproject/method.h"

#include <vector>

namespace engine
{

// A numerator or denominator at a pixel: atMiddle + perColumn·(i − (width−1)/2) + perRow·(j − (height−1)/2), for column
// i and row j of the image.
struct Affine {
    double atMiddle = 0, perColumn = 0, perRow = 0;
};

// A projection of a plane. A pixel meets bin h/w and row r/w, counted from the launch's first row, and the filtered
// value there counts 1/w² times. Parallel beams: w = 1.
struct PlaneView {
    Affine h, r, w{1, 0, 0};
};

// Returns the views of the launch's plane, one per projection. Throws Error(badRequest) if parts of the arguments don't
// match.
std::vector<PlaneView> planeViewsOf(const LaunchArguments& arguments);

} // namespace engine
