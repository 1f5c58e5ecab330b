// SPDX-License-Identifier: GPL-3.0-or-later
// A texture over pitched device memory, owned.
#pragma once

#include "engine/cuda/check.h"

#include <cuda_fp16.h>

#include <utility>

namespace engine
{

// Rows of `width` elements of `channels` (1, 2, 4) floats or halves; unnormalised coordinates,
// 0 outside; the texture unit filters when `linear`. The memory must outlive it.
class Texture
{
  public:
    Texture(const void* data, std::size_t pitchBytes, int width, int height, int channels, bool half, bool linear)
    {
        const int bits = half ? 16 : 32;
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypePitch2D;
        resource.res.pitch2D.devPtr = const_cast<void*>(data);
        resource.res.pitch2D.desc = cudaCreateChannelDesc(bits, channels >= 2 ? bits : 0, channels >= 4 ? bits : 0,
                                                          channels >= 4 ? bits : 0, cudaChannelFormatKindFloat);
        resource.res.pitch2D.width = width;
        resource.res.pitch2D.height = height;
        resource.res.pitch2D.pitchInBytes = pitchBytes;
        cudaTextureDesc description{};
        description.addressMode[0] = description.addressMode[1] = cudaAddressModeBorder;
        description.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
        description.readMode = cudaReadModeElementType;
        SINOSCOPE_CUDA(cudaCreateTextureObject(&m_texture, &resource, &description, nullptr));
    }
    ~Texture() { cudaDestroyTextureObject(m_texture); }
    Texture(const Texture&) = delete;
    Texture& operator=(const Texture&) = delete;
    cudaTextureObject_t get() const { return m_texture; }

  private:
    cudaTextureObject_t m_texture = 0;
};

} // namespace engine
