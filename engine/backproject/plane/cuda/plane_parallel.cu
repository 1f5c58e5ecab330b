// SPDX-License-Identifier: GPL-3.0-or-later
// Planes from parallel beams. A pixel meets the same row in all projections. So a thread sums the four rows of a group,
// interpolated between bins, and interpolates between rows at the end, in full precision.
#include "engine/backproject/plane/cuda/plane_tile.cuh"

#include <algorithm>
#include <cuda_fp16.h>

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

// Any plane. The texture unit interpolates between bins.
template <int pixels>
__global__ void __launch_bounds__(planeThreads, 4) sumParallelPlane(const __grid_constant__ ParallelPlaneArguments a)
{
    using Tile = PlaneTile<pixels>;
    const PlaneTarget& target = a.target;
    const Tile tile;
    const float x = tile.column - 0.5f * (target.width - 1), y = tile.row - 0.5f * (target.height - 1);
    float groups[pixels];
#pragma unroll
    for (int q = 0; q < pixels; ++q)
        groups[q] = GroupRow(rowAt(a, tile.column + Tile::right(q), tile.row + Tile::down(q)), target).group;
    float4 sums[pixels] = {};
    forEachProjection(target, [&](int v, cudaTextureObject_t texture, float firstGroup) {
        const ParallelPlaneView& view = a.views[v];
        const float h = fmaf(view.hx, x, fmaf(view.hy, y, view.h));
#pragma unroll
        for (int q = 0; q < pixels; ++q) {
            const float bin = fmaf(view.hx, Tile::right(q), fmaf(view.hy, Tile::down(q), h));
            addTexel(sums[q], tex2D<float4>(texture, bin, firstGroup + groups[q]), view.unscale);
        }
    });
#pragma unroll
    for (int q = 0; q < pixels; ++q) {
        const int column = tile.column + Tile::right(q), line = tile.row + Tile::down(q);
        const GroupRow row(rowAt(a, column, line), target);
        if (row.exists)
            addToPixel(target, column, line, row.of(sums[q]));
    }
}

__device__ inline float4 loadTexel(const __half*, const char* at)
{
    const uint2 bits = __ldg(reinterpret_cast<const uint2*>(at));
    const float2 low = __half22float2(reinterpret_cast<const __half2&>(bits.x)),
                 high = __half22float2(reinterpret_cast<const __half2&>(bits.y));
    return make_float4(low.x, low.y, high.x, high.y);
}
__device__ inline float4 loadTexel(const float*, const char* at)
{
    return __ldg(reinterpret_cast<const float4*>(at));
}

// Two neighbouring bins, and their factors: 0 for bins outside.
template <bool linear>
struct BinPair {
    int first = 0;
    float here = 0, next = 0;

    // bin: as in a texture, whose bin k reaches from k to k + 1.
    __device__ BinPair(float bin, int bins, float factor)
    {
        if constexpr (linear) {
            const float middle = bin - 0.5f;
            first = static_cast<int>(fminf(fmaxf(middle, 0.0f), max(bins - 2, 0)));
            const float from = middle - first;
            here = factor * fmaxf(1 - fabsf(from), 0.0f);
            next = factor * fmaxf(1 - fabsf(from - 1), 0.0f);
        } else if (bin >= 0 && bin < bins) {
            first = static_cast<int>(bin);
            here = factor;
        }
    }
};

// All pixels of a column meet the same bins. A lane has a column and sums some groups of rows, whose sums serve all
// pixels between their rows: with pixels of the detector's size three updates per group. Neighbouring lanes load
// neighbouring texels, without the texture unit, whose rate would be the limit.
template <typename Stored, bool linear, int deep, int blocks, int together>
__global__ void __launch_bounds__(planeThreads, blocks) sumUprightPlane(const __grid_constant__ ParallelPlaneArguments a)
{
    const PlaneTarget& target = a.target;
    const int column = blockIdx.x * 32 + threadIdx.x % 32;
    const int firstGroup = a.firstGroup + (blockIdx.y * (planeThreads / 32) + threadIdx.x / 32) * deep;
    const int endGroup = a.firstGroup + a.groupCount;
    if (firstGroup >= endGroup)
        return;
    const float x = column - 0.5f * (target.width - 1);
    const std::size_t perProjection = target.groups * target.stored.pitch, perView = target.step * perProjection;
    const char* groups = target.stored.data + target.first * perProjection + firstGroup * target.stored.pitch;
    unsigned places[deep];
#pragma unroll
    for (int k = 0; k < deep; ++k)
        places[k] = min(k, endGroup - 1 - firstGroup) * static_cast<unsigned>(target.stored.pitch);
    constexpr unsigned texel = rowsPerTexel * sizeof(Stored);
    const int bins = a.bins;
    float4 sums[deep] = {};
#pragma unroll together
    for (int v = 0; v < target.count; ++v, groups += perView) {
        const ParallelPlaneView& view = a.views[v];
        const BinPair<linear> pair(fmaf(view.hx, x, view.h), bins, view.unscale);
        const char* at = groups + pair.first * texel;
#pragma unroll
        for (int k = 0; k < deep; ++k) {
            const Stored* kind = nullptr;
            addTexel(sums[k], loadTexel(kind, at + places[k]), pair.here);
            if constexpr (linear)
                addTexel(sums[k], loadTexel(kind, at + places[k] + texel), pair.next);
        }
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

template <int pixels>
void launchTiles(const ParallelPlaneArguments& a)
{
    noteLaunch(sumParallelPlane<pixels>, planeThreads);
    sumParallelPlane<pixels><<<PlaneTile<pixels>::blocks(a.target), planeThreads, 0, a.target.stream>>>(a);
    SINOSCOPE_CUDA_LAUNCHED();
}

template <int deep>
dim3 uprightBlocks(const ParallelPlaneArguments& a)
{
    constexpr int groups = planeThreads / 32 * deep;
    return dim3((a.target.width + 31) / 32, (a.groupCount + groups - 1) / groups);
}

template <typename Stored, bool linear, int deep>
void launchColumns(const ParallelPlaneArguments& a)
{
    constexpr int blocks = deep == 1 ? 4 : 3, together = deep == 1 ? 8 : 4; // the fastest on an H200
    const auto kernel = sumUprightPlane<Stored, linear, deep, blocks, together>;
    noteLaunch(kernel, planeThreads);
    kernel<<<uprightBlocks<deep>(a), planeThreads, 0, a.target.stream>>>(a);
    SINOSCOPE_CUDA_LAUNCHED();
}

template <typename Stored, bool linear>
void launchColumnsOf(const ParallelPlaneArguments& a)
{
    const dim3 blocks = uprightBlocks<2>(a);
    if (fillsDevice(static_cast<long long>(blocks.x) * blocks.y, a.target))
        launchColumns<Stored, linear, 2>(a);
    else
        launchColumns<Stored, linear, 1>(a);
}

} // namespace

void launchParallelPlane(const ParallelPlaneArguments& arguments)
{
    if (fillsDevice(PlaneTile<4>::blockCount(arguments.target), arguments.target))
        launchTiles<4>(arguments);
    else
        launchTiles<1>(arguments);
}

void launchUprightPlane(const ParallelPlaneArguments& arguments)
{
    if (arguments.half)
        arguments.target.linear ? launchColumnsOf<__half, true>(arguments) : launchColumnsOf<__half, false>(arguments);
    else
        arguments.target.linear ? launchColumnsOf<float, true>(arguments) : launchColumnsOf<float, false>(arguments);
}

} // namespace engine::cuda
