// SPDX-License-Identifier: GPL-3.0-or-later
// Planes from parallel beams. A pixel meets the same row in all projections. So a thread sums the four rows of a group,
// with the texture unit interpolating between bins, and interpolates between rows at the end, in full precision.
#include "engine/backproject/plane/cuda/plane_tile.cuh"

#include <algorithm>

namespace engine::cuda
{

namespace
{

// The row of a pixel.
struct GroupRow {
    int group = 0;   // rows 3·group − 1 …
    int first = 0;   // of the texel's four rows: 0, 1 or 2
    float share = 0; // of the next row
    bool exists = false;

    // row: of the detector.
    __device__ GroupRow(double row, const PlaneTarget& target)
    {
        const double counted = (target.linear ? row : floor(row + 0.5)) + 1;
        exists = counted >= 0 && counted < rowsPerGroup * static_cast<double>(target.groups);
        if (!exists)
            return;
        group = static_cast<int>(counted) / rowsPerGroup;
        const double within = counted - rowsPerGroup * group;
        first = static_cast<int>(within);
        share = static_cast<float>(within - first);
    }

    __device__ float of(const float4& sums) const
    {
        const float here = first == 0 ? sums.x : first == 1 ? sums.y : sums.z;
        const float next = first == 0 ? sums.y : first == 1 ? sums.z : sums.w;
        return share > 0 ? fmaf(share, next - here, here) : here; // a row with no share may hold no numbers
    }
};

// Where a group of rows lies in the texture. stacked: the detector has more groups than a texture has layers.
template <bool stacked>
struct GroupPlace {
    int layer = 0;

    __device__ GroupPlace() {}
    __device__ GroupPlace(int group, const PlaneTarget&) : layer(group) {}
    __device__ float4 texel(cudaTextureObject_t texture, float bin, float y) const
    {
        return tex2DLayered<float4>(texture, bin, y, layer);
    }
};
template <>
struct GroupPlace<true> {
    int layer = 0;
    float stackY = 0;

    __device__ GroupPlace() {}
    __device__ GroupPlace(int group, const PlaneTarget& target)
        : layer(group % mostLayers), stackY(group / mostLayers * target.stackHeight)
    {
    }
    __device__ float4 texel(cudaTextureObject_t texture, float bin, float y) const
    {
        return tex2DLayered<float4>(texture, bin, y + stackY, layer);
    }
};

__device__ inline void addTexel(float4& sum, const float4& texel, float factor)
{
    sum.x = fmaf(factor, texel.x, sum.x);
    sum.y = fmaf(factor, texel.y, sum.y);
    sum.z = fmaf(factor, texel.z, sum.z);
    sum.w = fmaf(factor, texel.w, sum.w);
}

__device__ inline double rowAt(const ParallelPlaneArguments& a, int column, int row)
{
    const PlaneTarget& target = a.target;
    return fma(a.rx, column - 0.5 * (target.width - 1), fma(a.ry, row - 0.5 * (target.height - 1), a.r));
}

template <int pixels, bool stacked>
__global__ void __launch_bounds__(planeThreads, 4) sumParallelPlane(const __grid_constant__ ParallelPlaneArguments a)
{
    using Tile = PlaneTile<pixels>;
    const PlaneTarget& target = a.target;
    const Tile tile;
    const float x = tile.column - 0.5f * (target.width - 1), y = tile.row - 0.5f * (target.height - 1);
    GroupPlace<stacked> places[pixels];
#pragma unroll
    for (int q = 0; q < pixels; ++q) {
        const GroupRow row(rowAt(a, tile.column + Tile::right(q), tile.row + Tile::down(q)), target);
        places[q] = GroupPlace<stacked>(row.group, target);
    }
    float4 sums[pixels] = {};
#pragma unroll 2
    for (int v = 0; v < target.count; ++v) {
        const ParallelPlaneView& view = a.views[v];
        const float h = fmaf(view.hx, x, fmaf(view.hy, y, view.h)), down = fmaf(v, target.yStep, target.firstY);
#pragma unroll
        for (int q = 0; q < pixels; ++q) {
            const float bin = fmaf(view.hx, Tile::right(q), fmaf(view.hy, Tile::down(q), h));
            addTexel(sums[q], places[q].texel(target.texture, bin, down), view.unscale);
        }
    }
#pragma unroll
    for (int q = 0; q < pixels; ++q) {
        const int column = tile.column + Tile::right(q), line = tile.row + Tile::down(q);
        const GroupRow row(rowAt(a, column, line), target);
        if (row.exists)
            addToPixel(target, column, line, row.of(sums[q]));
    }
}

// All pixels of a column meet the same bins. A lane has a column and sums some groups of rows, whose sums serve all
// pixels between their rows: with pixels of the detector's size three updates per fetch.
template <int deep, bool stacked>
__global__ void __launch_bounds__(planeThreads, 4) sumUprightPlane(const __grid_constant__ ParallelPlaneArguments a)
{
    const PlaneTarget& target = a.target;
    const int column = blockIdx.x * 32 + threadIdx.x % 32;
    const int firstGroup = a.firstGroup + (blockIdx.y * (planeThreads / 32) + threadIdx.x / 32) * deep;
    const int endGroup = a.firstGroup + a.groupCount;
    const float x = column - 0.5f * (target.width - 1);
    GroupPlace<stacked> places[deep];
#pragma unroll
    for (int k = 0; k < deep; ++k)
        places[k] = GroupPlace<stacked>(min(firstGroup + k, endGroup - 1), target);
    float4 sums[deep] = {};
#pragma unroll 2
    for (int v = 0; v < target.count; ++v) {
        const ParallelPlaneView& view = a.views[v];
        const float bin = fmaf(view.hx, x, view.h), down = fmaf(v, target.yStep, target.firstY);
#pragma unroll
        for (int k = 0; k < deep; ++k)
            addTexel(sums[k], places[k].texel(target.texture, bin, down), view.unscale);
    }
    if (column >= target.width)
        return;
#pragma unroll
    for (int k = 0; k < deep; ++k) {
        const int group = firstGroup + k;
        if (group >= endGroup)
            return;
        // Pixels that may meet the group, and one more on either side: GroupRow decides.
        const double middle = 0.5 * (target.height - 1), last = target.height - 1;
        const double one = (rowsPerGroup * group - 2.0 - a.r) / a.ry + middle;
        const double other = (rowsPerGroup * (group + 1) + 0.0 - a.r) / a.ry + middle;
        const int from = static_cast<int>(fmin(fmax(floor(fmin(one, other)) - 1, 0.0), last));
        const int to = static_cast<int>(fmin(fmax(ceil(fmax(one, other)) + 1, -1.0), last));
        for (int j = from; j <= to; ++j) {
            const GroupRow row(rowAt(a, 0, j), target);
            if (row.exists && row.group == group)
                addToPixel(target, column, j, row.of(sums[k]));
        }
    }
}

template <int pixels, bool stacked>
void launchTiles(const ParallelPlaneArguments& a)
{
    noteLaunch(sumParallelPlane<pixels, stacked>, planeThreads);
    sumParallelPlane<pixels, stacked><<<PlaneTile<pixels>::blocks(a.target), planeThreads, 0, a.target.stream>>>(a);
    SINOSCOPE_CUDA_LAUNCHED();
}

template <int deep>
dim3 uprightBlocks(const ParallelPlaneArguments& a)
{
    constexpr int groups = planeThreads / 32 * deep;
    return dim3((a.target.width + 31) / 32, (a.groupCount + groups - 1) / groups);
}

template <int deep, bool stacked>
void launchColumns(const ParallelPlaneArguments& a)
{
    noteLaunch(sumUprightPlane<deep, stacked>, planeThreads);
    sumUprightPlane<deep, stacked><<<uprightBlocks<deep>(a), planeThreads, 0, a.target.stream>>>(a);
    SINOSCOPE_CUDA_LAUNCHED();
}

template <bool stacked>
void launchTilesOf(const ParallelPlaneArguments& a)
{
    if (fillsDevice(PlaneTile<4>::blockCount(a.target), a.target))
        launchTiles<4, stacked>(a);
    else
        launchTiles<1, stacked>(a);
}

template <bool stacked>
void launchColumnsOf(const ParallelPlaneArguments& a)
{
    const dim3 blocks = uprightBlocks<4>(a);
    if (fillsDevice(static_cast<long long>(blocks.x) * blocks.y, a.target))
        launchColumns<4, stacked>(a);
    else
        launchColumns<1, stacked>(a);
}

} // namespace

void launchParallelPlane(const ParallelPlaneArguments& arguments)
{
    arguments.target.groups > mostLayers ? launchTilesOf<true>(arguments) : launchTilesOf<false>(arguments);
}

void launchUprightPlane(const ParallelPlaneArguments& arguments)
{
    arguments.target.groups > mostLayers ? launchColumnsOf<true>(arguments) : launchColumnsOf<false>(arguments);
}

} // namespace engine::cuda
