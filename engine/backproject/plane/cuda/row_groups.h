// SPDX-License-Identifier: GPL-3.0-or-later
// Filtered projections in a layered texture, in groups of neighbouring rows, for planes in any direction.
#pragma once

#include "engine/cuda/check.h"

#include <algorithm>
#include <cstddef>

namespace engine::cuda
{

constexpr int rowsPerGroup = 3;   // from the first row of a group to the first row of the next one
constexpr int rowsPerTexel = 4;   // a group and the first row of the next one, so that one fetch serves any two rows
constexpr int mostLayers = 2048;  // of a layered texture
constexpr int mostTexels = 32768; // of a layered texture, along x and y

// Where the rows of a detector lie in a texture. Group g has the rows 3g − 1 … 3g + 2; rows that the detector lacks
// are 0. Layer g holds group g, with bins along x and projections along y. A detector of more groups than a texture has
// layers continues below its projections: group g is layer g mod 2048, g div 2048 stacks further down.
struct RowGroups {
    int rows = 0, bins = 0;

    int groups() const { return (rows + 1 + rowsPerGroup - 1) / rowsPerGroup; } // of rows −1 … rows − 1, and one more
    int layers() const { return std::min(groups(), mostLayers); }
    int stacks() const { return (groups() + mostLayers - 1) / mostLayers; }
    int mostProjections() const { return mostTexels / stacks(); }

    // Returns the bytes of a texture, with those that its tiles of 64 bytes × 8 projections add.
    std::size_t bytes(int projections, bool half) const
    {
        const std::size_t texel = rowsPerTexel * (half ? 2 : 4), tile = 64 / texel, wide = (bins + tile - 1) / tile,
                          high = (static_cast<std::size_t>(projections) * stacks() + 7) / 8;
        return 512 * wide * high * layers();
    }
};

// Owner of the texture of some consecutive projections. Coordinates are unnormalised, values outside are 0.
class RowGroupTexture
{
  public:
    RowGroupTexture(const RowGroups& groups, int projections, bool half)
    {
        const int bits = half ? 16 : 32;
        const cudaChannelFormatDesc format = cudaCreateChannelDesc(bits, bits, bits, bits, cudaChannelFormatKindFloat);
        const cudaExtent extent = make_cudaExtent(static_cast<std::size_t>(groups.bins),
                                                  static_cast<std::size_t>(projections) * groups.stacks(),
                                                  static_cast<std::size_t>(groups.layers()));
        SINOSCOPE_CUDA(cudaMalloc3DArray(&m_array, &format, extent, cudaArrayLayered | cudaArraySurfaceLoadStore));
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = m_array;
        cudaTextureDesc description{};
        description.addressMode[0] = description.addressMode[1] = cudaAddressModeBorder;
        description.readMode = cudaReadModeElementType;
        cudaError_t status = cudaCreateSurfaceObject(&m_surface, &resource);
        description.filterMode = cudaFilterModeLinear;
        if (status == cudaSuccess)
            status = cudaCreateTextureObject(&m_linear, &resource, &description, nullptr);
        description.filterMode = cudaFilterModePoint;
        if (status == cudaSuccess)
            status = cudaCreateTextureObject(&m_nearest, &resource, &description, nullptr);
        if (status != cudaSuccess) {
            release();
            checkCuda(status, "texture of a plane");
        }
    }
    ~RowGroupTexture() { release(); }
    RowGroupTexture(const RowGroupTexture&) = delete;
    RowGroupTexture& operator=(const RowGroupTexture&) = delete;

    cudaSurfaceObject_t surface() const { return m_surface; }
    // linear: interpolated between bins; else the nearest bin.
    cudaTextureObject_t texture(bool linear) const { return linear ? m_linear : m_nearest; }

  private:
    void release()
    {
        if (m_nearest)
            cudaDestroyTextureObject(m_nearest);
        if (m_linear)
            cudaDestroyTextureObject(m_linear);
        if (m_surface)
            cudaDestroySurfaceObject(m_surface);
        cudaFreeArray(m_array);
    }

    cudaArray_t m_array = nullptr;
    cudaSurfaceObject_t m_surface = 0;
    cudaTextureObject_t m_linear = 0, m_nearest = 0;
};

} // namespace engine::cuda
