// SPDX-License-Identifier: GPL-3.0-or-later
// Computation of a sweep: each point's image and its scores, one image in memory at a time.
#pragma once

#include "engine/compare/scores.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

namespace engine
{

struct SweepTask {
    Sweep sweep;
    int slice = 0; // number in the scan; 0 for a plane
    // setting:K and exact:K: the point K, from 1. Nothing: no reference.
    std::optional<ReferenceChoice> reference = {};
    Mask mask = {}; // of all scores but sharpness, residual and resolution, which use the whole slice
    std::vector<const Score*> wanted = {};
};

struct SweptPoint {
    std::vector<double> scores = {};         // one for each wanted score; NaN: not possible. Empty: not computed
    std::optional<Reconstruction> made = {}; // without the image's values
    std::optional<Text> failure = {};        // why there is no image
};

struct SweptAll {
    std::vector<SweptPoint> points; // in the order of the sweep's points
    bool isStopped = false;         // the rest is missing
};

// Returns the reference that suits the sweep's options: exact if only kernels vary, else the phantom of a simulated
// scan, else nothing.
std::optional<ReferenceChoice> usualReference(const Sweep& sweep);

// Returns the scores to measure if the user names none: those that cost little and are possible.
std::vector<const Score*> usualScores(const std::optional<ReferenceChoice>& reference);

// Returns the best point by a wanted score; nothing if no point has it.
std::optional<std::size_t> bestOf(const SweepTask& task, const SweptAll& all, const Score& score);

// Runs the points of the sweep in its order, each as Reconstructor::run() would alone, to the bit. onImage: called with
// each image. progress: of the whole. A point that fails keeps its error; `stop` ends the run and keeps what is done.
// Throws Error for a reference that can't be used, and what onImage throws.
SweptAll runSweep(const SweepTask& task,
                  const std::function<void(std::size_t point, const Reconstruction& made)>& onImage = {},
                  const std::function<void(double)>& progress = {}, const std::stop_token& stop = {});

} // namespace engine
