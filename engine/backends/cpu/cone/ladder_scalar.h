// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel with which Chen et al. (IPSJ report) compare theirs: Listing 1 in plain code.
#pragma once

#include "engine/backends/cone/views.h"
#include "engine/backends/cpu/cone/ladder_kernel.h"
#include "engine/data/grid.h"

namespace engine
{

// A projection matrix in single precision, relative to the middle of the grid: with d = (x, y, z) − middle,
// w = wd·d + w0, u = u0 + ud·d/w, v = v0 + vd·d/w. Large terms are added last, so that positions are accurate to some
// 10⁻⁵ of a bin.
struct ScalarView {
    float ud[3], vd[3], wd[3];
    float u0 = 0, v0 = 0, w0 = 1;
};

ScalarView scalarViewOf(const ProjectionMatrix& matrix, const VolumeGrid& grid);

// Adds one projection, at.image [row][bin], to a line of voxels along x, sums[0…voxels−1], whose first voxel is at
// (x, y, z) from the middle of the grid. One voxel after another, with all three products of the matrix for each,
// without vector instructions.
void addScalar(const LadderLine& at, const ScalarView& view, float x, float y, float z, int voxels, float* sums);

} // namespace engine
