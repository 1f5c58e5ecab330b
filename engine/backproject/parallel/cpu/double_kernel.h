// SPDX-License-Identifier: GPL-3.0-or-later
// The innermost loop of the method `double`, compiled with Highway for several instruction sets and chosen when the
// program runs: a block of projections added to a tile of the image, linear interpolation in double precision.
#pragma once

#include "engine/backproject/parallel/cpu/kernels.h"

namespace engine
{

// Zeros beside the bins of a row, so that no kernel asks whether a bin lies on the detector.
constexpr int doubleMargin = 40;

struct DoubleTile {
    const double* bins = nullptr; // bin 0 of the block's first projection; rows with zeros beside them
    std::ptrdiff_t stride = 0;    // from one projection to the next
    int binCount = 0;             // of the detector
    int projections = 0;          // 1…projectionsPerBlock
    int nextProjections = 0;      // of the next block, right behind these: 0…projectionsPerBlock
    int columns = 0, rows = 0;    // 1…maxTileEdge
    double* sums = nullptr;       // [rows][maxTileEdge], added to; whole squares of 8 × 8, aligned to a cache line
    // h = axis + y·sinθ + x·cosθ, x and y in bins; whole blocks
    const double* cosine = nullptr; // [projections]
    const double* sine = nullptr;   // [projections]
    const double* axis = nullptr;   // [projections]
    double x = 0, y = 0;            // of the tile's first pixel
    double step = 1;                // between pixels, at most 1
};

void addDoubleTile(const DoubleTile& tile);

} // namespace engine
