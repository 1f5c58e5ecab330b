// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/hdf5/block_filters.h"

#include "engine/io/hdf5/bitshuffle.h"

#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>

namespace engine
{

namespace
{

using FilterKind = ChunkFilter::Kind;

// The stored bytes that are still to be decoded.
class StoredBytes
{
  public:
    explicit StoredBytes(std::span<const char> bytes) : m_bytes(bytes) {}

    // Returns the next bytes; nothing if fewer than `count` are left.
    std::optional<std::span<const char>> take(std::uint64_t count)
    {
        if (count > m_bytes.size())
            return {};
        const auto taken = m_bytes.first(static_cast<std::size_t>(count));
        m_bytes = m_bytes.subspan(taken.size());
        return taken;
    }
    // Returns a big-endian number; 0 if fewer than `bytes` bytes are left.
    std::uint64_t number(std::size_t bytes)
    {
        std::uint64_t value = 0;
        if (const auto taken = take(bytes))
            for (const char byte : *taken)
                value = value << 8 | static_cast<unsigned char>(byte);
        return value;
    }

  private:
    std::span<const char> m_bytes;
};

bool unpackLz4(std::span<const char> packed, std::span<char> out)
{
    return packed.size() <= LZ4_MAX_INPUT_SIZE && out.size() <= LZ4_MAX_INPUT_SIZE &&
           LZ4_decompress_safe(packed.data(), out.data(), static_cast<int>(packed.size()),
                               static_cast<int>(out.size())) == static_cast<int>(out.size());
}

// Stored are the decoded length (8 bytes), the length of a decoded block (4 bytes), and blocks: each begins with its
// stored length (4 bytes), which is the decoded one if it isn't compressed. Numbers are big-endian. Source: the HDF
// Group's registered filter 32004, HDF5_LZ4.pdf.
bool decodeLz4(StoredBytes stored, std::span<char> out)
{
    const std::uint64_t length = stored.number(8), block = stored.number(4);
    if (length != out.size() || block == 0)
        return false;
    while (!out.empty()) {
        const auto part = out.first(static_cast<std::size_t>(std::min<std::uint64_t>(block, out.size())));
        const auto packed = stored.take(stored.number(4));
        if (packed && packed->size() == part.size())
            std::copy_n(packed->data(), part.size(), part.data());
        else if (!packed || !unpackLz4(*packed, part))
            return false;
        out = out.subspan(part.size());
    }
    return true;
}

// A byte below 32 is followed by that many bytes and one more as they are. Another byte begins a copy of earlier bytes:
// its upper three bits are the length less two (7: the next byte is added), its lower five and the next byte the
// distance less one. Source: M. Lehmann, LibLZF.
bool decodeLzf(StoredBytes stored, std::span<char> out)
{
    bool isCut = false;
    const auto byte = [&]() -> std::size_t {
        const auto taken = stored.take(1);
        isCut = isCut || !taken;
        return taken ? static_cast<unsigned char>((*taken)[0]) : 0;
    };
    for (std::size_t made = 0; made < out.size() && !isCut;) {
        const std::size_t first = byte(), code = first / 32;
        const std::size_t length = code == 0 ? first + 1 : code + 2 + (code == 7 ? byte() : 0);
        const std::size_t distance = code == 0 ? 0 : first % 32 * 256 + byte() + 1;
        const auto bytes = stored.take(code == 0 ? length : 0);
        if (!bytes || distance > made || length > out.size() - made)
            return false;
        std::ranges::copy(*bytes, out.begin() + made);
        for (std::size_t k = made; code > 0 && k < made + length; ++k) // may overlap
            out[k] = out[k - distance];
        made += length;
    }
    return !isCut;
}

} // namespace

// Bitshuffle has up to five parameters: its version (two numbers), bytes per element, elements per block (0: the usual
// count), and the compression (0: none, 2: LZ4, 3: Zstandard).
std::optional<ChunkFilter> blockFilter(int id, const std::vector<unsigned>& parameters)
{
    if (id == 32004)
        return ChunkFilter{FilterKind::lz4};
    if (id == 32015)
        return ChunkFilter{FilterKind::zstd};
    if (id == 32000)
        return ChunkFilter{FilterKind::lzf};
    if (id != 32008 || parameters.size() < 3 || parameters[2] == 0)
        return {};
    const unsigned block = parameters.size() > 3 ? parameters[3] : 0;
    switch (parameters.size() > 4 ? parameters[4] : 0) {
    case 0:
        return ChunkFilter{FilterKind::bitshuffle, {parameters[2], block}};
    case 2:
        return ChunkFilter{FilterKind::bitshuffleLz4, {parameters[2], block}};
    case 3:
        return ChunkFilter{FilterKind::bitshuffleZstd, {parameters[2], block}};
    default:
        return {};
    }
}

bool BlockDecoder::decode(const ChunkFilter& filter, std::span<const char> stored, std::span<char> out)
{
    if (filter.kind == FilterKind::lz4)
        return decodeLz4(StoredBytes(stored), out);
    if (filter.kind == FilterKind::lzf)
        return decodeLzf(StoredBytes(stored), out);
    return filter.kind == FilterKind::zstd ? unpackZstd(stored, out) : unshuffle(filter, stored, out);
}

bool BlockDecoder::unpackZstd(std::span<const char> packed, std::span<char> out)
{
    if (!m_zstd)
        m_zstd = {ZSTD_createDCtx(), ZSTD_freeDCtx};
    if (!m_zstd)
        throw std::bad_alloc();
    return ZSTD_decompressDCtx(m_zstd.get(), out.data(), out.size(), packed.data(), packed.size()) == out.size();
}

// Blocks of elements are shuffled, and compressed each: then a header has the decoded length (8 bytes) and that of a
// block (4 bytes), and each block begins with its stored length (4 bytes). Numbers are big-endian. The last block is
// shorter; fewer than 8 elements at the end are stored as they are. Source: github.com/kiyo-masui/bitshuffle.
bool BlockDecoder::unshuffle(const ChunkFilter& filter, std::span<const char> bytes, std::span<char> out)
{
    const std::size_t elementBytes = filter.parameters[0];
    std::size_t block = filter.parameters[1];
    StoredBytes stored(bytes);
    if (out.size() % elementBytes != 0)
        return false;
    if (filter.kind != FilterKind::bitshuffle) {
        if (stored.number(8) != out.size())
            return false;
        block = static_cast<std::size_t>(stored.number(4)) / elementBytes;
    }
    if (block == 0)
        block = std::max<std::size_t>(128, 8192 / elementBytes / 8 * 8);
    if (block % 8 != 0)
        return false;
    for (std::size_t left = out.size() / elementBytes; left >= 8;) {
        const std::size_t count = std::min(block, left / 8 * 8);
        const auto part = out.first(count * elementBytes);
        const auto packed = stored.take(filter.kind == FilterKind::bitshuffle ? part.size() : stored.number(4));
        if (!packed)
            return false;
        const char* shuffled = packed->data();
        if (filter.kind != FilterKind::bitshuffle) {
            m_block.resize(part.size());
            const std::span<char> made(m_block.data(), m_block.size());
            if (filter.kind == FilterKind::bitshuffleLz4 ? !unpackLz4(*packed, made) : !unpackZstd(*packed, made))
                return false;
            shuffled = m_block.data();
        }
        unshuffleBits(shuffled, part.data(), count, elementBytes);
        out = out.subspan(part.size());
        left -= count;
    }
    const auto rest = stored.take(out.size());
    if (rest)
        std::copy_n(rest->data(), out.size(), out.data());
    return rest.has_value();
}

} // namespace engine
