// SPDX-License-Identifier: GPL-3.0-or-later
// Names of the variants of the cone methods for GPUs, for comparison.
#pragma once

#include <string>

namespace engine::cuda
{

inline constexpr const char* singleVariant = "single";
inline constexpr const char* mirroredVariant = "mirrored";
inline constexpr const char* fourfoldVariant = "fourfold";

// Variants of `shuffle` (Chen et al. 2019, Table 3).
struct ShuffleVariantName {
    const char* id;
    const char* summary;
};
inline constexpr ShuffleVariantName shuffleVariants[] = {
    {"rtk-32", "one thread per voxel, all three products of its position; textures, interpolated in 32 bits"},
    {"bp-tex", "lanes along z; textures of projections as recorded"},
    {"tex-tran", "lanes along z; textures of transposed projections"},
    {"bp-l1", "lanes along z; projections as recorded, through the first-level cache"},
    {"l1-tran", "lanes along z; transposed projections, through the first-level cache"}};

} // namespace engine::cuda
