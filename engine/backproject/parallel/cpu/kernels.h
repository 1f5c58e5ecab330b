// SPDX-License-Identifier: GPL-3.0-or-later
// The innermost loops of the `cpu` method, compiled with Highway for several instruction sets and
// chosen when the program runs: a block of projections added to a tile of the image.
#pragma once

#include "engine/backproject/method.h"
#include "engine/request/setting.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace engine
{

constexpr int maxTileEdge = 64;         // pixels
constexpr int projectionsPerBlock = 16; // 16 · 32767 · 4096 < 2³¹: what 32-bit sums of fixed-point bins hold

// Values at the nearest of some steps a bin?
constexpr bool stepped(Interpolation interpolation)
{
    return interpolation == Interpolation::nearest || interpolation == Interpolation::oversampled;
}

// How the bins of a pass are stored.
enum class BinStorage {
    float32,
    half,       // IEEE, one slice
    fixedPairs, // int16 pairs (bin, bin + 1) in units of a scale per slice and block of projections
};

// Zeros beside the bins of a stored row, so that no kernel asks whether a bin lies on the detector.
constexpr int shuffleMargin = 112;
constexpr int lanesMargin = 20;
constexpr int gatherMargin = 4;

struct TileArguments {
    const void* bins = nullptr; // bin 0 of the block's first projection
    std::ptrdiff_t stride = 0;  // stored values from one projection to the next
    int binCount = 0;           // of the detector
    int projections = 0;        // 1…projectionsPerBlock
    int nextProjections = 0;    // of the next block, right behind these: 0…projectionsPerBlock
    int columns = 0, rows = 0;  // 1…maxTileEdge
    int oversampling = 4;
    float* sums = nullptr; // [rows][maxTileEdge][slices], added to; whole vectors of columns
    // h = axis + y·sinθ + x·cosθ, x and y in bins
    const double* cosine = nullptr; // [projections]
    const double* sine = nullptr;   // [projections]
    const double* axis = nullptr;   // [projections]
    double x = 0, y = 0;            // of the tile's first pixel
    double step = 1;                // between pixels
    // gatherKernel: the same h, as every method computes it (rays.h).
    const double* rowPositions = nullptr;  // [projections][maxTileEdge]
    const double* columnOffsets = nullptr; // [projections][maxTileEdge]
    const float* scales = nullptr;         // fixedPairs: [slices], value of one unit
};

using TileKernel = void (*)(const TileArguments&);

// One slice, pixels at most one bin apart: neighbouring pixels read neighbouring bins, which are held in
// registers and shuffled instead of gathered. Positions in single precision relative to a small square.
// Null for nearest where stepsKernel does it.
TileKernel shuffleKernel(Interpolation interpolation, BinStorage storage);

// The same for the value at the nearest of so many steps a bin (nearest: 1), faster; null where the instruction
// set or the number of steps doesn't allow it.
TileKernel stepsKernel(BinStorage storage, int steps);

// One slice of float32, pixels any distance apart: bins are gathered.
TileKernel gatherKernel(Interpolation interpolation);

// 8, 16, 32 or 64 slices beside each other in the lanes of vectors, pixels at most one bin apart; float32 or
// fixedPairs.
TileKernel lanesKernel(Interpolation interpolation, BinStorage storage, int slices);

// Slices from which lanesKernel is faster than the others for one after the other (8 or 16). On a Zen 4 core, GU/s of 8
// and of one after the other: AVX-512, float, linear 11.8 and 12.8, oversampled 12.0 and 15.2, nearest 21.4 and 18.2;
// half, linear 14.4 and 12.6, cubic 6.0 and 5.9, oversampled 14.8 and 14.9; AVX2, linear 10.5 and 6.4.
int leastSlicesInLanes(Interpolation interpolation, BinStorage storage);

// Can shuffleKernel read halves here? Where the processor doesn't convert them, NaN and infinity would be lost.
bool readsHalves();

// The instruction sets that this build and this processor have, best first, as Highway names them
// ("AVX3_DL", "AVX2", "SSE4", "NEON", "EMU128"); and the one in use, the first unless another is forced.
std::vector<std::string> processorTargets();
std::string processorTarget();
// For tests and benchmarks; not while a reconstruction runs. "" gives the best back. False when unknown.
bool forceProcessorTarget(const std::string& name);

// Forces it for a launch, and gives back what was in use before. "" changes nothing. Throws Error(badRequest) when
// unknown.
class ForcedTarget
{
  public:
    explicit ForcedTarget(const std::string& name);
    ~ForcedTarget();
    ForcedTarget(const ForcedTarget&) = delete;
    ForcedTarget& operator=(const ForcedTarget&) = delete;

  private:
    std::string m_before;
};

// The instruction sets as variants of a method.
std::vector<Variant> processorVariants();

} // namespace engine
