// SPDX-License-Identifier: GPL-3.0-or-later
// Coarse images at the cost of small ones, by back-projecting coarse bins.
#pragma once

#include "engine/data/volume.h"
#include "engine/filter/filter.h"
#include "engine/scan/geometry.h"

#include <stop_token>

namespace engine
{

// The same back-projection in units of `step` bins. Its pixels coincide with those of the original grid.
struct CoarseProblem {
    FilteredSinograms sinograms; // means of `step` neighbouring bins, as floats; zeros beyond the detector
    ParallelBeam beam;
    VolumeGrid grid; // step 1, or the remaining factor of a step that isn't whole
};

// Combines every `step` bins into one. The pixels of a coarse grid lie `step` bins apart, and kernels made for
// neighbouring pixels would have to gather every sample separately. On coarse bins the pixels lie one bin apart
// again, and the mean avoids the aliasing of picking one bin in `step`. filtered: floats. grid.step: 2 or more;
// `step` is its whole part. beam: axisBins filled. Throws Error(cancelled).
CoarseProblem coarsened(const FilteredSinograms& filtered, const ParallelBeam& beam, const VolumeGrid& grid,
                        int threads, const std::stop_token& stop);

} // namespace engine
