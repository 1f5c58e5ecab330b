// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cpu/parallel/stored_bins.h"

#include "engine/base/parallel_for.h"
#include "engine/base/uninitialized.h"
#include "engine/data/half_scale.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <new>
#include <span>

namespace engine
{

namespace
{

const float* rowOf(const SinogramView& sinograms, int slice, int projection)
{
    const auto& values = sinograms.floats;
    return values.data() + (static_cast<std::size_t>(slice) * sinograms.projections + projection) * sinograms.bins;
}

constexpr int binsAtOnce = 64; // of all slices, so that the output stays in the first-level cache

template <typename Stored, typename Convert>
void interleaveRow(const SinogramView& sinograms, int projection, int firstSlice, int slices, Stored* row,
                   Convert convert)
{
    for (int first = 0; first < sinograms.bins; first += binsAtOnce) {
        const int end = std::min(first + binsAtOnce, sinograms.bins);
        for (int s = 0; s < slices; ++s) {
            const float* source = rowOf(sinograms, firstSlice + s, projection);
            for (int bin = first; bin < end; ++bin)
                row[static_cast<std::ptrdiff_t>(bin) * slices + s] = convert(source[bin]);
        }
    }
}

// Rounds a value, |value| < 2²², without calling the library.
std::int32_t nearestInteger(float value)
{
    constexpr float magic = 12582912.0f; // 1.5·2²³
    return std::bit_cast<std::int32_t>(value + magic) - std::bit_cast<std::int32_t>(magic);
}

// Returns the largest magnitude; infinite or NaN if a value is. Compares integers, which compilers vectorise.
float largestMagnitude(const float* values, std::ptrdiff_t count)
{
    std::int32_t largest = 0;
    for (std::ptrdiff_t k = 0; k < count; ++k)
        largest = std::max(largest, std::bit_cast<std::int32_t>(values[k]) & 0x7fffffff);
    return std::bit_cast<float>(largest);
}

// Stores the 16-bit numbers of all slices, each paired with its right neighbour.
void pairRow(const SinogramView& sinograms, int projection, int firstSlice, std::span<const float> perUnit,
             std::uint32_t* row)
{
    constexpr int mostSlices = 64;
    const auto slices = static_cast<int>(perUnit.size());
    std::uint32_t pairs[mostSlices][binsAtOnce];
    for (int first = -1; first < sinograms.bins; first += binsAtOnce) { // bin −1: the pair (0, bin 0)
        const int count = std::min(binsAtOnce, sinograms.bins - first);
        for (int s = 0; s < slices; ++s) {
            const float* source = rowOf(sinograms, firstSlice + s, projection);
            std::int32_t numbers[binsAtOnce + 1];
            for (int k = std::max(0, -first); k <= std::min(count, sinograms.bins - 1 - first); ++k)
                numbers[k] = nearestInteger(source[first + k] * perUnit[s]);
            if (first < 0)
                numbers[0] = 0;
            if (first + count == sinograms.bins)
                numbers[count] = 0;
            for (int k = 0; k < count; ++k)
                pairs[s][k] = (static_cast<std::uint32_t>(numbers[k]) & 0xffff) |
                              static_cast<std::uint32_t>(numbers[k + 1]) << 16;
        }
        for (int k = 0; k < count; ++k)
            for (int s = 0; s < slices; ++s)
                row[static_cast<std::ptrdiff_t>(first + k) * slices + s] = pairs[s][k];
    }
}

void storePairs(const SinogramView& sinograms, int firstSlice, const std::stop_token& stop, StoredBins& out)
{
    const int blocks = (sinograms.projections + projectionsPerBlock - 1) / projectionsPerBlock;
    out.scales.assign(static_cast<std::size_t>(blocks) * out.slices, 0.0f);
    parallelFor(0, blocks, [&](int block) {
        const int first = block * projectionsPerBlock;
        const int end = std::min(first + projectionsPerBlock, sinograms.projections);
        std::vector<float> perUnit(out.slices, 0.0f);
        for (int s = 0; s < out.slices; ++s) {
            const float largest = largestMagnitude(rowOf(sinograms, firstSlice + s, first),
                                                   static_cast<std::ptrdiff_t>(end - first) * sinograms.bins);
            // A block whose values are at most 2⁻¹⁰⁰ is stored as zeros, because it is negligible beside any other
            // block, and the quotient below would overflow if `largest` were much smaller than that.
            if (largest > 0x1p-100f) {
                perUnit[s] = 32766.5f / largest;
                out.scales[static_cast<std::size_t>(block) * out.slices + s] = 1.0f / perUnit[s];
            }
        }
        for (int p = first; p < end && !stop.stop_requested(); ++p)
            pairRow(sinograms, p, firstSlice, perUnit, static_cast<std::uint32_t*>(const_cast<void*>(out.row(p))));
    });
}

} // namespace

void AlignedMemory::reserve(std::size_t bytes)
{
    constexpr std::size_t line = 64, page = 2 << 20;
    if (bytes <= m_bytes)
        return;
    m_memory.reset();
    m_bytes = 0;
    const std::size_t unit = bytes > 2 * page ? page : line;
    m_memory.reset(static_cast<std::byte*>(std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit)));
    if (!m_memory)
        throw std::bad_alloc();
    preferLargePages(m_memory.get(), bytes);
    m_bytes = bytes;
}

std::ptrdiff_t StoredBins::stride() const
{
    const std::ptrdiff_t values = (static_cast<std::ptrdiff_t>(bins) + 2 * margin) * slices;
    return storage == BinStorage::fixedPairs ? 2 * values : values;
}

const void* StoredBins::row(int projection) const
{
    const std::size_t perBin = valueBytes() * slices;
    return memory.data() + ((static_cast<std::size_t>(bins) + 2 * margin) * projection + margin) * perBin;
}

bool allFinite(const SinogramView& sinograms, int firstSlice, int slices)
{
    std::atomic<bool> finite = true;
    parallelFor(0, slices * sinograms.projections, [&](int k) {
        const float* row = rowOf(sinograms, firstSlice, 0) + static_cast<std::size_t>(k) * sinograms.bins;
        if (!std::isfinite(largestMagnitude(row, sinograms.bins)))
            finite = false;
    });
    return finite;
}

void storeBins(const SinogramView& sinograms, int firstSlice, const StoreOptions& options, const std::stop_token& stop,
               StoredBins& out)
{
    out.storage = options.storage;
    out.slices = options.slices;
    out.margin = options.margin;
    out.bins = sinograms.bins;
    const std::size_t perBin = out.valueBytes() * out.slices;
    const std::size_t rowBytes = (static_cast<std::size_t>(out.bins) + 2 * out.margin) * perBin;
    // One more vector, because shuffleKernel reads whole vectors.
    out.memory.reserve(rowBytes * sinograms.projections + 64);
    const float scale = static_cast<float>(options.scale);
    parallelFor(0, sinograms.projections, [&](int p) {
        if (stop.stop_requested())
            return;
        void* row = const_cast<void*>(out.row(p));
        std::memset(out.memory.data() + rowBytes * p, 0, perBin * out.margin);
        std::memset(out.memory.data() + rowBytes * (p + 1) - perBin * out.margin, 0, perBin * out.margin);
        if (out.storage == BinStorage::half)
            interleaveRow(sinograms, p, firstSlice, out.slices, static_cast<std::uint16_t*>(row),
                          [scale](float value) { return toHalf(value * scale); });
        else if (out.storage == BinStorage::float32 && options.rounded)
            interleaveRow(sinograms, p, firstSlice, out.slices, static_cast<float*>(row),
                          [scale](float value) { return fromHalf(toHalf(value * scale)); });
        else if (out.storage == BinStorage::float32)
            interleaveRow(sinograms, p, firstSlice, out.slices, static_cast<float*>(row),
                          [](float value) { return value; });
    });
    if (out.storage == BinStorage::fixedPairs)
        storePairs(sinograms, firstSlice, stop, out);
}

} // namespace engine
