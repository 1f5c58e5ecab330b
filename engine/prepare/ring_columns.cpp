// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/prepare/ring_columns.h"

#include "engine/prepare/median.h"

#include <array>
#include <bit>
#include <numeric>

namespace engine
{

namespace
{

// Sorts a column in ascending order and returns where each value came from: a stable radix sort, 11 bits per pass.
class ColumnSort
{
  public:
    void run(float* values, std::uint32_t* order, int count)
    {
        m_keys.resize(count), m_other.resize(count);
        for (auto& histogram : m_counts)
            histogram.fill(0);
        for (int k = 0; k < count; ++k) {
            const auto bits = std::bit_cast<std::uint32_t>(values[k] + 0.0F);          // turns −0 into +0
            const std::uint32_t key = bits ^ (bits >> 31 ? 0xffffffffU : 0x80000000U); // in the order of the floats
            m_keys[k] = static_cast<std::uint64_t>(key) << 32 | static_cast<std::uint32_t>(k);
            for (int pass = 0; pass < passes; ++pass)
                ++m_counts[pass][key >> (digit * pass) & mask];
        }
        for (int pass = 0; pass < passes; ++pass) {
            auto& starts = m_counts[pass];
            std::exclusive_scan(starts.begin(), starts.end(), starts.begin(), 0U);
            for (const std::uint64_t key : m_keys)
                m_other[starts[key >> (32 + digit * pass) & mask]++] = key;
            m_keys.swap(m_other);
        }
        for (int k = 0; k < count; ++k) {
            const auto key = static_cast<std::uint32_t>(m_keys[k] >> 32);
            values[k] = std::bit_cast<float>(key ^ (key >> 31 ? 0x80000000U : 0xffffffffU));
            order[k] = static_cast<std::uint32_t>(m_keys[k]);
        }
    }

  private:
    static constexpr int digit = 11, passes = 3;
    static constexpr std::uint32_t mask = (1U << digit) - 1;
    std::vector<std::uint64_t> m_keys, m_other;
    std::array<std::array<std::uint32_t, 1U << digit>, passes> m_counts;
};

} // namespace

Sorted sorted(const SinogramPlane& sinogram)
{
    Sorted made;
    made.values.resize(sinogram.size());
    made.order.resize(sinogram.size());
    tbb::enumerable_thread_specific<ColumnSort> sorts;
    forEachColumns(sinogram, [&](Columns& columns) {
        ColumnSort& sort = sorts.local();
        for (int k = 0; k < columns.count; ++k)
            sort.run(columns.column(k),
                     made.order.data() + static_cast<std::size_t>(columns.first + k) * sinogram.projections,
                     sinogram.projections);
        storeColumns(columns, made.plane(sinogram));
    });
    return made;
}

void putBack(const Values& values, const Sorted& sorted, const std::vector<char>& chosen, const SinogramPlane& sinogram)
{
    const SinogramPlane from{const_cast<float*>(values.data()), sinogram.projections, sinogram.bins}; // read only
    tbb::enumerable_thread_specific<std::vector<float>> rooms;
    forEachColumns(from, [&](Columns& columns) {
        std::vector<float>& column = rooms.local();
        column.resize(static_cast<std::size_t>(sinogram.projections));
        for (int k = 0; k < columns.count; ++k) {
            const std::uint32_t* order =
                sorted.order.data() + static_cast<std::size_t>(columns.first + k) * sinogram.projections;
            for (int rank = 0; rank < sinogram.projections; ++rank)
                column[order[rank]] = columns.column(k)[rank];
            std::ranges::copy(column, columns.column(k));
        }
        for (int p = 0; p < sinogram.projections; ++p)
            for (int k = 0; k < columns.count; ++k)
                if (chosen.empty() || chosen[columns.first + k])
                    sinogram.line(p)[columns.first + k] = columns.column(k)[p];
    });
}

Values medianAcross(const SinogramPlane& plane, int size)
{
    Values made(plane.size());
    tbb::enumerable_thread_specific<MovingMedian> medians([size] { return MovingMedian(size); });
    parallelFor(0, plane.projections, [&](int p) {
        medians.local().run({plane.line(p), static_cast<std::size_t>(plane.bins)},
                            made.data() + static_cast<std::size_t>(p) * plane.bins);
    });
    return made;
}

} // namespace engine
