// SPDX-License-Identifier: GPL-3.0-or-later
// The innermost loops of the kernels of Chen et al. (IPSJ report), vectorised with Highway: a line of voxels and one
// projection or many.
#pragma once

#include <cstddef>

namespace engine
{

constexpr int ladderMargin = 2; // lines and points of zeros around a projection

// A line of voxels and a projection, an image of `lines` × `points`, point fastest, with zeros around it. Places are in
// distances from its first point, as numerators over w.
struct LadderLine {
    const float* image = nullptr; // point 0 of line 0
    std::ptrdiff_t stride = 0;    // from line to line
    int lines = 0, points = 0;
    double line = 0, point = 0, w = 1;             // of the first voxel
    double lineStep = 0, pointStep = 0, wStep = 0; // to the next
};

// Sums are whole vectors of 8 voxels; mirrored sums, where there are any, are those of the voxels as far from the end.
struct LadderKernels {
    // Listings 1 and 4: everything for each voxel.
    void (*addAny)(const LadderLine&, int voxels, float* sums);
    // Listings 5 and 6: line and w are the same for all voxels.
    void (*addShared)(const LadderLine&, int voxels, float* sums, float* mirrored);
    // Listing 7: projections innermost, sums in registers; as many lines as projections.
    void (*addAll)(const LadderLine* projections, int count, int voxels, float* sums, float* mirrored);
    // Fig. 2: two lines interpolated into one, with its zeros: points + 2·ladderMargin values.
    void (*interpolateLines)(const LadderLine&, float* column);
    // Listing 8: from such a column.
    void (*addColumn)(const LadderLine&, const float* column, int voxels, float* sums, float* mirrored);
};

LadderKernels ladderKernels();

} // namespace engine
