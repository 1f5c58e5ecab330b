// SPDX-License-Identifier: GPL-3.0-or-later
// Weights of a product's matrix pixels × bins: those that one lane of a warp holds, in the registers that wgmma and mma
// expect.
#pragma once

#include "engine/backends/cuda/parallel/tensor_tiles.cuh"

namespace engine::cuda
{

// Weights for wgmma. Rows g and g + 8 of a warp's 16 are the pixels (g, y) and (g, y + 1); columns 2q, 2q + 1, 2q + 8
// and 2q + 9 are bins.
template <Interpolation interpolation, bool half>
struct LaneWeights {
    float position[2]; // of the two pixels, relative to bin 2q

    __device__ LaneWeights(float3 ray, float column, float row, float bin)
    {
        position[0] = fmaf(column, ray.x, fmaf(row, ray.y, ray.z)) - bin;
        position[1] = position[0] + ray.y;
    }
    __device__ void fill(unsigned fraction, unsigned (&high)[4], unsigned (&low)[4]) const
    {
        const float f = __uint_as_float(fraction);
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const WeightPair pair = weightPair<interpolation, !half>(position[k % 2] - k / 2 * 8 + f);
            high[k] = pair.high;
            low[k] = pair.low;
        }
    }
};

// Positions are whole numbers, so that a ray decides between two bins as in double precision.
template <bool half>
struct LaneWeights<Interpolation::nearest, half> {
    int position[2];

    __device__ LaneWeights(float3 ray, float column, float row, float bin)
    {
        const int perRow = __float_as_int(ray.y);
        position[0] = static_cast<int>(column) * __float_as_int(ray.x) + static_cast<int>(row) * perRow +
                      __float_as_int(ray.z) - (static_cast<int>(bin) << positionBits);
        position[1] = position[0] + perRow;
    }
    __device__ void fill(unsigned fraction, unsigned (&high)[4], unsigned (&)[4]) const
    {
#pragma unroll
        for (int k = 0; k < 4; ++k)
            high[k] = nearestPair(position[k % 2] - (k / 2 * 8 << positionBits) + static_cast<int>(fraction));
    }
};

template <>
struct LaneWeights<Interpolation::linear, true> {
    __half2 offset[4];

    __device__ LaneWeights(float3 ray, float column, float row, float bin)
    {
        const float first = fmaf(column, ray.x, fmaf(row, ray.y, ray.z)) - bin;
        const float second = first + ray.y;
        offset[0] = __floats2half2_rn(first, first - 1);
        offset[1] = __floats2half2_rn(second, second - 1);
        offset[2] = __floats2half2_rn(first - 8, first - 9);
        offset[3] = __floats2half2_rn(second - 8, second - 9);
    }
    __device__ void fill(unsigned fraction, unsigned (&high)[4], unsigned (&)[4]) const
    {
#pragma unroll
        for (int k = 0; k < 4; ++k)
            high[k] = linearPair(offset[k], reinterpret_cast<const __half2&>(fraction));
    }
};

// Weights for mma. Rows g and g + 8 are the pixels (x, y) and (x, y + 2); columns 2q and 2q + 1 are bins.
template <Interpolation interpolation, bool half>
struct PixelPair {
    float position[2];

    __device__ PixelPair(float3 inside, int column, int row, int bin)
    {
        position[0] = fmaf(column, inside.x, fmaf(row, inside.y, inside.z)) - bin;
        position[1] = fmaf(2, inside.y, position[0]);
    }
    __device__ WeightPair weights(int k, unsigned fraction) const
    {
        return weightPair<interpolation, !half>(position[k] + __uint_as_float(fraction));
    }
};

template <>
struct PixelPair<Interpolation::linear, true> {
    __half2 offset[2];

    __device__ PixelPair(float3 inside, int column, int row, int bin)
    {
        const float first = fmaf(column, inside.x, fmaf(row, inside.y, inside.z)) - bin;
        const float second = fmaf(2, inside.y, first);
        offset[0] = __floats2half2_rn(first, first - 1);
        offset[1] = __floats2half2_rn(second, second - 1);
    }
    __device__ WeightPair weights(int k, unsigned fraction) const
    {
        return {linearPair(offset[k], reinterpret_cast<const __half2&>(fraction)), 0};
    }
};

template <bool half>
struct PixelPair<Interpolation::nearest, half> {
    int position[2];

    __device__ PixelPair(float3 inside, int column, int row, int bin)
    {
        const int perRow = __float_as_int(inside.y);
        position[0] =
            column * __float_as_int(inside.x) + row * perRow + __float_as_int(inside.z) - (bin << positionBits);
        position[1] = position[0] + 2 * perRow;
    }
    __device__ WeightPair weights(int k, unsigned fraction) const
    {
        return {nearestPair(position[k] + static_cast<int>(fraction)), 0};
    }
};

} // namespace engine::cuda
