// SPDX-License-Identifier: GPL-3.0-or-later
// Where the voxels of an image lie, and how long their sides are: for kernels, files, scale bars and everything else
// that measures.
#pragma once

#include "engine/request/setting.h"

#include <optional>

namespace engine
{

// Sides of a voxel of the whole volume: in mm, or in pixels of a slice if their size isn't known. Slices of a parallel
// beam lie one row of the detector apart, whatever the size of their pixels.
struct VoxelSides {
    double pixel = 1; // along columns and rows
    double slice = 1; // from one slice to the next
    bool isInMm = false;

    VoxelPoint times(const VoxelPoint& voxels) const; // the vector as lengths
    double along(const VoxelPoint& unit) const;       // length of a unit vector of voxels
};
VoxelSides voxelSidesOf(const Scan& scan);

// Sides of a pixel of an image, in the unit of voxelSidesOf(). Those of a plane may differ.
struct PixelSides {
    double across = 1, down = 1; // along the image's rows and columns
    bool isInMm = false;

    std::optional<double> acrossMm() const { return isInMm ? std::optional(across) : std::nullopt; }
};

struct Section {
    VolumeGrid grid;   // of the requested voxels: whole slices, a region, slab or plane, coarsened by previewStep; of
                       // mirrored pairs with all slices between them
    VolumeGrid needed; // of the whole slices that determine which rows of the detector are needed: those of `slices`,
                       // or those that the plane meets
    VolumeGrid volume; // of the whole volume, in which planes have their place
    VoxelSides voxel;
    PixelSides pixel;
    double turnRad = 0;      // of a slab, anticlockwise
    bool isOfVoxels = false; // a plane that consists of voxels, so that it is a region of slices
};
Section sectionOf(const Request& request); // also of an impossible request

} // namespace engine
