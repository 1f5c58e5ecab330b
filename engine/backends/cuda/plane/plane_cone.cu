// SPDX-License-Identifier: GPL-3.0-or-later
// Planes from cone beams. The texture unit interpolates between bins; the kernel interpolates between two of the four
// rows of a texel, in full precision.
#include "engine/backends/cuda/plane/plane_tile.cuh"

namespace engine::cuda
{

namespace
{

constexpr float roundsToWhole = 12582912.0f; // 1.5·2²³: its sum with a number below 2²² is rounded to a whole number
constexpr unsigned roundsToWholeBits = 0x4b400000u;

// Returns 1/x, accurate to one unit in the last place.
__device__ inline float planeReciprocal(float x)
{
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

// The group of a row, and the row's place in it, 0 … 3. Rows beyond ±2²² are in no group that exists, because the bits
// of a sum with roundsToWhole grow with the sum.
template <bool linear>
struct ConeRow {
    unsigned group;
    float fromViewGroup; // the group less the view's
    float within;

    // row: counted from the first row of the view's group.
    __device__ ConeRow(float row, int viewGroup)
    {
        if constexpr (!linear)
            row = floorf(row + 0.5f);
        // Rounds to the nearest: the middle of a group is far from its neighbours.
        const float sum = fmaf(row, 1.0f / rowsPerGroup, linear ? -0.5f : -1.0f / 3) + roundsToWhole;
        group = __float_as_uint(sum) - roundsToWholeBits + viewGroup;
        fromViewGroup = sum - roundsToWhole;
        within = fmaf(-static_cast<float>(rowsPerGroup), fromViewGroup, row);
    }

    __device__ float of(const float4& texel) const
    {
        if constexpr (!linear)
            return within < 0.5f ? texel.x : within < 1.5f ? texel.y : texel.z;
        const bool inFirst = within < 1, inSecond = within < 2;
        const float here = inFirst ? texel.x : inSecond ? texel.y : texel.z;
        const float next = inFirst ? texel.y : inSecond ? texel.z : texel.w;
        const float share = within - (inFirst ? 0.0f : inSecond ? 1.0f : 2.0f);
        return fmaf(share, next - here, here);
    }
};

template <int pixels, bool linear>
__global__ void __launch_bounds__(planeThreads) sumConePlane(const __grid_constant__ ConePlaneArguments a)
{
    using Tile = PlaneTile<pixels>;
    const PlaneTarget& target = a.target;
    const Tile tile;
    const float x = tile.column - 0.5f * (target.width - 1), y = tile.row - 0.5f * (target.height - 1);
    float sums[pixels] = {};
    forEachProjection(target, [&](int v, cudaTextureObject_t texture, float firstGroup) {
        const ConePlaneView& view = a.views[v];
        const float h = fmaf(view.hx, x, fmaf(view.hy, y, view.h)), r = fmaf(view.rx, x, fmaf(view.ry, y, view.r)),
                    w = fmaf(view.wx, x, fmaf(view.wy, y, view.w)), viewGroup = firstGroup + view.group;
#pragma unroll
        for (int q = 0; q < pixels; ++q) {
            const auto at = [&](float first, float perColumn, float perRow) {
                return fmaf(perColumn, Tile::right(q), fmaf(perRow, Tile::down(q), first));
            };
            const float distance = at(w, view.wx, view.wy), f = planeReciprocal(distance);
            const float bin = fmaf(at(h, view.hx, view.hy), f, view.bin);
            const ConeRow<linear> row(at(r, view.rx, view.ry) * f, view.group);
            const bool exists = distance > 0 && row.group < static_cast<unsigned>(target.groups);
            // A group that doesn't exist may be one of another projection.
            const float4 texel = tex2D<float4>(texture, bin, viewGroup + row.fromViewGroup);
            const float sum = fmaf(view.unscale * (f * f), row.of(texel), sums[q]);
            sums[q] = exists ? sum : sums[q];
        }
    });
#pragma unroll
    for (int q = 0; q < pixels; ++q)
        addToPixel(target, tile.column + Tile::right(q), tile.row + Tile::down(q), sums[q]);
}

constexpr int uprightPixels = 10, uprightGroups = 5; // of a thread, and as many groups as these pixels may meet
constexpr int uprightValues = rowsPerGroup * uprightGroups + 1;
static_assert(rowsPerGroup + (uprightPixels - 1) * mostConeRowStep <= rowsPerGroup * uprightGroups);

// All pixels of a column meet the same bins. A lane has ten pixels of a column: for each projection it fetches the
// groups of rows that they meet into shared memory, which only this lane reads, and interpolates between rows from
// there (after the columns of Chen et al. 2019, Theorem 2): two updates per fetch.
template <bool linear>
__global__ void __launch_bounds__(planeThreads) sumUprightCone(const __grid_constant__ ConePlaneArguments a)
{
    __shared__ float shared[uprightValues][planeThreads];
    const PlaneTarget& target = a.target;
    const int column = blockIdx.x * 32 + threadIdx.x % 32;
    const int firstRow = (blockIdx.y * (planeThreads / 32) + threadIdx.x / 32) * uprightPixels;
    const float x = column - 0.5f * (target.width - 1), y = firstRow - 0.5f * (target.height - 1);
    float* own = &shared[0][threadIdx.x];
    float sums[uprightPixels] = {};
    forEachProjection(target, [&](int v, cudaTextureObject_t texture, float y0) {
        const ConePlaneView& view = a.views[v];
        const float w = fmaf(view.wx, x, view.w), f = planeReciprocal(w);
        if (!(w > 0) || f > 1e18f)
            return;
        const float bin = fmaf(fmaf(view.hx, x, view.h), f, view.bin), step = view.ry * f;
        const float row = fmaf(view.rx, x, fmaf(view.ry, y, view.r)) * f;
        const float lowest = fminf(row, fmaf(uprightPixels - 1, step, row));
        const float sum = fmaf(lowest, 1.0f / rowsPerGroup, -0.5f) + roundsToWhole;
        const unsigned firstGroup = __float_as_uint(sum) - roundsToWholeBits + view.group;
        const float within = fmaf(-static_cast<float>(rowsPerGroup), sum - roundsToWhole, row);
        const float line = y0 + view.group + (sum - roundsToWhole);
#pragma unroll
        for (int k = 0; k < uprightGroups; ++k) {
            const unsigned group = firstGroup + k;
            float4 texel = tex2D<float4>(texture, bin, line + k);
            if (group >= static_cast<unsigned>(target.groups))
                texel = make_float4(0, 0, 0, 0);
            own[(rowsPerGroup * k) * planeThreads] = texel.x;
            own[(rowsPerGroup * k + 1) * planeThreads] = texel.y;
            own[(rowsPerGroup * k + 2) * planeThreads] = texel.z;
            if (k == uprightGroups - 1)
                own[(rowsPerGroup * k + 3) * planeThreads] = texel.w;
        }
        const float weight = view.unscale * (f * f);
#pragma unroll
        for (int k = 0; k < uprightPixels; ++k) {
            const float at = fmaf(static_cast<float>(k), step, within);
            const float whole = (linear ? at - 0.5f : at) + roundsToWhole;
            const int last = linear ? uprightValues - 2 : uprightValues - 1;
            const int index = min(max(static_cast<int>(__float_as_uint(whole) - roundsToWholeBits), 0), last);
            float value = own[index * planeThreads];
            if constexpr (linear)
                value = fmaf(at - (whole - roundsToWhole), own[(index + 1) * planeThreads] - value, value);
            sums[k] = fmaf(weight, value, sums[k]);
        }
    });
#pragma unroll
    for (int k = 0; k < uprightPixels; ++k)
        addToPixel(target, column, firstRow + k, sums[k]);
}

dim3 uprightConeBlocks(const PlaneTarget& target)
{
    constexpr int rows = planeThreads / 32 * uprightPixels;
    return dim3((target.width + 31) / 32, (target.height + rows - 1) / rows);
}

template <bool linear>
void launchUprightOf(const ConePlaneArguments& a)
{
    noteLaunch(sumUprightCone<linear>, planeThreads);
    sumUprightCone<linear><<<uprightConeBlocks(a.target), planeThreads, 0, a.target.stream>>>(a);
    SINOSCOPE_CUDA_LAUNCHED();
}

template <int pixels, bool linear>
void launchConeTiles(const ConePlaneArguments& a)
{
    noteLaunch(sumConePlane<pixels, linear>, planeThreads);
    sumConePlane<pixels, linear><<<PlaneTile<pixels>::blocks(a.target), planeThreads, 0, a.target.stream>>>(a);
    SINOSCOPE_CUDA_LAUNCHED();
}

template <int pixels>
void launchConeOf(const ConePlaneArguments& a)
{
    a.target.linear ? launchConeTiles<pixels, true>(a) : launchConeTiles<pixels, false>(a);
}

} // namespace

void launchConePlane(const ConePlaneArguments& arguments)
{
    if (fillsDevice(PlaneTile<4>::blockCount(arguments.target), arguments.target))
        launchConeOf<4>(arguments);
    else
        launchConeOf<1>(arguments);
}

void launchUprightCone(const ConePlaneArguments& arguments)
{
    const dim3 blocks = uprightConeBlocks(arguments.target);
    if (!fillsDevice(2LL * blocks.x * blocks.y, arguments.target)) // a lane has five fetches under way
        return launchConePlane(arguments);
    arguments.target.linear ? launchUprightOf<true>(arguments) : launchUprightOf<false>(arguments);
}

} // namespace engine::cuda
