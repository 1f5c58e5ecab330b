// SPDX-License-Identifier: GPL-3.0-or-later
// Positions at which rays meet the detector, in double precision and identical to the last bit for every method.
#pragma once

#include "engine/backends/method.h"

#include <span>
#include <vector>

namespace engine
{

// Directions and axis positions of the projections. The ray through (x, y) meets the detector at
// h = (axis + y·sinθ) + x·cosθ. Both summands come from the functions below, which are compiled once: if a compiler
// fused a product into the sum in one method but not in another, ties of `nearest` would be decided differently (at
// 45° a whole diagonal of pixels lies on the edge between two bins).
struct Rays {
    std::vector<double> cosine, sine, axisBins; // one per projection

    int projections() const { return static_cast<int>(cosine.size()); }
};

// Returns the rays of a launch. Throws Error(badRequest) if parts of the arguments don't match (angles, axis, sizes,
// number type of the sinograms), or an angle or axis isn't finite.
Rays raysOf(const LaunchArguments& arguments, FilterPrecision precision);

// Computes axis + y·sinθ for one projection and the rows firstRow, firstRow + 1, …
void rowPositions(const Rays& rays, int projection, const SliceGrid& grid, int firstRow, std::span<double> positions);

// Computes x·cosθ for one projection and the columns firstColumn, firstColumn + 1, …
void columnOffsets(const Rays& rays, int projection, const SliceGrid& grid, int firstColumn, std::span<double> offsets);

} // namespace engine
