// SPDX-License-Identifier: GPL-3.0-or-later
// Rates and figures published by Chen et al. 2019 (iFDK on the ABCI computer), to compare the model with.
#pragma once

#include "engine/volume/performance_model.h"

#include <vector>

namespace engine
{

// Returns the rates of a node with four V100 of 16 GB. The paper's GB are 2³⁰ bytes (256 GB are 4096³ floats), its
// GUPS 2³⁰ updates per second (2.3). Kernel: Table 4, L1-Tran, 2048² × 1k → 1k² × 2k, whose slab is the 8 GB of
// section 5.3. Copies, Reduce (8 GB in 2.7 s), transposition (0.29 s) and store: 5.3.3. The paper gives no rates of
// filter and AllGather; they are derived from the first line of Table 5 (1.4 s, which includes loading, and 31.4 s).
// It does not give BW_load.
Rates paperRates();

Problem paperProblem(int size); // 2048² × 4096 → size³

struct PublishedFigure {
    enum class Kind {
        measured,
        atMost,   // measured: below this value
        projected // predicted by the paper's own model
    };
    const char* place;
    int size; // of the volume
    int gpus; // figures that hold for any number of GPUs have Table 5's largest number
    const char* stage;
    double seconds;
    Kind kind;
};
const char* toText(PublishedFigure::Kind kind);

// All figures that the paper's text gives; Figures 5 and 6 themselves are images.
const std::vector<PublishedFigure>& publishedFigures();

// Published figures beside the rows of a model with the same problem and number of ranks.
struct PublishedBeside {
    const PublishedFigure* figure = nullptr;
    double predicted = 0; // seconds
    double ratio = 0;     // predicted over published
};
std::vector<PublishedBeside> publishedBeside(const Problem& problem, const std::vector<ModelledRanks>& rows);

} // namespace engine
