// SPDX-License-Identifier: GPL-3.0-or-later
// Where the voxels of a launch meet the detector rows that it was given: one matrix a projection, for every method.
#pragma once

#include "engine/backproject/method.h"

#include <vector>

namespace engine
{

// Throws Error(badRequest) where the parts of the arguments don't belong together (angles, axis, sizes, number type of
// the sinograms).
//
// The matrix takes the voxel in column i, row j and slice k of the launch's grid, (i, j, k, 1), to (h·w, r·w, w): bin
// h, and row r counted from the first that the launch has. FDK adds the filtered value there times 1/w².
std::vector<ProjectionMatrix> viewsOf(const LaunchArguments& arguments, FilterPrecision precision);

// Where the ray through voxel (i, j, k) meets the detector, compiled once: every method has its ties of `nearest` from
// here, so that they fall as in `exact`. A compiler that fuses products into sums would decide some otherwise.
struct Meeting {
    double h, r, w;
};
Meeting meetingOf(const ProjectionMatrix& view, int i, int j, int k);

// Do h and w stay the same along each column of voxels (no tilt, no roll)? Exactly, by the zeros of the matrices.
bool haveUprightColumns(const std::vector<ProjectionMatrix>& views);

// Upright, and slices k and K−1−k of the grid meet rows r and R−1−r of the launch's?
bool areMirrored(const std::vector<ProjectionMatrix>& views, int slices, int rows);

// May those of a request's volume be so? Of an upright detector whose middle sees the middle of the slices.
bool mayBeMirrored(const Request& request);

// Why a cone-beam method can't do the kernel of the request: interpolations that mean nothing between rows, slice
// modes.
std::optional<std::string> coneLimits(const Method& method, const Request& request);

} // namespace engine
