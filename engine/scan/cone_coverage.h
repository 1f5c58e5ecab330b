// SPDX-License-Identifier: GPL-3.0-or-later
// Which voxels of a cone beam's volume the projections see: those whose ray meets the detector, with half a pixel of
// margin.
#pragma once

#include "engine/base/note.h"
#include "engine/data/volume.h"
#include "engine/scan/cone_beam.h"

#include <stop_token>
#include <string>
#include <vector>

namespace engine
{

// How many projections see each voxel of the grid. axisBins must be filled. Throws Error(cancelled).
Volume coverageOf(const ConeBeam& beam, const VolumeGrid& grid, std::stop_token stop = {});

// Of a slice, within its inscribed disc.
struct SliceCoverage {
    double shareSeenByAll = 0;  // of the pixels
    double least = 0, most = 0; // projections that see a pixel, as a share of all
};

// From about 200 pixels of the disc, for least and most its rim and middle too, and 120 projections at most: good to
// some per cent, in a tenth of a millisecond.
SliceCoverage coverageOfSlice(const ConeBeam& beam, double slice);

// Sentences for the user: how many slices no ray meets, and how many others have less than nine tenths of the disc seen
// by all projections (of a wide fan a few pixels at the rim never are). One slice is named, with its share. Over a full
// circle a detector that is displaced sees what its mirror image does.
std::vector<Note> coverageNotes(const ConeBeam& beam, const VolumeGrid& grid);

} // namespace engine
