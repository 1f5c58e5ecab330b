// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of sinograms before and after a filter, for all transforms.
#pragma once

#include "engine/filter/cylinder.h"
#include "engine/request/setting.h"

#include <cuda_runtime.h>

namespace engine::cuda
{

// Rows [row][bin] in device memory, before and after the filter. Row r belongs to projection r % projections.
struct Lines {
    const float* __restrict__ raw;
    float* filtered;
    const float* __restrict__ weights; // per projection
    unsigned *largest, *nonFinite;     // bits of the largest finite magnitude, which order like the numbers; flag
    int rows, projections, bins;

    __device__ float weightOf(std::size_t row) const { return weights[row % projections]; }
};

// What a thread has seen of the filtered values.
struct Seen {
    float most = 0;
    bool isFinite = true;

    __device__ void look(float value)
    {
        if (isfinite(value))
            most = fmaxf(most, fabsf(value));
        else
            isFinite = false;
    }
    __device__ void report(const Lines& lines)
    {
        for (int offset = 16; offset; offset /= 2)
            most = fmaxf(most, __shfl_xor_sync(~0u, most, offset));
        const unsigned bits = __float_as_uint(most);
        if (threadIdx.x % 32 == 0 && bits > *static_cast<volatile unsigned*>(lines.largest))
            atomicMax(lines.largest, bits);
        if (!isFinite)
            *lines.nonFinite = 1;
    }
};

// How rows of `bins` values continue to `padded` values, which are circular: one half of the padding lies beyond either
// end of the detector.
struct Padding {
    int bins, padded;
    PadMode mode;

    __device__ int halfWay() const { return bins + (padded - bins) / 2; }
    // Returns what continues a row at its right or left end; only for PadMode::cylinder.
    __device__ Cylinder<float> endOf(const float* row, bool isLeft) const
    {
        return isLeft ? Cylinder<float>::at(row, 1, bins, padded - halfWay())
                      : Cylinder<float>::at(row + bins - 1, -1, bins, halfWay() - bins);
    }
    // Returns value i of two padded rows; 0 for the second one unless there are both. ends: their right and left ends.
    __device__ float2 at(const float* first, const float* second, bool both, const Cylinder<float> (&ends)[2][2],
                         int i) const
    {
        if (mode == PadMode::cylinder && i >= bins) {
            const int end = i < halfWay() ? 0 : 1, distance = i < halfWay() ? i - bins + 1 : padded - i;
            return {ends[0][end](distance), both ? ends[1][end](distance) : 0.0f};
        }
        // Edge padding repeats the last bin up to the middle of the padding, and bin 0 from there on.
        const int bin = i < bins ? i : mode != PadMode::edge ? -1 : i < halfWay() ? bins - 1 : 0;
        return {bin >= 0 ? first[bin] : 0.0f, bin >= 0 && both ? second[bin] : 0.0f};
    }
};

} // namespace engine::cuda
