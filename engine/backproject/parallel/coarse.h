// SPDX-License-Identifier: GPL-3.0-or-later
// A coarse image at the price of a small one: of coarse bins.
#pragma once

#include "engine/data/volume.h"
#include "engine/filter/filter.h"
#include "engine/scan/geometry.h"

#include <stop_token>

namespace engine
{

// The same back-projection in units of `step` bins. Its pixels lie where those of `grid` do.
struct CoarseProblem {
    FilteredSinograms sinograms; // means of step neighbouring bins, in floats; beyond the detector lie zeroes
    ParallelBeam beam;
    VolumeGrid grid; // step 1, or what is left of one that isn't whole
};

// Neighbouring pixels of a coarse grid lie `step` bins apart, so that kernels made for neighbours have to gather
// every sample for itself; here they lie one bin apart again, and the mean takes the place of picking one bin in
// step, which would alias. filtered: in floats. grid.step: 2 or more; its whole part counts. beam: axisBins filled.
// Throws Error(cancelled).
CoarseProblem coarsened(const FilteredSinograms& filtered, const ParallelBeam& beam, const VolumeGrid& grid,
                        int threads, const std::stop_token& stop);

} // namespace engine
