// SPDX-License-Identifier: GPL-3.0-or-later
// Requests for planes, as the stages carry them out.
#pragma once

#include "engine/plan/plan.h"
#include "engine/reconstruct/reconstruction.h"

#include <memory>
#include <vector>

namespace engine
{

// A part of the image of a plane, and its plan, which is ready to be launched.
struct PlanePiece {
    Plan plan;
    Region pixels; // of the image
};

// A request whose plane is ready to be launched: a plane of voxels has become a region of slices, and a coarse preview
// of another one a plane of larger pixels. It is made in parts, each of which needs fewer rows of the detector, if the
// rows of all don't fit into memory.
struct PlannedPlane {
    std::vector<PlanePiece> parts; // in the order of the rows that they need
    int projectionStep = 1;        // LaunchArguments::projectionStep
    int width = 0, height = 0;     // of the image
    double bytes = 0;              // most memory of the process: program, rows and images
};

// Divides the plane as the request's memory limit demands; rows for other planes (Place::readsAll) are then not kept.
// Throws Error(badRequest), which names the value, if the plane or the slices that are to be read don't fit; also if
// the smallest part exceeds the limit: noMemory, or badRequest if the program itself does.
PlannedPlane plannedPlane(const Request& request);

// Returns the bytes of host memory that the rows of the request's plane need if it isn't divided, of all slices if
// others will follow (Place::readsAll): recorded ones if a GPU prepares and filters them, else prepared ones with the
// recorded or the filtered ones. Throws Error(badRequest, device) for an impossible request.
double bytesForPlane(const Request& request);

// The projections whose rows stay in memory for planes that are moved.
struct KeptPlanes {
    int step = 1;                     // every step-th projection; 0: the rows of none fit, or the scan can't be divided
    std::shared_ptr<const Scan> scan; // of these projections; null: none
    double bytes = 0;                 // of their rows
    double neededBytes = 0;           // for all projections: program, an image and rows
};

// Returns all projections if they fit into the memory limit, else as many as leave half of the memory for planes of all
// projections, which are made in parts. planes: of one scan; those that are impossible don't count. known: the scan of
// an earlier result for this scan, used again; may be null.
KeptPlanes keptPlanesFor(const std::vector<Request>& planes, const std::shared_ptr<const Scan>& known = {});

// Adds a part's image, times and notes to those of the plane.
void addPart(Reconstruction part, const Region& pixels, Reconstruction& plane);

} // namespace engine
