// SPDX-License-Identifier: GPL-3.0-or-later
// Owner of a texture over pitched device memory.
#pragma once

#include "engine/backends/cuda/device/check.h"

#include <cuda_fp16.h>

#include <utility>

namespace engine
{

// Texture of rows of `width` elements; an element is `channels` (1, 2, 4) floats or halves. Coordinates are
// unnormalised, values outside are 0. The texture unit interpolates if `linear`. The memory must outlive the texture.
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
