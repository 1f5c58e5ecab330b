// SPDX-License-Identifier: GPL-3.0-or-later
// Layout of the sinograms that the method `tensor` reads: halves, with the slices of a bin adjacent.
#pragma once

#include "engine/request/sampling.h"

#include <cuda_runtime.h>

#include <cstddef>

namespace engine::cuda
{

// Layout [plane of 64 slices][part][projection][bin][slice]. A pass of fewer than 64 slices is one plane of 8, 16 or
// 32. Half-precision data have one part; float data have two, of which the second holds the rounding errors of the
// first. Each row has `margin` bins of zeros on either side of the detector's bins, so that no tile's window leaves a
// row. Groups of 8 slices (16 bytes) are permuted in the same way as by the hardware's swizzles of 128, 64 and 32
// bytes, so that 8 neighbouring bins lie in different banks of shared memory.
struct TensorLayout {
    static constexpr int margin = 96; // at least the widest segment that a block of tiles reads

    int planeSlices, planes, parts;
    int projections;
    int paddedBins; // a multiple of 8, so that the permutation starts anew with each row
    std::size_t rowBytes, partBytes, bytes;

    TensorLayout(int slices, int bins, int projections, Precision precision)
        : planeSlices(slices < 64 ? slices : 64), planes((slices + 63) / 64),
          parts(precision == Precision::half ? 1 : 2), projections(projections),
          paddedBins((bins + 7) / 8 * 8 + 2 * margin), rowBytes(static_cast<std::size_t>(paddedBins) * planeSlices * 2),
          partBytes(rowBytes * projections), bytes(partBytes * parts * planes)
    {
    }
};

// Returns the position of `group` (8 slices of a bin) among the bin's groups. `bin` may be counted from any bin
// of the row whose index is a multiple of 8, such as the first bin of a segment in shared memory.
template <int planeSlices>
__host__ __device__ constexpr int permutedGroup(int bin, int group)
{
    constexpr int groups = planeSlices / 8;
    return group ^ (bin * groups / 8 % groups);
}

} // namespace engine::cuda
