// SPDX-License-Identifier: GPL-3.0-or-later
// Where rays meet the detector, in double precision and the same to the last bit for every method.
#pragma once

#include "engine/backproject/method.h"

#include <span>
#include <vector>

namespace engine
{

// h = (axis + y·sinθ) + x·cosθ. Both summands come from the functions below, which are compiled once:
// a compiler that fuses a product into the sum in one method and not in another would decide ties of
// `nearest` differently (at 45° a whole diagonal of pixels lies on the edge between two bins).
struct Rays {
    std::vector<double> cosine, sine, axisBins; // one per projection

    int projections() const { return static_cast<int>(cosine.size()); }
};

// Throws Error(badRequest) where the parts of the arguments don't belong together (angles, axis,
// sizes, number type of the sinograms) or an angle or axis isn't finite.
Rays raysOf(const LaunchArguments& arguments, FilterPrecision precision);

// axis + y·sinθ, for one projection and rows firstRow, firstRow + 1, …
void rowPositions(const Rays& rays, int projection, const SliceGrid& grid, int firstRow, std::span<double> positions);

// x·cosθ, for one projection and columns firstColumn, firstColumn + 1, …
void columnOffsets(const Rays& rays, int projection, const SliceGrid& grid, int firstColumn, std::span<double> offsets);

} // namespace engine
