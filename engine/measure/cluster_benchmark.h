// SPDX-License-Identifier: GPL-3.0-or-later
// Measures how long several ranks need for each stage of a cone beam's volume. Gives rates for the performance model
// (volume/performance_model.h), and compares runs with the model.
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
    RankGrid grid;                     // default: two columns if the number of ranks is even, so that images are summed
    Loading loading = Loading::bands;  // not `gathered`
    std::filesystem::path folder;      // visible to all ranks; scan and volume are written to a temporary folder in it
    Resources resources;
    int repeat = 3; // counted runs after one warm-up
};

struct MeasuredRates {
    Rates rates;
    Problem problem;
    RankGrid grid;
    Reconstruction made; // medians of the stages' seconds, each of the slowest rank
};

// Measures the rates; all ranks call it. They read, filter, back-project, sum and write a simulated scan together, in
// the same way as `reconstruct`. Stages that overlap take bandwidth from each other, and are measured while they
// overlap. doing: receives the present activity. Throws Error.
MeasuredRates measureRates(const ClusterBenchmarkOptions& options, Ensemble& ensemble,
                           const std::function<void(const std::string&)>& doing = {});

// Compares a run's stages with the model of the run's loading: load, AllGather, filter (including preparing), kernel
// (on a processor with its conversions), the part of the copies that kernels don't hide, Reduce and store.
ModelComparison comparedToModel(const WrittenVolume& written, const Rates& rates);

} // namespace engine
