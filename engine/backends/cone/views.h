// SPDX-License-Identifier: GPL-3.0-or-later
// Projection matrices from the voxels of a launch to its detector rows, one per projection, for all methods.
#pragma once

#include "engine/backends/method.h"

#include <vector>

namespace engine
{

// Returns the matrices of a launch. Throws Error(badRequest) if parts of the arguments don't match (angles, axis,
// sizes, number type of the sinograms).
//
// A matrix maps the voxel in column i, row j and slice k of the launch's grid, (i, j, k, 1), to (h·w, r·w, w): bin h,
// and row r counted from the launch's first row. FDK adds the filtered value there times 1/w².
std::vector<ProjectionMatrix> viewsOf(const LaunchArguments& arguments, FilterPrecision precision);

// Returns the same for the voxels of a grid, of a beam whose axis is known, with rows counted from firstRow.
std::vector<ProjectionMatrix> viewsOf(const ConeBeam& beam, const VolumeGrid& grid, int firstRow);

// Position at which the ray through voxel (i, j, k) meets the detector. meetingOf is compiled once, and all methods
// use it to decide ties of `nearest`, so that they fall as in `exact`. A compiler that fuses products into sums would
// decide some of them differently.
struct Meeting {
    double h, r, w;
};
Meeting meetingOf(const ProjectionMatrix& view, int i, int j, int k);

// Returns whether h and w are constant along each column of voxels (no tilt, no roll). Exact: checks zeros of the
// matrices.
bool haveUprightColumns(const std::vector<ProjectionMatrix>& views);

// Returns whether columns are upright, and slices k and K−1−k of the grid meet rows r and R−1−r of the launch.
bool areMirrored(const std::vector<ProjectionMatrix>& views, int slices, int rows);

// Returns whether a request's volume may be mirrored: the detector is upright, and its middle sees the middle of the
// slices.
bool mayBeMirrored(const Request& request);

// Returns why a cone-beam method can't use the request's kernel (interpolations that are undefined between rows,
// slice modes); nothing if it can.
std::optional<std::string> coneLimits(const Method& method, const Request& request);

} // namespace engine
