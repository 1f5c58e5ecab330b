// SPDX-License-Identifier: GPL-3.0-or-later
// Coverage of a cone beam's volume: which voxels the projections see. A voxel is seen if its ray meets the detector,
// with half a pixel of margin.
#pragma once

#include "engine/base/note.h"
#include "engine/data/volume.h"
#include "engine/scan/cone_beam.h"

#include <stop_token>
#include <string>
#include <vector>

namespace engine
{

// Returns the number of projections that see each voxel of the grid. axisBins must be filled. Throws
// Error(cancelled).
Volume coverageOf(const ConeBeam& beam, const VolumeGrid& grid, std::stop_token stop = {});

// Coverage of a slice within its inscribed disc.
struct SliceCoverage {
    double shareSeenByAll = 0;  // of the pixels
    double least = 0, most = 0; // share of the projections that see a pixel
};

// Estimates the coverage from about 200 pixels of the disc (for least and most also from its rim and middle) and at
// most 120 projections: accurate to some per cent, in a tenth of a millisecond.
SliceCoverage coverageOfSlice(const ConeBeam& beam, double slice);

// Returns sentences for the user: the number of slices that no ray meets, and the number of other slices in which all
// projections see less than nine tenths of the disc. (The limit isn't the whole disc, because with a wide fan a few
// pixels at the rim are never seen by all projections.) A single slice is named, with its share. Over a full circle, a
// displaced detector counts as seeing what its mirror image sees.
std::vector<Note> coverageNotes(const ConeBeam& beam, const VolumeGrid& grid);

} // namespace engine
