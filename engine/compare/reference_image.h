// What images are measured against.
#pragma once

#include "engine/reconstruction.h"

namespace engine
{

// The exact image of one slice for what `made` was made of `request`: everything that the reference depends on and
// nothing else, so that it is the same for every kernel: scan, slice, filter, axis as used, region, threads, and a GPU
// where the request may use one.
Request exactRequest(const Request& request, int slice, const Reconstruction& made);

// The phantom's slice as `like` would show it, as an image of its own. Its scan has an exact image. Throws Error.
Reconstruction phantomImage(const Reconstruction& like, int slice);

} // namespace engine
