// SPDX-License-Identifier: GPL-3.0-or-later
// Innermost loop of the method `double`: adds a block of projections to a tile of the image, with linear
// interpolation in double precision. Compiled with Highway for several instruction sets, one of which is chosen at
// run time.
#pragma once

#include "engine/backends/cpu/parallel/kernels.h"

namespace engine
{

// Number of zeros on either side of a row's bins, so that kernels need not check whether a bin lies on the detector.
constexpr int doubleMargin = 40;

struct DoubleTile {
    const double* bins = nullptr; // bin 0 of the block's first projection; rows with zeros beside them
    std::ptrdiff_t stride = 0;    // from one projection to the next
    int binCount = 0;             // of the detector
    int projections = 0;          // 1…projectionsPerBlock
    int nextProjections = 0;   // projections of the next block, stored right behind this one: 0…projectionsPerBlock
    int columns = 0, rows = 0; // 1…maxTileEdge
    double* sums = nullptr;    // [rows][maxTileEdge], added to; whole squares of 8 × 8, aligned to a cache line
    // h = axis + y·sinθ + x·cosθ, x and y in bins. The arrays hold whole blocks.
    const double* cosine = nullptr; // [projections]
    const double* sine = nullptr;   // [projections]
    const double* axis = nullptr;   // [projections]
    double x = 0, y = 0;            // of the tile's first pixel
    double step = 1;                // between pixels, at most 1
};

using DoubleTileKernel = void (*)(const DoubleTile& tile);
DoubleTileKernel doubleTileKernel();

} // namespace engine
