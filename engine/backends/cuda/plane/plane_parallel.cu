// SPDX-License-Identifier: GPL-3.0-or-later
// Planes from parallel beams. A pixel meets the same row in all projections. So a thread sums rows, interpolated
// between bins, and interpolates between rows at the end. All in full precision, from plain loads: the texture unit
// takes four times as long for four floats, and is no faster for four halves.
#include "engine/backends/cuda/plane/plane_tile.cuh"

#include <algorithm>
#include <cmath>
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

    // row: of the detector; pixels above or below it meet the outer row.
    __device__ GroupRow(double row, const PlaneTarget& target)
    {
        const double counted = (target.linear ? row : floor(row + 0.5)) + 1;
        const int whole = __double2int_rd(counted), held = min(max(whole, 1), target.rows);
        group = held / rowsPerGroup;
        first = held - rowsPerGroup * group;
        share = whole == held && whole < target.rows ? static_cast<float>(counted - whole) : 0;
    }

    // here, next: sums of the row at `first` and of the next one.
    __device__ float between(float here, float next) const
    {
        return share > 0 ? fmaf(share, next - here, here) : here; // a row with no share may hold no numbers
    }
    __device__ float of(const float4& sums) const
    {
        const float here = first == 0 ? sums.x : first == 1 ? sums.y : sums.z;
        return between(here, first == 0 ? sums.y : first == 1 ? sums.z : sums.w);
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

// Two neighbouring bins and their weights, or the nearest bin. Bins outside are 0 in memory (linear), or weigh 0.
template <bool linear>
struct BinPair {
    int first = 0;
    float here = 0, next = 0;

    // bin: linear: less 0.5.
    __device__ BinPair(float bin, int bins)
    {
        if constexpr (linear) {
            const float inside = fminf(fmaxf(bin, -1.5f), static_cast<float>(bins) - 0.5f);
            // The last bits of x + magic are the integer nearest to x. Conversions would be four times as slow.
            constexpr float magic = 12582912; // 1.5·2²³
            const float rounded = inside + magic, from = inside - (rounded - magic);
            first = __float_as_int(rounded) - __float_as_int(magic);
            next = 0.5f + from;
            here = 0.5f - from;
        } else if (bin >= -0.5f && bin < bins - 0.5f) {
            first = static_cast<int>(bin + 0.5f);
            here = 1;
        }
    }
    __device__ void multiply(float factor)
    {
        here *= factor;
        next *= factor;
    }
};

// The two rows of a group around a pixel: where they lie in a projection's memory.
template <typename Stored>
struct RowPair;

template <>
struct RowPair<__half> {
    int place = 0;          // of the group, in texels
    unsigned selection = 0; // of two halves of a texel

    __device__ RowPair() {}
    __device__ RowPair(const GroupRow& row, unsigned pitch)
        : place(row.group * static_cast<int>(pitch / sizeof(uint2))), selection(row.first == 0   ? 0x3210
                                                                                : row.first == 1 ? 0x5432
                                                                                                 : 0x7654)
    {
    }
    // Calls add(rows) with the values in a bin, and in the next one if isPair.
    template <bool isPair, typename Add>
    __device__ void load(const char* projection, int bin, const Add& add) const
    {
        const uint2* at = reinterpret_cast<const uint2*>(projection) + (bin + place);
        const uint2 here = __ldg(at), next = isPair ? __ldg(at + 1) : uint2{};
        add(rowsOf(here), rowsOf(next));
    }
    __device__ float2 rowsOf(const uint2& texel) const
    {
        const unsigned bits = __byte_perm(texel.x, texel.y, selection);
        return __half22float2(reinterpret_cast<const __half2&>(bits));
    }
};

template <>
struct RowPair<float> {
    int place = 0; // of the first row, in floats

    __device__ RowPair() {}
    __device__ RowPair(const GroupRow& row, unsigned pitch)
        : place(row.group * static_cast<int>(pitch / sizeof(float)) + row.first)
    {
    }
    template <bool isPair, typename Add>
    __device__ void load(const char* projection, int bin, const Add& add) const
    {
        // Two loads are faster than one of the whole texel.
        const float* at = reinterpret_cast<const float*>(projection) + (rowsPerTexel * bin + place);
        const float2 here = make_float2(__ldg(at), __ldg(at + 1));
        add(here, isPair ? make_float2(__ldg(at + rowsPerTexel), __ldg(at + rowsPerTexel + 1)) : float2{});
    }
};

// What was fastest on an H200. Floats: more loads at a time miss the cache.
template <typename Stored>
struct Tuning {
    static constexpr bool half = sizeof(Stored) == 2;
    static constexpr int blocks = half ? 3 : 4; // per multiprocessor, at least
    static constexpr int together = half ? 2 : 1;
};

// Views after which the warps of a block wait for each other, so that their texels share the lines of the cache. With
// four pixels the number is odd, so that the compiler doesn't load for two views at a time, which would miss the cache.
template <int pixels>
constexpr int viewsInStep = pixels > 1 ? 129 : 128;

// Adds all views to the sums of a thread's pixels.
template <typename Stored, bool linear, class Tile, bool hasFactors, int pixels>
__device__ inline void addViews(const ParallelPlaneArguments& a, float x, float y,
                                const RowPair<Stored> (&rows)[pixels], float2 (&sums)[pixels])
{
    constexpr int together = Tuning<Stored>::together;
    const PlaneTarget& target = a.target;
    const std::size_t perProjection = target.groups * target.stored.pitch, perView = target.step * perProjection;
    const char* projection = target.stored.data + target.first * perProjection;
#pragma unroll together
    for (int v = 0; v < target.count; ++v, projection += perView) {
        if constexpr (Tuning<Stored>::half || pixels > 1)
            if (v % viewsInStep<pixels> == 0)
                __syncthreads();
        const ParallelPlaneView& view = a.views[v];
        const float h = fmaf(view.hx, x, fmaf(view.hy, y, view.h));
#pragma unroll
        for (int q = 0; q < pixels; ++q) {
            BinPair<linear> pair(fmaf(view.hx, Tile::right(q), fmaf(view.hy, Tile::down(q), h)), a.bins);
            if constexpr (hasFactors)
                pair.multiply(view.factor);
            rows[q].template load<linear>(projection, pair.first, [&](const float2& here, const float2& next) {
                sums[q] = make_float2(fmaf(pair.here, here.x, sums[q].x), fmaf(pair.here, here.y, sums[q].y));
                if constexpr (linear)
                    sums[q] = make_float2(fmaf(pair.next, next.x, sums[q].x), fmaf(pair.next, next.y, sums[q].y));
            });
        }
    }
}

// Any plane.
template <typename Stored, bool linear, int pixels, Lanes lanes>
__global__ void __launch_bounds__(planeThreads, Tuning<Stored>::blocks)
    sumParallelPlane(const __grid_constant__ ParallelPlaneArguments a)
{
    using Tile = PlaneTile<pixels, lanes>;
    const PlaneTarget& target = a.target;
    const Tile tile;
    const float x = tile.column - 0.5f * (target.width - 1), y = tile.row - 0.5f * (target.height - 1);
    RowPair<Stored> rows[pixels];
#pragma unroll
    for (int q = 0; q < pixels; ++q) {
        const GroupRow row(rowAt(a, tile.column + Tile::right(q), tile.row + Tile::down(q)), target);
        rows[q] = RowPair<Stored>(row, static_cast<unsigned>(target.stored.pitch));
    }
    float2 sums[pixels] = {};
    if (a.hasFactors)
        addViews<Stored, linear, Tile, true>(a, x, y, rows, sums);
    else
        addViews<Stored, linear, Tile, false>(a, x, y, rows, sums);
#pragma unroll
    for (int q = 0; q < pixels; ++q) {
        const int column = tile.column + Tile::right(q), line = tile.row + Tile::down(q);
        const GroupRow row(rowAt(a, column, line), target);
        addToPixel(target, column, line, a.unscale * row.between(sums[q].x, sums[q].y));
    }
}

// All pixels of a column meet the same bins. A lane has a column and sums some groups of rows, whose sums serve all
// pixels between their rows: with pixels of the detector's size three updates per group. Neighbouring lanes load
// neighbouring texels.
template <typename Stored, bool linear, int deep, int blocks, int together>
__global__ void __launch_bounds__(planeThreads, blocks)
    sumUprightPlane(const __grid_constant__ ParallelPlaneArguments a)
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
    constexpr int texel = rowsPerTexel * sizeof(Stored);
    const int bins = a.bins;
    float4 sums[deep] = {};
#pragma unroll together
    for (int v = 0; v < target.count; ++v, groups += perView) {
        const ParallelPlaneView& view = a.views[v];
        BinPair<linear> pair(fmaf(view.hx, x, view.h), bins);
        pair.multiply(view.factor);
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
            if (row.group == group)
                addToPixel(target, column, j, a.unscale * row.of(sums[k]));
        }
    }
}

template <typename Stored, bool linear, int pixels, Lanes lanes>
void launchTiles(const ParallelPlaneArguments& a)
{
    const auto kernel = sumParallelPlane<Stored, linear, pixels, lanes>;
    noteLaunch(kernel, planeThreads);
    kernel<<<PlaneTile<pixels, lanes>::blocks(a.target), planeThreads, 0, a.target.stream>>>(a);
    SINOSCOPE_CUDA_LAUNCHED();
}

// Lanes in rows are faster for halves, by 5 % where rows are level, and for many floats where rows are level.
template <bool linear>
void launchTilesOf(const ParallelPlaneArguments& a)
{
    constexpr double levelRowsPerPixel = 1.0 / 16;
    const bool isLarge = fillsDevice(PlaneTile<4>::blockCount(a.target), a.target);
    if (a.half && isLarge)
        launchTiles<__half, linear, 4, Lanes::rows>(a);
    else if (a.half)
        launchTiles<__half, linear, 1, Lanes::rows>(a);
    else if (isLarge && std::abs(a.rx) < levelRowsPerPixel)
        launchTiles<float, linear, 4, Lanes::rows>(a);
    else if (isLarge)
        launchTiles<float, linear, 4, Lanes::zOrder>(a);
    else
        launchTiles<float, linear, 1, Lanes::zOrder>(a);
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
    arguments.target.linear ? launchTilesOf<true>(arguments) : launchTilesOf<false>(arguments);
}

void launchUprightPlane(const ParallelPlaneArguments& arguments)
{
    if (arguments.half)
        arguments.target.linear ? launchColumnsOf<__half, true>(arguments) : launchColumnsOf<__half, false>(arguments);
    else
        arguments.target.linear ? launchColumnsOf<float, true>(arguments) : launchColumnsOf<float, false>(arguments);
}

} // namespace engine::cuda
