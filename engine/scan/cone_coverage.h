// Which voxels of a cone beam's volume the projections see: those whose ray meets the detector, with half a pixel of
// margin.
#pragma once

#include "engine/scan/cone_beam.h"
#include "engine/volume.h"

#include <optional>
#include <stop_token>
#include <string>

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

// A sentence for the user where fewer than nine in ten pixels of the disc are seen by all projections: of a wide fan a
// few at the rim never are. One slice is named, with its share; of several it says how many they are. Over a full
// circle a detector that is displaced sees what its mirror image does.
std::optional<std::string> coverageNote(const ConeBeam& beam, const VolumeGrid& grid);

} // namespace engine
