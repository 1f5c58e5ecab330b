// SPDX-License-Identifier: GPL-3.0-or-later
// What the kernels for cone beams are given, and what each of them wants. Device memory; nothing is owned.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <string>

namespace engine::cuda
{

// A projection matrix in single precision, around the middle of the launch's grid, x = i − (width−1)/2 and so on, and
// of the detector: h = hc + (hx·x + hy·y + hz·z + h0)/w, r likewise, w = wx·x + wy·y + wz·z + w0. What is large is
// added last, so that positions are good to 3·10⁻⁵ pixels at 1024.
struct ConeView {
    float hx, hy, hz, h0;
    float rx, ry, rz, r0;
    float wx, wy, wz, w0;
    float hc, rc, spare[2];
};

// What a block of `columns` keeps of a projection.
struct ConePatch {
    int bins = 0, rows = 0; // rows: an odd multiple of 4
};

// Of a launch's grid and views. bins 0: larger than a block can keep.
ConePatch conePatchFor(const ConeView* views, int projections, int width, int height, int slices, int deep);
inline constexpr int mostDeepColumns = 16;

// A batch is as many projections as the constant memory holds views of.
inline constexpr int mostConeViews = 512;

// How a batch is stored.
enum class ConeLayout {
    rows,     // [projection][row][bin], floats or halves
    columns,  // [projection][bin][row], rows padded to a multiple of 8, floats or halves
    layers,   // an array of textures, a layer a projection: x bins, y rows
    turned,   // the same with x rows, y bins
    mirrored, // layers of (row v, row R−1−v) for v up to the first below the middle: float or half pairs
    fourfold, // layers of (row v, row R−1−v) of a projection and of the opposite one: four halves or floats
};

struct ConeArguments {
    const void* data = nullptr;       // rows, columns
    std::size_t projectionStride = 0; // values from one projection to the next
    int linePitch = 0;                // values from one row (columns: bin) to the next
    cudaTextureObject_t texture = 0;  // the others
    bool half = false;
    bool linear = true; // else nearest
    bool upright = true, mirrored = false;
    int bins = 0, rows = 0;
    const ConeView* hostViews = nullptr; // [projections]; fourfold: of the first of each pair
    int projections = 0;                 // or pairs
    const float* unscale = nullptr;      // device: what sums are multiplied by
    float* volume = nullptr;             // [slices][height][width], added to; zFastest: [height][width][slices]
    int width = 0, height = 0, slices = 0;
    int firstSlice = 0, endSlice = 0; // that the launch is for; mirrored kernels take [first, end) of the upper half
    ConePatch patch;                  // columns
    int deep = 1;                     // voxels of a column that a thread holds: 1, or as many as are fastest
    int group = 1;                    // voxels of a column whose rows lie at most one apart from theirs: 8, 4 or 1
    cudaStream_t stream = nullptr;
};

// Where a batch goes; one of the two.
struct ConeStore {
    ConeLayout layout = ConeLayout::rows;
    bool half = false;
    void* data = nullptr; // rows, columns
    std::size_t projectionStride = 0;
    int linePitch = 0;
    cudaSurfaceObject_t surface = 0;
    int firstLayer = 0;
};

// CentralRay in single precision.
struct ConeRay {
    float bin, row, perBin, perRow;
};

// Multiplies lines [row][projection][bin] by cosine and redundancy [projection][bin]; either may be null. central: one
// common to all, or one each. Throws Error(device).
void weighCone(float* lines, const ConeRay* central, bool oneEach, const float* redundancy, int firstRow, int rows,
               int projections, int bins, cudaStream_t stream);

// Rows that a mirrored layer has.
inline int mirroredRows(int rows)
{
    return rows / 2 + 2;
}

// filtered: [row][projection][bin], of a batch of `projections` (fourfold: pairs, first the one of each, then the
// other); largest: the largest finite magnitude as bits, from which halves are scaled; unscale: one value. Throws
// Error(device).
void storeCone(const float* filtered, int rows, int projections, int bins, const unsigned* largest, float* unscale,
               const ConeStore& store, cudaStream_t stream);

// [height][width][slices] → [slices][height][width].
void turnVolume(const float* from, float* to, int width, int height, int slices, cudaStream_t stream);

// Throws Error(device).
void launchConeColumns(const ConeArguments& arguments);
void launchConeTexture(const ConeArguments& arguments, ConeLayout layout);
void launchConeStandard(const ConeArguments& arguments);
enum class ShuffleVariant { rtk32, bpTex, texTran, bpL1, l1Tran };
ShuffleVariant shuffleVariantOf(const std::string& id); // l1Tran for what is none
void launchConeShuffle(const ConeArguments& arguments, ShuffleVariant variant);

} // namespace engine::cuda
