// SPDX-License-Identifier: GPL-3.0-or-later
// Grids of the reconstructed pixels and voxels.
#pragma once

namespace engine
{

// Grid of the reconstructed pixels of a slice. Pixel (row, column) of the image lies at
//   x = (x0 + column·step) − (size−1)/2,  y = (size−1)/2 − (y0 + row·step)   in bins,
// so that a region and a coarse preview (step > 1) show the same slice as the whole image.
struct SliceGrid {
    int size = 0;  // pixels along each side of the whole slice
    double x0 = 0; // column of the first pixel in the whole slice
    double y0 = 0; // row of the first pixel in the whole slice
    int width = 0;
    int height = 0;
    double step = 1; // distance between neighbouring pixels, in pixels of the whole slice

    double x(int column) const { return x0 + column * step - (size - 1) / 2.0; }
    double y(int row) const { return (size - 1) / 2.0 - (y0 + row * step); }
    bool operator==(const SliceGrid&) const = default;
};

// Grid of the voxels of a volume: slices on the same grid; slice k lies at z0 + k·dz, counted from slice 0 of the
// scan (parallel beam: from row 0 of the detector).
struct VolumeGrid : SliceGrid {
    double z0 = 0, dz = 1;
    int slices = 1;

    bool operator==(const VolumeGrid&) const = default;
};

} // namespace engine
