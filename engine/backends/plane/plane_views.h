// SPDX-License-Identifier: GPL-3.0-or-later
// Where the pixels of a plane meet the detector, for parallel and cone beams alike.
#pragma once

#include "engine/backends/method.h"

#include <vector>

namespace engine
{

// A numerator or denominator at a pixel: atMiddle + perColumn·x + perRow·y, where x and y count pixels from the middle
// of an image: for column i and row j, x = i − (width−1)/2 and y = j − (height−1)/2.
struct Affine {
    double atMiddle = 0, perColumn = 0, perRow = 0;
};

// A projection of a plane. A pixel meets bin h/w and row r/w, and the filtered value there counts 1/w² times. Parallel
// beams: w = 1, and pixels above or below the detector meet its outer row.
struct PlaneView {
    Affine h, r, w{1, 0, 0};
};

// Returns the views of the launch's plane, one per projection; rows count from the launch's first row. Throws
// Error(badRequest) if parts of the arguments don't match.
std::vector<PlaneView> planeViewsOf(const LaunchArguments& arguments);

// As above, but rows count from the detector's first one, and pixels from the middle of the whole plane (Plane::right,
// Plane::down): parts of a plane have the same views.
std::vector<PlaneView> wholePlaneViewsOf(const LaunchArguments& arguments);
int detectorRowsOf(const LaunchArguments& arguments);

} // namespace engine
