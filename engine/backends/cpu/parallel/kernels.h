// SPDX-License-Identifier: GPL-3.0-or-later
// Innermost loops of the method `cpu`: add a block of projections to a tile of the image. Compiled with Highway for
// several instruction sets, one of which is chosen at run time.
#pragma once

#include "engine/backends/cut_points.h"
#include "engine/backends/instruction_sets.h"
#include "engine/backends/method.h"
#include "engine/request/setting.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace engine
{

constexpr int projectionsPerBlock = 16; // 16 · 32767 · 4096 < 2³¹: 32-bit sums of fixed-point bins don't overflow

// Returns whether values are taken at the nearest of a fixed number of steps per bin.
constexpr bool stepped(Interpolation interpolation)
{
    return interpolation == Interpolation::nearest || interpolation == Interpolation::oversampled;
}

// How the bins of a pass are stored.
enum class BinStorage {
    float32,
    half,       // IEEE, one slice
    fixedPairs, // int16 pairs (bin, bin + 1), with a scale per slice and block of projections
};

// Number of zero bins on either side of a stored row, so that kernels need not check whether a bin lies on the
// detector.
constexpr int shuffleMargin = 112;
constexpr int lanesMargin = 20;
constexpr int gatherMargin = 4;

struct TileArguments {
    const void* bins = nullptr; // bin 0 of the block's first projection
    std::ptrdiff_t stride = 0;  // stored values from one projection to the next
    int binCount = 0;           // of the detector
    int projections = 0;        // 1…projectionsPerBlock
    int nextProjections = 0;    // projections of the next block, stored right behind this one: 0…projectionsPerBlock
    int columns = 0, rows = 0;  // 1…maxTileEdge
    int oversampling = 4;
    float* sums = nullptr; // [rows][maxTileEdge][slices], added to; whole vectors of columns
    // h = axis + y·sinθ + x·cosθ, x and y in bins
    const double* cosine = nullptr; // [projections]
    const double* sine = nullptr;   // [projections]
    const double* axis = nullptr;   // [projections]
    double x = 0, y = 0;            // of the tile's first pixel
    double step = 1;                // between pixels
    // For gatherKernel: the two summands of h, computed as in every method (rays.h).
    const double* rowPositions = nullptr;  // [projections][maxTileEdge]
    const double* columnOffsets = nullptr; // [projections][maxTileEdge]
    const float* scales = nullptr;         // fixedPairs: [slices], value of one unit
};

using TileKernel = void (*)(const TileArguments&);

// Returns the kernel for one slice with pixels at most one bin apart. Neighbouring pixels read neighbouring bins,
// which are held in registers and shuffled instead of gathered. Positions are in single precision, relative to a
// small square. Null for nearest interpolation if the instruction set has a stepsKernel for it.
TileKernel shuffleKernel(Interpolation interpolation, BinStorage storage);

// Returns a faster kernel, which takes the value at the nearest of `steps` steps per bin (1 step for nearest
// interpolation); null if the instruction set or the number of steps doesn't allow it.
TileKernel stepsKernel(BinStorage storage, int steps);

// Returns the kernel for one slice of float32 with pixels any distance apart; it gathers bins.
TileKernel gatherKernel(Interpolation interpolation);

// Returns the kernel for 8, 16, 32 or 64 slices, which lie side by side in the lanes of vectors; pixels at most one
// bin apart; float32 or fixedPairs.
TileKernel lanesKernel(Interpolation interpolation, BinStorage storage, int slices);

// Returns the number of slices (8 or 16) from which lanesKernel is faster than reconstructing the slices one after
// the other. GU/s on a Zen 4 core, of 8 slices in lanes and of slices one after the other: AVX-512, float, linear
// 11.8 and 12.8, oversampled 12.0 and 15.2, nearest 21.4 and 18.2; half, linear 14.4 and 12.6, cubic 6.0 and 5.9,
// oversampled 14.8 and 14.9; AVX2, linear 10.5 and 6.4.
int leastSlicesInLanes(Interpolation interpolation, BinStorage storage);

// Returns whether shuffleKernel can read halves here. On processors that don't convert halves, NaN and infinity would
// be lost.
bool readsHalves();

} // namespace engine
