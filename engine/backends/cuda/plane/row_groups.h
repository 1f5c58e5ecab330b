// SPDX-License-Identifier: GPL-3.0-or-later
// Filtered projections in device memory, in groups of neighbouring rows, for planes in any direction.
#pragma once

#include "engine/backends/cuda/device/buffer.h"
#include "engine/backends/cuda/device/check.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace engine::cuda
{

constexpr int rowsPerGroup = 3;  // from the first row of a group to the first row of the next one
constexpr int rowsPerTexel = 4;  // a group and the first row of the next one, so that one texel serves any two rows
constexpr int texelsBetween = 2; // zeros behind the last bin of a group, which are before the first of the next
constexpr std::size_t texelLine = 128;   // bytes of a cache line, at which each group begins
constexpr std::size_t bytesBefore = 512; // of the first group; ends with zeros, too
constexpr int mostTextureLines = 65000;  // of a texture in linear memory
constexpr int mostTextureBins = 131000;  // likewise
constexpr int mostTextures = 64;         // of a launch
constexpr int texturesAlignAfter = 4;    // projections, after which a texture may begin: 512 bytes

// Where the rows of a detector lie. Group g has the rows 3g − 1 … 3g + 2; rows that the detector lacks are 0. Memory
// holds texels [projection][group][bin], with zeros on both sides.
struct RowGroups {
    int rows = 0, bins = 0;

    int groups() const { return (rows + 1 + rowsPerGroup - 1) / rowsPerGroup; } // of rows −1 … rows − 1, and one more
    std::size_t pitch(bool half) const                                          // bytes of a group of one projection
    {
        const std::size_t bytes = rowsPerTexel * (half ? 2 : 4) * (static_cast<std::size_t>(bins) + texelsBetween);
        return (bytes + texelLine - 1) / texelLine * texelLine;
    }
    int projectionsPerTexture() const
    {
        return mostTextureLines / groups() / texturesAlignAfter * texturesAlignAfter; // 0: too many rows
    }
    int mostProjections() const { return mostTextures * projectionsPerTexture(); }
    std::size_t bytes(int projections, bool half) const
    {
        return pitch(half) * groups() * static_cast<std::size_t>(projections);
    }
};

// The memory of some projections as kernels see it. Texture k has the projections from k·perTexture on, one group per
// line. Coordinates are unnormalised, values outside are 0.
struct RowGroupView {
    const char* data = nullptr;
    std::size_t pitch = 0;
    int perTexture = 1;
    cudaTextureObject_t textures[mostTextures] = {};
};

// Owner of the memory of some consecutive projections, and of textures that read it.
class RowGroupMemory
{
  public:
    RowGroupMemory(const RowGroups& groups, int projections, bool half)
        : m_memory(bytesBefore + groups.bytes(projections, half)), m_pitch(groups.pitch(half)),
          m_perTexture(groups.projectionsPerTexture())
    {
        const int bits = half ? 16 : 32;
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypePitch2D;
        resource.res.pitch2D.desc = cudaCreateChannelDesc(bits, bits, bits, bits, cudaChannelFormatKindFloat);
        resource.res.pitch2D.width = static_cast<std::size_t>(groups.bins);
        resource.res.pitch2D.pitchInBytes = m_pitch;
        cudaTextureDesc description{};
        description.addressMode[0] = description.addressMode[1] = cudaAddressModeBorder;
        description.readMode = cudaReadModeElementType;
        for (int first = 0; first < projections; first += m_perTexture) {
            const auto count = static_cast<std::size_t>(std::min(m_perTexture, projections - first));
            resource.res.pitch2D.devPtr = data() + groups.bytes(first, half);
            resource.res.pitch2D.height = count * groups.groups();
            description.filterMode = cudaFilterModeLinear;
            m_linear.emplace_back(resource, description);
            description.filterMode = cudaFilterModePoint;
            m_nearest.emplace_back(resource, description);
        }
    }

    char* data() const { return m_memory.data() + bytesBefore; }
    std::size_t pitch() const { return m_pitch; }
    // linear: textures interpolate between bins; else they take the nearest bin.
    RowGroupView view(bool linear) const
    {
        RowGroupView view{data(), m_pitch, m_perTexture, {}};
        const std::vector<Texture>& textures = linear ? m_linear : m_nearest;
        for (std::size_t k = 0; k < textures.size(); ++k)
            view.textures[k] = textures[k].object;
        return view;
    }

  private:
    struct Texture {
        cudaTextureObject_t object = 0;

        Texture(const cudaResourceDesc& resource, const cudaTextureDesc& description)
        {
            SINOSCOPE_CUDA(cudaCreateTextureObject(&object, &resource, &description, nullptr));
        }
        Texture(Texture&& other) noexcept : object(std::exchange(other.object, 0)) {}
        Texture& operator=(Texture&&) = delete;
        ~Texture()
        {
            if (object)
                cudaDestroyTextureObject(object);
        }
    };

    DeviceBuffer<char> m_memory;
    std::size_t m_pitch;
    int m_perTexture;
    std::vector<Texture> m_linear, m_nearest;
};

} // namespace engine::cuda
