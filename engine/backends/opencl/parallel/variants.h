// SPDX-License-Identifier: GPL-3.0-or-later
// Variants of the methods for OpenCL devices, with the names that they have in `texture` and `alu`. No OpenCL types,
// because the table of methods lists them in a build without OpenCL too.
#pragma once

#include "engine/request/sampling.h"

#include <string>

namespace engine::opencl
{

enum class TextureStep { all, zOrder, fourProjections, sharedConstants };

struct TextureStepName {
    TextureStep step;
    const char *id, *summary;
    const char* section; // of Chilingaryan et al. 2020
};

// Without Algorithm 4: OpenCL 1.2 has no shuffles.
inline constexpr TextureStepName textureSteps[] = {
    {TextureStep::zOrder, "z-order",
     "one pixel per thread, as `standard-opencl`; sixteen threads have 4×4 pixels along the Z curve",
     "section 5.5, Algorithm 2"},
    {TextureStep::fourProjections, "four-projections",
     "as `z-order`; in addition, a thread has four pixels and every fourth projection, and the sums are reduced in "
     "local memory",
     "section 5.6, Algorithm 3"},
    {TextureStep::sharedConstants, "shared-constants",
     "as `four-projections`, with sines and cosines of 256 projections in local memory", "section 5.6, Algorithm 5"},
};

// Choices of `alu-opencl` that differ from the default in one point.
enum class AluVariant {
    tuned,
    values,
    pairs,
    differences,
    slopes,
    floats,
    halves,
    oneBuffer,
    manyBuffers,
    textureFill,
    conversion,
    floatAddress,
    squares,
    lines,
    columnCache,
    noSineCache,
    unrolled,
    rolled,
    smallTile,
    squareTile,
    tallTile,
    shortStages,
    longStages,
};

struct AluVariantName {
    AluVariant variant;
    const char *id, *summary;
    const char* section = ""; // of Chilingaryan et al. 2020; empty: ours
    bool isTuning = false;    // as Variant::isTuning
};

// Not among them: `half-arithmetic`, the default where the device has it; `z-order`, always the default; `128-threads`,
// as all groups have 256 threads; `three-blocks`, as OpenCL doesn't bound registers.
inline constexpr AluVariantName aluVariants[] = {
    {AluVariant::values, "values", "only bins in local memory, two loads per update", "section 6.2"},
    {AluVariant::pairs, "pairs", "value and difference from the next bin in one word, fraction from 0 to 1",
     "Algorithm 9, as printed"},
    {AluVariant::differences, "differences", "mean and difference of two bins in one word, fraction from −½ to ½", ""},
    {AluVariant::slopes, "slopes", "offset and slope of floats: no fraction, one operation fewer", ""},
    {AluVariant::floats, "floats", "floats in local memory, also for half data"},
    {AluVariant::halves, "halves", "halves in local memory, floats afterwards", "section 6.7"},
    {AluVariant::oneBuffer, "one-buffer", "all words of a bin next to each other"},
    {AluVariant::manyBuffers, "many-buffers", "each part of a bin in its own buffer", "Algorithm 8 and section 7.2"},
    {AluVariant::textureFill, "texture-fill",
     "the texture unit fills local memory with bins, or with oversampled samples", "sections 6.2 and 7.2"},
    {AluVariant::conversion, "conversion", "floor and conversion instead of rounding by addition",
     "section 6.6, Table 17"},
    {AluVariant::floatAddress, "float-address", "rounding by addition, and the address computed in floats",
     "section 6.6, Table 17"},
    {AluVariant::squares, "squares", "sixteen threads have 4×4 pixels, line by line, not along the Z curve", "", true},
    {AluVariant::lines, "lines", "32 threads have 32 pixels of a row", "section 6.2", true},
    {AluVariant::columnCache, "column-cache", "h of each column from local memory: h_x", "section 6.8"},
    {AluVariant::noSineCache, "no-sine-cache", "sine and cosine from global memory, not from local memory",
     "section 6.8, Table 18", true},
    {AluVariant::unrolled, "unrolled", "eight projections per iteration", "section 6.9, Table 20", true},
    {AluVariant::rolled, "rolled", "one projection per iteration", "section 6.9, Table 20", true},
    {AluVariant::smallTile, "small-tile", "32×32 pixels per group", "section 6.2", true},
    {AluVariant::squareTile, "square-tile", "64×64 pixels per group", "section 6.9", true},
    {AluVariant::tallTile, "tall-tile", "64×128 pixels per group, in stages that fit", "", true},
    {AluVariant::shortStages, "short-stages", "half as many projections per stage", "", true},
    {AluVariant::longStages, "long-stages", "twice as many projections per stage", "", true},
};

// Return the default for "". Throw Error(badRequest) for an unknown id.
TextureStep textureStepFromText(const std::string& id);
AluVariant aluVariantFromText(const std::string& id);

// Returns how many of eight groups of `hybrid-opencl` use the texture path. variant: "3/8", or "" for the default.
int textureEighths(const std::string& variant, Interpolation interpolation, int slices);

} // namespace engine::opencl
