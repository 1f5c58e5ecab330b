// SPDX-License-Identifier: GPL-3.0-or-later
// Innermost loops of the kernels of Chen et al. (IPSJ report), vectorised with Highway, for a line of voxels and one
// or more projections.
#pragma once

#include <cstddef>

namespace engine
{

constexpr int ladderMargin = 2; // lines and points of zeros around a projection

// A line of voxels and a projection. The projection is an image of `lines` × `points`, point fastest, surrounded by
// zeros. Positions are counted from the image's first point and given as numerators over w.
struct LadderLine {
    const float* image = nullptr; // point 0 of line 0
    std::ptrdiff_t stride = 0;    // from line to line
    int lines = 0, points = 0;
    double line = 0, point = 0, w = 1;             // of the first voxel
    double lineStep = 0, pointStep = 0, wStep = 0; // to the next voxel
};

// Kernels for the steps. Sums are whole vectors of 8 voxels. mirrored: sums of the voxels at the same distance from
// the other end; may be null.
struct LadderKernels {
    // Listings 1 and 4: everything is computed per voxel.
    void (*addAny)(const LadderLine&, int voxels, float* sums);
    // Listings 5 and 6: line and w are the same for all voxels.
    void (*addShared)(const LadderLine&, int voxels, float* sums, float* mirrored);
    // Listing 7: projections innermost, sums in registers; one line per projection.
    void (*addAll)(const LadderLine* projections, int count, int voxels, float* sums, float* mirrored);
    // Fig. 2: interpolates two lines into one line of points + 2·ladderMargin values, including the zeros at its ends.
    void (*interpolateLines)(const LadderLine&, float* column);
    // Listing 8: adds values of such an interpolated column.
    void (*addColumn)(const LadderLine&, const float* column, int voxels, float* sums, float* mirrored);
};

LadderKernels ladderKernels();

} // namespace engine
