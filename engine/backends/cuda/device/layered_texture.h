// SPDX-License-Identifier: GPL-3.0-or-later
// Owner of layered two-dimensional textures, which kernels write as a surface and read as a texture.
#pragma once

#include "engine/backends/cuda/device/check.h"

#include <utility>

namespace engine
{

// Stack of `layers` images of width × height elements; an element is `channels` (1, 2, 4) floats or halves.
// Coordinates are unnormalised, values outside are 0. The texture unit interpolates if `linear`.
class LayeredTexture
{
  public:
    LayeredTexture() = default;
    LayeredTexture(int width, int height, int layers, int channels, bool half, bool linear)
    {
        const int bits = half ? 16 : 32;
        const cudaChannelFormatDesc format =
            cudaCreateChannelDesc(bits, channels >= 2 ? bits : 0, channels >= 4 ? bits : 0, channels >= 4 ? bits : 0,
                                  cudaChannelFormatKindFloat);
        SINOSCOPE_CUDA(
            cudaMalloc3DArray(&m_array, &format,
                              make_cudaExtent(static_cast<std::size_t>(width), static_cast<std::size_t>(height),
                                              static_cast<std::size_t>(layers)),
                              cudaArrayLayered | cudaArraySurfaceLoadStore));
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = m_array;
        cudaTextureDesc description{};
        description.addressMode[0] = description.addressMode[1] = cudaAddressModeBorder;
        description.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
        description.readMode = cudaReadModeElementType;
        const cudaError_t texture = cudaCreateTextureObject(&m_texture, &resource, &description, nullptr);
        const cudaError_t surface = texture == cudaSuccess ? cudaCreateSurfaceObject(&m_surface, &resource) : texture;
        if (surface != cudaSuccess) {
            release();
            checkCuda(surface, "layered texture");
        }
    }
    ~LayeredTexture() { release(); }
    LayeredTexture(LayeredTexture&& other) noexcept { swap(other); }
    LayeredTexture& operator=(LayeredTexture&& other) noexcept
    {
        swap(other);
        return *this;
    }
    cudaTextureObject_t texture() const { return m_texture; }
    cudaSurfaceObject_t surface() const { return m_surface; }

  private:
    void swap(LayeredTexture& other)
    {
        std::swap(m_array, other.m_array);
        std::swap(m_texture, other.m_texture);
        std::swap(m_surface, other.m_surface);
    }
    void release()
    {
        if (m_surface)
            cudaDestroySurfaceObject(m_surface);
        if (m_texture)
            cudaDestroyTextureObject(m_texture);
        cudaFreeArray(m_array);
    }

    cudaArray_t m_array = nullptr;
    cudaTextureObject_t m_texture = 0;
    cudaSurfaceObject_t m_surface = 0;
};

} // namespace engine
