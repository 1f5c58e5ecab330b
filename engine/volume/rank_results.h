// SPDX-License-Identifier: GPL-3.0-or-later
// The result of each rank of a volume, and the result of all of them together.
#pragma once

#include "engine/reconstruct/reconstruction.h"
#include "engine/volume/ensemble.h"
#include "engine/volume/performance_model.h"
#include "engine/volume/rank_grid.h"

#include <optional>
#include <string>
#include <vector>

namespace engine
{

struct RankResult {
    int rank = 0;
    std::string host, device;
    RowRange slices;                          // the rank's first slice, and the number of its slices (both runs)
    std::optional<RowRange> mirrored = {};    // the lower run, if the slices are in mirrored pairs
    std::optional<RowRange> projections = {}; // all projections if not set
    double seconds = 0, kernelGups = 0, totalGups = 0;
};

// Combines the results of all ranks; all ranks call it. made: result of the rank's own slices (possibly none),
// without an image. Returns a result for all slices: the seconds of a stage are those of the slowest rank, GU/s the
// work of all ranks over these seconds. Adds each rank's result to `ranks`. Throws SharedError if ranks found
// different axes.
Reconstruction madeTogether(const Reconstruction& made, const RowRange& slices, Ensemble& ensemble,
                            std::vector<RankResult>& ranks);

// Returns the report with "grid", "loading" and "ranks" added.
std::string withRanks(const std::string& report, const std::vector<RankResult>& ranks, const RankGrid& grid,
                      Loading loading);

} // namespace engine
