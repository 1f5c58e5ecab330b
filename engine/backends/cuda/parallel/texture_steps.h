// SPDX-License-Identifier: GPL-3.0-or-later
// Steps that lead from `standard` to `texture` (Chilingaryan et al. 2020, sections 5.5 and 5.6), as variants of
// `texture`. No CUDA types, because the table of methods lists the steps in a build without CUDA too.
#pragma once

#include <string>

namespace engine::cuda
{

enum class TextureStep { all, zOrder, fourProjections, shuffle, sharedConstants };

struct TextureStepName {
    TextureStep step;
    const char *id, *summary;
    const char* section; // of Chilingaryan et al. 2020
};

inline constexpr TextureStepName textureSteps[] = {
    {TextureStep::zOrder, "z-order",
     "one pixel per thread, as `standard`; half a warp has 4×4 pixels along the Z curve", "section 5.5, Algorithm 2"},
    {TextureStep::fourProjections, "four-projections",
     "as `z-order`; in addition, a thread has four pixels and every fourth projection, and the sums are reduced in "
     "shared memory",
     "section 5.6, Algorithm 3"},
    {TextureStep::shuffle, "shuffle-reduction", "as `four-projections`, with the sums reduced by shuffles",
     "section 5.6, Algorithm 4"},
    {TextureStep::sharedConstants, "shared-constants",
     "as `four-projections`, with sines and cosines of 256 projections in shared memory", "section 5.6, Algorithm 5"},
};

// Throws Error(badRequest) for an unknown id.
TextureStep textureStepFromText(const std::string& id);

} // namespace engine::cuda
