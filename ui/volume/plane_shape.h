// SPDX-License-Identifier: GPL-3.0-or-later
// Where linked planes lie in a volume, in voxels: their outlines, and the grips by which they are turned.
#pragma once

#include "ui/planes/linked_planes.h"

#include <vector>

namespace ui
{

// Returns the corners of the part of a plane that is inside the volume, in order; empty if they don't meet. The volume
// begins and ends half a voxel beyond the centres of its outer voxels.
std::vector<engine::VoxelPoint> outlineOf(const engine::Plane& plane, const engine::VolumeSize& volume);

// A place of a plane that can be dragged.
struct PlaneGrip {
    enum class Way { turn, tilt, move }; // move: along the plane's normal
    int plane = 0;
    Way way = Way::move;
    // From the point, in voxels. Turn: along u and along v of the plane; tilt: along v and along u.
    double reach = 0, offset = 0;
};
// Returns the grips where the planes leave the volume, beside the lines in which they cut each other.
std::vector<PlaneGrip> gripsOf(const LinkedPlanes& planes);
engine::VoxelPoint placeOf(const PlaneGrip& grip, const LinkedPlanes& planes);
// Returns the normal of a plane, of length 1, upwards in number for planes of voxels.
engine::VoxelPoint normalOf(const LinkedPlanes& planes, int plane);
// Returns where the line from one point to the other meets the plane inside the volume, from 0 to 1; nothing if it
// doesn't.
std::optional<double> meets(const LinkedPlanes& planes, int plane, const engine::VoxelPoint& from,
                            const engine::VoxelPoint& to);

} // namespace ui
