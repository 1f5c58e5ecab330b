// SPDX-License-Identifier: GPL-3.0-or-later
// Requests for planes, as the stages carry them out.
#pragma once

#include "engine/data/volume.h"
#include "engine/request/setting.h"

namespace engine
{

// A request whose plane is ready to be launched: a plane of voxels has become a region of slices, and a coarse preview
// of another one a plane of larger pixels.
struct PlannedPlane {
    Request request;
    int projectionStep = 1;    // LaunchArguments::projectionStep
    int width = 0, height = 0; // of the image
};

// Throws Error(badRequest), which names the value, if the plane or the slices that are to be read don't fit.
PlannedPlane plannedPlane(const Request& request);

// Returns the bytes of host memory that the rows of the request's plane need, of all slices if others will follow
// (Place::readsAll): recorded ones if a GPU prepares and filters them, else prepared ones with the recorded or the
// filtered ones. Throws Error(badRequest, device) for an impossible request.
double bytesForPlane(const Request& request);

// Makes the image of a plane from the slices of the planned request.
void becomePlane(Volume& image, const PlannedPlane& planned);

} // namespace engine
