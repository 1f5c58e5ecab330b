// SPDX-License-Identifier: GPL-3.0-or-later
// The exact image of a simulated scan.
#pragma once

#include "engine/data/plane.h"
#include "engine/data/volume.h"

#include <functional>

namespace engine
{

// Images in attenuation per pixel; both functions may be called from any thread. They throw Error(badRequest) for
// slices and planes outside the volume.
struct ExactImage {
    std::function<Volume(int slice, const SliceGrid&)> ofSlice; // averaged over the area of each pixel
    // One image, whose pixels are voxels of the slices, or averaged over the area of each pixel if the plane is turned;
    // 0 outside the volume.
    std::function<Volume(const Plane&)> ofPlane;

    explicit operator bool() const { return static_cast<bool>(ofSlice); }
    Volume operator()(int slice, const SliceGrid& grid) const { return ofSlice(slice, grid); }
    Volume operator()(const Plane& plane) const { return ofPlane(plane); }
};

} // namespace engine
