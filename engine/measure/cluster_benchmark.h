// SPDX-License-Identifier: GPL-3.0-or-later
// What the machine of several ranks takes for each stage of a cone beam's volume, as rates for the model
// (volume/performance_model.h), and what the model says of a run.
#pragma once

#include "engine/reconstruct/reconstruction.h"
#include "engine/volume/ensemble.h"
#include "engine/volume/performance_model.h"
#include "engine/volume/rank_grid.h"
#include "engine/volume/write_volume.h"

#include <filesystem>
#include <functional>
#include <string>

namespace engine
{

struct ClusterBenchmarkOptions {
    int size = 256, projections = 256; // size² pixels to size³ voxels
    RankGrid grid;                     // two columns where the number of ranks is even, so that they are summed
    std::filesystem::path folder;      // that all ranks see; scan and volume lie there in one that is removed
    Resources resources;
    int repeat = 3; // counted runs after one that warms up
};

struct MeasuredRates {
    Rates rates;
    Problem problem;
    RankGrid grid;
    Reconstruction made; // the medians of its stages' seconds, each of the rank that took longest
};

// All ranks call it: a simulated scan is read, filtered, back-projected, summed and written by all of them, as
// `reconstruct` does it: stages that overlap take bandwidth from each other, and are measured so. doing: what is going
// on. Throws Error.
MeasuredRates measureRates(const ClusterBenchmarkOptions& options, Ensemble& ensemble,
                           const std::function<void(const std::string&)>& doing = {});

// A run's stages beside the model's: load, filter (preparing included), kernel (of a processor with its conversions),
// what of the copies the kernels don't hide, Reduce and store.
ModelComparison comparedToModel(const WrittenVolume& written, const Rates& rates);

} // namespace engine
