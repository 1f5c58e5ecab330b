// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/hdf5/deflate_chunk.h"

#include <libdeflate.h>

#include <algorithm>
#include <memory>
#include <new>

namespace engine
{

int rowsPerChunk(int height, int width, const OutputFormat& format)
{
    const std::size_t rowBytes = static_cast<std::size_t>(width) * format.bytesPerValue();
    return static_cast<int>(std::clamp<std::size_t>((1 << 20) / std::max<std::size_t>(rowBytes, 1), 1, height));
}

long long deflateChunk(const OutputFormat& format, std::span<const float> values, std::size_t capacity,
                       std::vector<std::byte>& deflated)
{
    const std::size_t size = format.bytesPerValue();
    std::vector<std::byte> stored(capacity * size), shuffled(capacity * size);
    const long long changed = store(format, values, stored.data());
    for (std::size_t byte = 0; byte < size; ++byte)
        for (std::size_t k = 0; k < capacity; ++k)
            shuffled[byte * capacity + k] = stored[k * size + byte];
    const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
        libdeflate_alloc_compressor(format.deflateLevel), libdeflate_free_compressor);
    if (!compressor)
        throw std::bad_alloc();
    deflated.resize(libdeflate_zlib_compress_bound(compressor.get(), shuffled.size()));
    deflated.resize(
        libdeflate_zlib_compress(compressor.get(), shuffled.data(), shuffled.size(), deflated.data(), deflated.size()));
    return changed;
}

} // namespace engine
