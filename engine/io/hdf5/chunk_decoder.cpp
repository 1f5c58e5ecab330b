// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/hdf5/chunk_decoder.h"

#include "engine/base/error.h"

#include <libdeflate.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

namespace engine
{

namespace
{

constexpr std::size_t checksumBytes = 4;

// Computes Fletcher's checksum of 16-bit words as HDF5 does (its File Format Specification, filter 3): the first byte
// of a word is its high byte, and so is a last odd byte. The sums are defined modulo 65535 only, where 0 and 65535
// are the same.
std::uint32_t fletcher32(const char* bytes, std::size_t count)
{
    const auto byteAt = [bytes](std::size_t k) { return std::uint32_t{static_cast<unsigned char>(bytes[k])}; };
    constexpr std::size_t atOnce = 1 << 17; // bytes between two reductions: the sums stay below 2⁴⁸
    std::uint64_t first = 0, second = 0;
    for (std::size_t k = 0; k < count;) {
        for (const std::size_t end = std::min(count, k + atOnce); k < end; k += 2) {
            first += (byteAt(k) << 8) + (k + 1 < count ? byteAt(k + 1) : 0);
            second += first;
        }
        first %= 65535;
        second %= 65535;
    }
    return static_cast<std::uint32_t>(second << 16 | first);
}

// Returns whether a stored checksum, in little-endian order, equals this one. HDF5 before 1.6.3 exchanged the bytes
// within each half; such checksums are accepted too.
bool isChecksum(const char* stored, std::uint32_t sum)
{
    const auto byteAt = [stored](int k) { return std::uint32_t{static_cast<unsigned char>(stored[k])}; };
    const auto isSum = [sum](std::uint32_t second, std::uint32_t first) {
        return second % 65535 == sum >> 16 && first % 65535 == (sum & 0xffff);
    };
    return isSum(byteAt(3) << 8 | byteAt(2), byteAt(1) << 8 | byteAt(0)) ||
           isSum(byteAt(2) << 8 | byteAt(3), byteAt(0) << 8 | byteAt(1));
}

} // namespace

ChunkDecoder::ChunkDecoder(ChunkStore store, std::vector<ChunkFilter> filters, std::size_t bytesOfNumber)
    : m_store(std::move(store)), m_filters(std::move(filters)), m_bytesOfNumber(bytesOfNumber), m_bytes(bytesOfNumber),
      m_decompressor(libdeflate_alloc_decompressor(), libdeflate_free_decompressor)
{
    for (const long long edge : m_store.facts.chunk)
        m_bytes *= static_cast<std::size_t>(edge);
    if (!m_decompressor)
        throw std::bad_alloc();
}

char* ChunkDecoder::at(const std::vector<long long>& start)
{
    const StoredChunk stored = m_store.read(start, m_data);
    const DatasetFacts& facts = m_store.facts;
    bool isPartial = false;
    for (std::size_t d = 0; d < facts.chunk.size(); ++d)
        isPartial = isPartial || start[d] + facts.chunk[d] > facts.shape[d];
    const unsigned leftOut = isPartial && !facts.areEdgesFiltered ? ~0U : stored.leftOut;
    m_wasWritten = stored.isWritten;
    require(!stored.isHollow, start);
    if (m_data.empty())
        return nullptr;
    m_now = {m_data.data(), m_data.size()};
    const auto isDone = [leftOut](std::size_t k) { return (leftOut >> k & 1U) == 0; };
    std::size_t wanted = m_bytes; // the length that each decoding step must yield
    for (std::size_t k = 0; k < m_filters.size(); ++k)
        if (isDone(k) && m_filters[k].kind == ChunkFilter::Kind::checksum)
            wanted += checksumBytes;
    for (std::size_t k = m_filters.size(); k-- > 0;) {
        if (!isDone(k))
            continue;
        if (m_filters[k].kind == ChunkFilter::Kind::checksum)
            wanted -= checksumBytes;
        decode(m_filters[k], wanted, start);
    }
    require(m_now.size() == m_bytes, start);
    return m_now.data();
}

void ChunkDecoder::decode(const ChunkFilter& filter, std::size_t wanted, const std::vector<long long>& start)
{
    if (filter.kind == ChunkFilter::Kind::checksum) {
        takeChecksum(start);
        return;
    }
    if (filter.kind == ChunkFilter::Kind::plugin) {
        byPlugin(filter, wanted, start);
        return;
    }
    m_other.resize(wanted);
    if (filter.kind == ChunkFilter::Kind::deflate)
        inflate(wanted, start);
    else if (filter.kind == ChunkFilter::Kind::shuffle)
        unshuffle(wanted, start);
    else
        require(m_blocks.decode(filter, m_now, {m_other.data(), wanted}), start);
    std::swap(m_data, m_other);
    m_now = {m_data.data(), wanted};
}

void ChunkDecoder::inflate(std::size_t wanted, const std::vector<long long>& start)
{
    std::size_t made = 0;
    const auto result = libdeflate_zlib_decompress(m_decompressor.get(), m_now.data(), m_now.size(), m_other.data(),
                                                   m_other.size(), &made);
    require(result == LIBDEFLATE_SUCCESS && made == wanted, start);
}

void ChunkDecoder::byPlugin(const ChunkFilter& filter, std::size_t wanted, const std::vector<long long>& start)
{
    if (!m_plugin)
        m_plugin = m_store.plugins->take(filter.id);
    m_now = m_plugin->decode(filter.parameters, m_now, wanted);
    require(m_now.size() == wanted, start);
}

// Reverses HDF5's shuffle filter: the first bytes of all numbers stand first, then their second bytes, and so on.
// Remaining bytes are copied.
void ChunkDecoder::unshuffle(std::size_t wanted, const std::vector<long long>& start)
{
    require(m_now.size() == wanted, start);
    const std::size_t count = wanted / m_bytesOfNumber, whole = count * m_bytesOfNumber;
    for (std::size_t byte = 0; byte < m_bytesOfNumber; ++byte)
        for (std::size_t k = 0; k < count; ++k)
            m_other[k * m_bytesOfNumber + byte] = m_now[byte * count + k];
    std::memcpy(m_other.data() + whole, m_now.data() + whole, wanted - whole);
}

void ChunkDecoder::takeChecksum(const std::vector<long long>& start)
{
    require(m_now.size() > checksumBytes, start);
    const std::size_t bytes = m_now.size() - checksumBytes;
    require(isChecksum(m_now.data() + bytes, fletcher32(m_now.data(), bytes)), start);
    m_now = m_now.first(bytes);
}

void ChunkDecoder::require(bool isWhole, const std::vector<long long>& start) const
{
    if (!isWhole)
        throw Error(ErrorKind::badFile, fileText(m_store.facts.file.string()) + ": the data set " + m_store.facts.path +
                                            " can't be read from position " + std::to_string(start[0]) +
                                            " on: a chunk of it is damaged. The file may be incomplete.");
}

} // namespace engine
