// SPDX-License-Identifier: GPL-3.0-or-later
// Bins that the pixel tiles of a block meet, for both kernels of `tensor`.
#pragma once

#include "engine/backends/cuda/filter/tensor_layout.h"
#include "engine/backends/cuda/parallel/launch.h"
#include "engine/backends/cuda/parallel/tensor_weights.cuh"

namespace engine::cuda
{

// Ray relative to tiles of side × side pixels, in whole multiples of 2⁻⁴⁰ bins. Exact to 2⁻²⁸ over 4096 pixels, and
// takes a sixth of the time of doubles, for which a multiprocessor has few units.
template <int side, Interpolation interpolation>
struct TileRay {
    static constexpr int digits = 40;
    long long start, perColumn, perRow;
    float2 step; // perColumn, perRow

    __device__ TileRay(const Ray& ray) : step{ray.single.y, ray.single.z}
    {
        perColumn = __double2ll_rn(ray.perColumn * 0x1p40);
        perRow = __double2ll_rn(ray.perRow * 0x1p40);
        // An axis beyond ±4 million bins is as far outside as one at that distance; the conversion saturates.
        start = min(max(__double2ll_rn(ray.start * 0x1p40), -(1ll << 62)), 1ll << 62) +
                (side - 1) * (min(perColumn, 0ll) + min(perRow, 0ll)) -
                (static_cast<long long>(reachBefore<interpolation>) << digits);
    }
    // Returns where the window of the tile whose first pixel is (column, row) begins: the lowest position of its
    // pixels.
    __device__ long long tile(int column, int row) const { return start + column * perColumn + row * perRow; }

    __device__ static int bin(long long position) { return static_cast<int>(position >> digits); }
    __device__ static unsigned fraction(long long position) // in 2⁻³² bins
    {
        return static_cast<unsigned>(position >> (digits - 32));
    }
};

// Bins of one projection that a block of tiles reads.
struct Segment {
    int first; // multiple of 8; may lie outside the detector
    int bins;
    int source; // where its data begin in the padded row; in the zeros if the window lies outside
};

// Returns the first bin of a block's segment. width, height: of the block, in pixels.
template <int side, int width, int height, Interpolation interpolation>
__device__ int firstBin(const TileRay<side, interpolation>& ray, int column, int row)
{
    const int x = ray.perColumn < 0 ? width - side : 0, y = ray.perRow < 0 ? height - side : 0;
    return ray.bin(ray.tile(column + x, row + y)) & ~7;
}

// Returns the segment of a block. met: number of bins that a tile meets.
template <int side, int met, int width, int height, Interpolation interpolation>
__device__ Segment segmentOf(const TileRay<side, interpolation>& ray, int column, int row, int paddedBins)
{
    const int x = ray.perColumn < 0 ? 0 : width - side, y = ray.perRow < 0 ? 0 : height - side;
    const int first = firstBin<side, width, height>(ray, column, row);
    return {first, ray.bin(ray.tile(column + x, row + y)) + met - first,
            min(max(first + TensorLayout::margin, 0), paddedBins - TensorLayout::margin)};
}

// Returns the number of bins of the widest segment. The windows of two tiles begin at most the diagonal apart, and one
// bin more because positions are rounded down. The segment begins and ends at multiples of 8 bins.
constexpr int widestSegment(int side, int met, int width, int height)
{
    const int x = width - side, y = height - side;
    int diagonal = 0;
    while (diagonal * diagonal < x * x + y * y)
        ++diagonal;
    return (diagonal + 1 + 7 + met + 7) / 8 * 8;
}

// Returns perColumn, perRow, and the position of pixel (0, 0) relative to the beginning of its tile's window, as the
// weights need them: floats, or whole numbers for nearest.
template <int side, Interpolation interpolation>
__device__ float3 insideTile(const TileRay<side, interpolation>& ray)
{
    if constexpr (interpolation == Interpolation::nearest) {
        constexpr int shift = TileRay<side, interpolation>::digits - positionBits;
        const int column = static_cast<int>(ray.perColumn >> shift), row = static_cast<int>(ray.perRow >> shift);
        return {__int_as_float(column), __int_as_float(row),
                __int_as_float((1 << (positionBits - 1)) - (side - 1) * (min(column, 0) + min(row, 0)))};
    } else {
        const auto [column, row] = ray.step;
        return {column, row, reachBefore<interpolation> - (side - 1) * (fminf(column, 0) + fminf(row, 0))};
    }
}

// Converts a tile's fraction of a bin, given in 2⁻³² bins, to what the weights need: a whole number for nearest, two
// equal half-precision numbers for linear weights in half precision, otherwise a float.
template <Interpolation interpolation, bool half>
__device__ unsigned fractionBits(unsigned fraction)
{
    if constexpr (interpolation == Interpolation::nearest)
        return fraction >> (32 - positionBits);
    const float value = static_cast<float>(fraction >> 8) * 0x1p-24f;
    if constexpr (half && interpolation == Interpolation::linear)
        return packed(__floats2half2_rn(value, value));
    else
        return __float_as_uint(value);
}

} // namespace engine::cuda
