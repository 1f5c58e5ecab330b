// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments of the cone-beam kernels, and the layouts that each of them needs. Device memory; nothing is owned.
#pragma once

#include "engine/backends/cone/cone_view.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <string>

namespace engine::cuda
{

// Part of a projection that a block of `columns` holds in shared memory.
struct ConePatch {
    int bins = 0, rows = 0; // rows: an odd multiple of 4
};

// Computes the patch for a launch's grid and views. bins is 0 if it is larger than a block can hold.
ConePatch conePatchFor(const ConeView* views, int projections, int width, int height, int slices, int deep);
inline constexpr int mostDeepColumns = 16;

// Limit for the projections of a batch: the constant memory holds this many views.
inline constexpr int mostConeViews = 512;

// Numbers of rows and bins of zeros before and behind those of a projection in memory that `shuffle` reads.
inline constexpr int coneMarginBefore = 2, coneMarginAfter = 3;

// Layout of a stored batch.
enum class ConeLayout {
    rows,     // [projection][row][bin], floats or halves, margins included
    columns,  // [projection][bin][row], rows padded to a multiple of 8, floats or halves, margins included
    layers,   // layered texture, one layer per projection: x bins, y rows
    turned,   // layered texture with x rows, y bins
    mirrored, // layers of (row v, row R−1−v) for v < mirroredRows: pairs of floats or halves
    fourfold, // layers of (row v, row R−1−v) of a projection and its opposite: four halves or floats
};

struct ConeArguments {
    const void* data = nullptr;       // for layouts rows and columns
    std::size_t projectionStride = 0; // values from one projection to the next
    int linePitch = 0;                // values from one row (columns: bin) to the next
    cudaTextureObject_t texture = 0;  // for the other layouts
    bool half = false;
    bool linear = true; // else nearest
    bool upright = true, mirrored = false;
    int bins = 0, rows = 0;
    const ConeView* hostViews = nullptr; // host, [projections]; fourfold: of the first of each pair
    int projections = 0;                 // fourfold: pairs
    const float* unscale = nullptr;      // device: factor for the sums
    float* volume = nullptr;             // [slices][height][width], added to; zFastest: [height][width][slices]
    int width = 0, height = 0, slices = 0;
    int firstSlice = 0, endSlice = 0; // slices to add to; mirrored kernels: [first, end) of the upper half
    ConePatch patch;                  // for `columns`
    // 1: each thread sums one voxel of a column. Any larger value: each thread sums as many voxels of a column as is
    // fastest for its kernel.
    int deep = 1;
    // Number of a column's voxels that are summed together: 8, 4 or 1. Neighbouring voxels lie about one row apart: the
    // first and the last voxel of a group of n lie n − 1 rows apart, to within one row.
    int group = 1;
    cudaStream_t stream = nullptr;
};

// Destination of a batch: either `data` or `surface`.
struct ConeStore {
    ConeLayout layout = ConeLayout::rows;
    bool half = false;
    void* data = nullptr; // for layouts rows and columns
    std::size_t projectionStride = 0;
    int linePitch = 0;
    int margin = 0; // rows and bins of zeros before the first ones; the strides leave room for those behind the last
    cudaSurfaceObject_t surface = 0;
    int firstLayer = 0;
};

// Stores a batch in its layout. filtered: [row][projection][bin] with `projections` projections (fourfold: the first
// ones of all pairs, then the second ones); largest: bits of the largest finite magnitude, which determines the scale
// of halves; unscale: one value. Throws Error(device).
void storeCone(const float* filtered, int rows, int projections, int bins, const unsigned* largest, float* unscale,
               const ConeStore& store, cudaStream_t stream);

// Reorders a volume from [height][width][slices] to [slices][height][width].
void turnVolume(const float* from, float* to, int width, int height, int slices, cudaStream_t stream);

// Launch the kernels. Throw Error(device).
void launchConeColumns(const ConeArguments& arguments);
void launchConeTexture(const ConeArguments& arguments, ConeLayout layout);
void launchConeStandard(const ConeArguments& arguments);
enum class ShuffleVariant { rtk32, bpTex, texTran, bpL1, l1Tran };
ShuffleVariant shuffleVariantOf(const std::string& id); // l1Tran for an unknown id
void launchConeShuffle(const ConeArguments& arguments, ShuffleVariant variant);

} // namespace engine::cuda
