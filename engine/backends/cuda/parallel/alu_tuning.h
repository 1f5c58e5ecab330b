// SPDX-License-Identifier: GPL-3.0-or-later
// Tunings of the ALU kernel, that is how it caches and rounds (Chilingaryan et al. 2020, sections 6.2 to 6.9): the
// choices by name, and which is used where. No CUDA types, because the command line lists the tunings in a build
// without CUDA too.
#pragma once

#include "engine/request/sampling.h"

namespace engine::cuda
{

enum class AluMode { nearest, linear, oversampled, cubic };

constexpr AluMode aluMode(Interpolation interpolation)
{
    switch (interpolation) {
    case Interpolation::nearest:
        return AluMode::nearest;
    case Interpolation::linear:
        return AluMode::linear;
    case Interpolation::oversampled:
        return AluMode::oversampled;
    default:
        return AluMode::cubic;
    }
}

// What shared memory holds per bin for linear interpolation.
enum class AluCache {
    values,      // the bin alone; its neighbour is a second load (6.2)
    pairs,       // the bin, and the difference from the next: fractions are 0 to 1 (Algorithm 9 as printed)
    differences, // the mean with the next bin, and the difference: fractions are −½ to ½ (6.4)
    slopes,      // offset and slope: value = offset + h·slope, with h from the middle of the segment; no fraction
};

enum class AluWords {
    floats,
    halves,         // converted before they are interpolated (6.7)
    halfArithmetic, // interpolated as halves, summed as floats
};

enum class AluRounding { // the three ways of section 6.6 (table 17)
    addition,     // adds 1.5·2²³: the last bits of the sum are the integer, which is multiplied by the entry's bytes
    floatAddress, // the same, multiplied as a float before the last bits are taken
    conversion,   // floor and conversion instructions
};

// How 32 threads share the pixels of a tile (6.3).
enum class AluOrder {
    squares, // half a warp has 4×4 pixels, line by line
    zOrder,  // half a warp has 4×4 pixels along the Z curve
    lines,   // a warp has 32 pixels of a row
};

enum class AluFill {
    loads,   // bins from global memory
    texture, // bins, or the samples between them, from the texture unit (6.2, 7.2)
};

struct AluTuning {
    int columns = 64, rows = 64; // of a block's tile
    int stage = 16;              // projections per stage; shared memory holds two stages
    int unroll = 2;              // projections per iteration of the inner loop
    int blocks = 2;              // blocks per multiprocessor, at least: bounds the registers
    AluCache cache = AluCache::slopes;
    AluWords words = AluWords::floats;
    int together = 1; // words of a bin side by side; the others lie in further buffers (Algorithm 8, 7.2)
    AluRounding rounding = AluRounding::addition;
    bool columnCache = false; // h of each column from shared memory: h_x (6.8)
    bool sineCache = true;    // sine and cosine from shared memory (6.8), else from global memory
    AluOrder order = AluOrder::squares;
    AluFill fill = AluFill::loads;
    int threads = 256;
    bool operator==(const AluTuning&) const = default;
};

// Tunings that differ from the tuned one in one choice, for comparison.
enum class AluVariant {
    tuned,
    values,
    differences,
    slopes,
    floats,
    halves,
    halfArithmetic,
    oneBuffer,
    manyBuffers,
    pairs,
    textureFill,
    conversion,
    floatAddress,
    zOrder,
    squares,
    lines,
    columnCache,
    noSineCache,
    unrolled,
    rolled,
    fewThreads,
    smallTile,
    squareTile,
    tallTile,
    shortStages,
    longStages,
    threeBlocks,
};

struct AluVariantName {
    AluVariant variant;
    const char *id, *summary;
    const char* section = ""; // of Chilingaryan et al. 2020; empty: ours
};

inline constexpr AluVariantName aluVariants[] = {
    {AluVariant::tuned, "tuned", "fastest choices according to measurements", ""},
    {AluVariant::values, "values", "only bins in shared memory, two loads per update", "section 6.2"},
    {AluVariant::pairs, "pairs", "value and difference from the next bin as floats, fraction from 0 to 1",
     "Algorithm 9, as printed"},
    {AluVariant::differences, "differences", "mean and difference of two bins as floats, fraction from −½ to ½", ""},
    {AluVariant::slopes, "slopes", "offset and slope of floats: no fraction, one operation fewer", ""},
    {AluVariant::floats, "floats", "floats in shared memory, also for half data", ""},
    {AluVariant::halves, "halves", "halves in shared memory, floats afterwards", "section 6.7"},
    {AluVariant::halfArithmetic, "half-arithmetic", "halves in shared memory and in the interpolation", "section 6.7"},
    {AluVariant::oneBuffer, "one-buffer", "all words of a bin next to each other", ""},
    {AluVariant::manyBuffers, "many-buffers", "each part, and each oversampled slice, in its own buffer",
     "Algorithm 8 and section 7.2"},
    {AluVariant::textureFill, "texture-fill",
     "the texture unit fills shared memory with bins, or with oversampled samples", "sections 6.2 and 7.2"},
    {AluVariant::conversion, "conversion", "floor and conversion instead of rounding by addition",
     "section 6.6, Table 17"},
    {AluVariant::floatAddress, "float-address", "rounding by addition, and the address computed in floats",
     "section 6.6, Table 17"},
    {AluVariant::zOrder, "z-order", "half a warp has 4×4 pixels along the Z curve, not line by line", "section 6.3"},
    {AluVariant::squares, "squares", "half a warp has 4×4 pixels, line by line, not along the Z curve", ""},
    {AluVariant::lines, "lines", "a warp has 32 pixels of a row", "section 6.2"},
    {AluVariant::columnCache, "column-cache", "h of each column from shared memory: h_x", "section 6.8"},
    {AluVariant::noSineCache, "no-sine-cache", "sine and cosine from global memory, not from shared memory",
     "section 6.8, Table 18"},
    {AluVariant::unrolled, "unrolled", "eight projections per iteration", "section 6.9, Table 20"},
    {AluVariant::rolled, "rolled", "one projection per iteration", "section 6.9, Table 20"},
    {AluVariant::fewThreads, "128-threads", "blocks of 128 threads, each with eight pixels; else as `small-tile`",
     "section 6.9"},
    {AluVariant::smallTile, "small-tile", "32×32 pixels per block", "section 6.2"},
    {AluVariant::squareTile, "square-tile", "64×64 pixels per block", "section 6.9"},
    {AluVariant::tallTile, "tall-tile", "64×128 pixels per block, in stages half as long", ""},
    {AluVariant::shortStages, "short-stages", "half as many projections per stage", ""},
    {AluVariant::longStages, "long-stages", "twice as many projections per stage", ""},
    {AluVariant::threeBlocks, "three-blocks", "registers for three blocks per multiprocessor; else as `square-tile`",
     "section 6.9, Table 19"},
};

// Returns whether a variant divides the work otherwise, and interpolates and rounds as the tuned one.
constexpr bool isAluTuning(AluVariant variant)
{
    switch (variant) {
    case AluVariant::zOrder:
    case AluVariant::squares:
    case AluVariant::lines:
    case AluVariant::noSineCache:
    case AluVariant::unrolled:
    case AluVariant::rolled:
    case AluVariant::fewThreads:
    case AluVariant::smallTile:
    case AluVariant::squareTile:
    case AluVariant::tallTile:
    case AluVariant::shortStages:
    case AluVariant::longStages:
    case AluVariant::threeBlocks:
        return true;
    default:
        return false;
    }
}

// Returns the fastest tuning, as measured on 9.0 (H200, 2026-11-21, tests/bench/results/h200-limits.md).
// computeCapability: 10·major + minor. Other GPUs were not measured; they use the same tuning, with tiles whose
// stages fit.
constexpr AluTuning tunedAlu(int computeCapability, AluMode mode, Precision precision, int slices)
{
    const bool half = precision == Precision::half;
    // A multiprocessor of compute capability 9.0 to 11.0 has 228 KB of shared memory, others have 64 KB (7.5) to 164
    // KB; the stages of a square tile take 50 KB at most.
    const bool roomy = computeCapability >= 90 && computeCapability < 120;
    const int manyRows = roomy && slices <= 2 ? 128 : 64;
    AluTuning tuning;
    switch (mode) {
    case AluMode::nearest:
        tuning.words = half ? AluWords::halves : AluWords::floats;
        tuning.together = slices;
        tuning.rows = manyRows;
        tuning.stage = slices == 1 || (slices == 4 && half) ? 32 : 16;
        tuning.unroll = slices == 2 && !half ? 2 : 4;                               // with more, registers are spilled
        tuning.order = slices == 2 && !half ? AluOrder::zOrder : AluOrder::squares; // papers.md
        break;
    case AluMode::linear:
        tuning.rows = manyRows;
        tuning.stage = 32 / slices;
        tuning.unroll = slices == 1 || (half && slices == 4) ? 2 : 1; // with more, registers are spilled
        tuning.together = slices == 4 ? 4 : 2 * slices;
        tuning.order = half ? AluOrder::squares : AluOrder::zOrder; // 2 to 4 % faster (papers.md)
        if (half && slices == 4) {
            tuning.cache = AluCache::differences;
            tuning.words = AluWords::halfArithmetic;
            tuning.together = 8;
            tuning.stage = 16;
        }
        break;
    case AluMode::oversampled: // oversampled by 4
        tuning.rows = manyRows;
        tuning.stage = 16 / slices;
        tuning.unroll = 4;
        break;
    case AluMode::cubic:
        tuning.together = 4;
        tuning.stage = slices == 1 ? 16 : 4;
        tuning.blocks = slices == 1 ? 3 : 2;
        tuning.unroll = slices == 4 ? 1 : 2;
        break;
    }
    return tuning;
}

constexpr AluTuning aluTuning(int computeCapability, AluMode mode, Precision precision, int slices, AluVariant variant)
{
    AluTuning tuning = tunedAlu(computeCapability, mode, precision, slices);
    const int parts = mode == AluMode::linear ? 2 : 1;
    switch (variant) {
    case AluVariant::tuned:
        break;
    case AluVariant::values:
        tuning.cache = AluCache::values;
        tuning.words = AluWords::floats;
        tuning.together = slices;
        break;
    case AluVariant::pairs:
    case AluVariant::differences:
    case AluVariant::slopes:
        tuning.cache = variant == AluVariant::slopes  ? AluCache::slopes
                       : variant == AluVariant::pairs ? AluCache::pairs
                                                      : AluCache::differences;
        tuning.words = AluWords::floats;
        tuning.together = slices == 4 ? 4 : 2 * slices;
        break;
    case AluVariant::floats:
        tuning.words = AluWords::floats;
        break;
    case AluVariant::halves:
    case AluVariant::halfArithmetic:
        tuning.words = variant == AluVariant::halves ? AluWords::halves : AluWords::halfArithmetic;
        if (mode == AluMode::linear)
            tuning.cache = AluCache::differences;
        tuning.together = parts * slices;
        break;
    case AluVariant::oneBuffer:
        tuning.together = parts * slices;
        break;
    case AluVariant::manyBuffers:
        tuning.together = mode == AluMode::linear ? slices : 1;
        break;
    case AluVariant::conversion:
        tuning.rounding = AluRounding::conversion;
        break;
    case AluVariant::textureFill:
        tuning.fill = AluFill::texture;
        break;
    case AluVariant::floatAddress:
        tuning.rounding = AluRounding::floatAddress;
        break;
    case AluVariant::zOrder:
        tuning.order = AluOrder::zOrder;
        break;
    case AluVariant::squares:
        tuning.order = AluOrder::squares;
        break;
    case AluVariant::lines:
        tuning.order = AluOrder::lines;
        break;
    case AluVariant::columnCache:
        tuning.columnCache = true;
        break;
    case AluVariant::noSineCache:
        tuning.sineCache = false;
        break;
    case AluVariant::unrolled:
        tuning.unroll = 8;
        break;
    case AluVariant::rolled:
        tuning.unroll = 1;
        break;
    case AluVariant::fewThreads: // one change to `small-tile`; larger tiles need 256 threads
        tuning.threads = 128;
        [[fallthrough]];
    case AluVariant::smallTile:
        tuning.columns = tuning.rows = 32;
        tuning.blocks = 4;
        break;
    case AluVariant::threeBlocks: // one change to `square-tile`; shared memory has no room for three taller tiles
        tuning.blocks = 3;
        [[fallthrough]];
    case AluVariant::squareTile:
        tuning.rows = 64;
        break;
    case AluVariant::tallTile:
        tuning.rows = 128;
        tuning.stage /= 2;
        tuning.blocks = 2;
        break;
    case AluVariant::shortStages:
        tuning.stage /= 2;
        break;
    case AluVariant::longStages:
        tuning.stage *= 2;
        break;
    }
    return tuning;
}

// Whether the tunings that only serve comparison are in the build. They take the compiler longer than all others.
#ifdef SINOSCOPE_TUNINGS
inline constexpr bool aluTuningsBuilt = true;
#else
inline constexpr bool aluTuningsBuilt = false;
#endif

// Returns whether a variant is in the build. The tuned variants of all GPUs always are. If `tuningsBuilt`, the
// build also has the variants that the papers compare, except where their choice doesn't exist or is the tuned one.
constexpr bool hasAluVariant(AluMode mode, Precision precision, int slices, AluVariant variant,
                             bool tuningsBuilt = aluTuningsBuilt)
{
    if (variant == AluVariant::tuned)
        return true;
    const bool half = precision == Precision::half;
    const AluTuning tuned = tunedAlu(90, mode, precision, slices);
    if (tuned.rows == 128 && variant == AluVariant::squareTile)
        return true; // the tuned variant of other GPUs
    if (!tuningsBuilt)
        return false;
    if (mode == AluMode::cubic || half != (slices == 4) || (mode == AluMode::oversampled && half))
        return false;
    const bool linear = mode == AluMode::linear;
    switch (variant) {
    case AluVariant::values:
    case AluVariant::pairs:
    case AluVariant::differences:
    case AluVariant::slopes:
        if (!linear)
            return false;
        break;
    case AluVariant::floats:
        if (!half || linear)
            return false;
        break;
    case AluVariant::halves:
    case AluVariant::halfArithmetic:
        if (!half || !linear)
            return false;
        break;
    case AluVariant::longStages:
        if (tuned.rows == 128) // two blocks don't fit into shared memory
            return false;
        break;
    case AluVariant::tallTile:
        if (tuned.rows == 128)
            return false;
        break;
    case AluVariant::manyBuffers:
        if (mode == AluMode::nearest)
            return false;
        break;
    default:
        break;
    }
    return !(aluTuning(90, mode, precision, slices, variant) == tuned);
}

} // namespace engine::cuda
