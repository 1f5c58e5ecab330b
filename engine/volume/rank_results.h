// SPDX-License-Identifier: GPL-3.0-or-later
// What each rank of several made of a volume, and all of it together.
#pragma once

#include "engine/reconstruct/reconstruction.h"
#include "engine/volume/ensemble.h"
#include "engine/volume/rank_grid.h"

#include <optional>
#include <string>
#include <vector>

namespace engine
{

struct RankResult {
    int rank = 0;
    std::string host, device;
    RowRange slices;                          // their number; the first of them
    std::optional<RowRange> mirrored = {};    // those of them that lie below others', where they are in pairs
    std::optional<RowRange> projections = {}; // all of them when empty
    double seconds = 0, kernelGups = 0, totalGups = 0;
};

// Of all ranks, from those of each; all ask for it. made: without an image, of the rank's own slices, which may be
// none. What comes back is of all slices: GU/s are sums, the seconds of a stage those of the rank that took longest.
// Throws SharedError where ranks found different axes.
Reconstruction madeTogether(const Reconstruction& made, const RowRange& slices, Ensemble& ensemble,
                            std::vector<RankResult>& ranks);

// A report with them, as "ranks", and their "grid".
std::string withRanks(const std::string& report, const std::vector<RankResult>& ranks, const RankGrid& grid);

} // namespace engine
