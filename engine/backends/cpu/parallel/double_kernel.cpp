// SPDX-License-Identifier: GPL-3.0-or-later
// A square of 8 × 8 pixels meets at most 12 bins, which are held in registers and shuffled to the pixels, in the same
// way as floats in shuffle_kernel.cpp.
//
// Errors relative to the plain sum in double precision: positions are accurate to a few 2⁻⁵³ of h; weights within 8
// bins of the square's middle are accurate to 2⁻⁵⁰ of the difference of two bins.
#include "engine/backends/cpu/parallel/double_kernel.h"

#include <algorithm>
#include <utility>

#include "engine/base/targets-inl.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/backends/cpu/parallel/double_kernel.cpp"
#include <hwy/foreach_target.h>

#include "engine/backends/cpu/parallel/positions-inl.h"
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "engine/base/chosen_target-inl.h"

HWY_BEFORE_NAMESPACE();
namespace engine
{
namespace HWY_NAMESPACE
{
namespace
{

namespace hn = hwy::HWY_NAMESPACE;

constexpr int edge = 8;
constexpr int doubles = lanes / 2;
constexpr auto everyRow = std::make_index_sequence<edge>();
using Integers = hn::Rebind<std::int64_t, Doubles>;
using V = hn::Vec<Doubles>;

// The last bits of h + magic, |h| < 2⁵¹, are the integer nearest to h.
constexpr double magic = 6755399441055744.0; // 1.5·2⁵²
// Added to h, so that rounding gives the left bin. A tie may give the previous bin, whose line ends in the same
// value.
constexpr double shift = -0.5;

// Distances of a square's columns and rows from its middle, in bins: the same for all squares.
struct Distances {
    alignas(64) double columns[projectionsPerBlock][edge]; // with `shift` added
    alignas(64) double rows[projectionsPerBlock][edge];
};

HWY_INLINE void findDistances(const DoubleTile& tile, Distances& out)
{
    const Doubles d;
    for (int p = 0; p < tile.projections; ++p)
        for (int k = 0; k < edge; k += doubles) {
            const V distance = hn::Add(hn::Iota(d, k), hn::Set(d, (1 - edge) / 2.0));
            const V across = hn::Set(d, tile.cosine[p] * tile.step), down = hn::Set(d, -tile.sine[p] * tile.step);
            hn::Store(hn::MulAdd(across, distance, hn::Set(d, shift)), d, out.columns[p] + k);
            hn::Store(hn::Mul(down, distance), d, out.rows[p] + k);
        }
}

// Lines through neighbouring bins, for a vector of left bins b = bin, bin + 1, …, counted from the middle bin: the
// value between b and b + 1 is offset + h'·slope, with h' = h + shift.
struct Lines {
    V offset, slope;
};

HWY_INLINE Lines linesFrom(const double* middle, int bin)
{
    const Doubles d;
    const V value = hn::LoadU(d, middle + bin);
    const V slope = hn::Sub(hn::LoadU(d, middle + bin + 1), value);
    return {hn::NegMulAdd(hn::Iota(d, bin + shift), slope, value), slope};
}

// Returns whether a square whose middle lies in this bin misses the detector.
HWY_INLINE bool misses(const DoubleTile& tile, int bin)
{
    return bin < -edge || bin > tile.binCount + edge;
}

template <std::size_t... row>
HWY_INLINE void loadSums(const double* from, V* sums, std::index_sequence<row...>)
{
    ((sums[row] = hn::Load(Doubles(), from + row * maxTileEdge)), ...);
}

template <std::size_t... row>
HWY_INLINE void storeSums(const V* sums, double* to, std::index_sequence<row...>)
{
    (hn::Store(sums[row], Doubles(), to + row * maxTileEdge), ...);
}

#if SINOSCOPE_TWO_REGISTERS

// Adds one row of pixels. Slot k of the two registers holds the line of bin k, or of bin k − 16 for k ≥ 8: the last
// four bits of an index select it.
HWY_INLINE V addRow(const Lines& low, const Lines& high, V columns, double row, V sum)
{
    const Doubles d;
    const V h = hn::Add(columns, hn::Set(d, row));
    const auto index = hn::BitCast(Integers(), hn::Add(h, hn::Set(d, magic)));
    const V offset{_mm512_permutex2var_pd(low.offset.raw, index.raw, high.offset.raw)};
    const V slope{_mm512_permutex2var_pd(low.slope.raw, index.raw, high.slope.raw)};
    return hn::MulAdd(h, slope, hn::Add(sum, offset));
}

template <std::size_t... row>
HWY_INLINE void addRows(const Lines& low, const Lines& high, V columns, const double* rows, V* sums,
                        std::index_sequence<row...>)
{
    ((sums[row] = addRow(low, high, columns, rows[row], sums[row])), ...);
}

HWY_INLINE void addSquare(const DoubleTile& tile, const Distances& distances, const Middles& middles, double* place)
{
    const Doubles d;
    V sums[edge];
    loadSums(place, sums, everyRow);
    for (int p = 0; p < tile.projections; ++p) {
        if (misses(tile, middles.bin[p]))
            continue;
        const double* middle = tile.bins + p * tile.stride + middles.bin[p];
        const Lines low = linesFrom(middle, 0), high = linesFrom(middle, -doubles);
        const V columns = hn::Add(hn::Load(d, distances.columns[p]), hn::Set(d, middles.rest[p]));
        addRows(low, high, columns, distances.rows[p], sums, everyRow);
    }
    storeSums(sums, place, everyRow);
}

#else

// For each row, the lines that a vector of pixels meets are loaded from its lowest bin on.
constexpr int firstLine = -8, lineCount = 20;

struct Tables {
    alignas(64) double offsets[lineCount], slopes[lineCount];
    // Per vector of columns and row: index of its lowest bin in the tables, and the number that converts h to slots.
    alignas(64) std::int32_t start[edge / doubles][edge];
    alignas(64) double magics[edge / doubles][edge]; // magic − least bin
};

HWY_INLINE void fillTables(const double* middle, const Distances& distances, int p, V rest, bool falling, Tables& out)
{
    const Doubles d;
    for (int bin = 0; bin < lineCount; bin += doubles) {
        const Lines lines = linesFrom(middle, firstLine + bin);
        hn::Store(lines.offset, d, out.offsets + bin);
        hn::Store(lines.slope, d, out.slopes + bin);
    }
    const V magicV = hn::Set(d, magic);
    for (int group = 0; group < edge / doubles; ++group) {
        // The row's first or last pixel has the lowest bin. It is computed as in the kernel, because it must give the
        // very same bin.
        const int column = group * doubles + (falling ? doubles - 1 : 0);
        const V first = hn::Add(hn::Set(d, distances.columns[p][column]), rest);
        for (int row = 0; row < edge; row += doubles) {
            const V h = hn::Add(first, hn::Load(d, distances.rows[p] + row));
            const V least = hn::Sub(hn::Add(h, magicV), magicV);
            const hn::Rebind<std::int32_t, Doubles> di;
            hn::Store(hn::DemoteTo(di, hn::Sub(least, hn::Set(d, firstLine))), di, out.start[group] + row);
            hn::Store(hn::Sub(magicV, least), d, out.magics[group] + row);
        }
    }
}

// Returns the slots, 0…doubles − 1, from the last bits of the rounded positions.
HWY_INLINE auto indicesFrom(V rounded)
{
#if HWY_TARGET == HWY_AVX2
    // A slot becomes two indices, those of the two halves of a double; the instruction uses only their last three
    // bits.
    const __m256i twice = _mm256_castps_si256(_mm256_moveldup_ps(_mm256_castpd_ps(rounded.raw)));
    return _mm256_add_epi32(_mm256_add_epi32(twice, twice), _mm256_set1_epi64x(std::int64_t{1} << 32));
#else
    const auto index = hn::And(hn::BitCast(Integers(), rounded), hn::Set(Integers(), doubles - 1));
    return hn::IndicesFromVec(Doubles(), index);
#endif
}

template <class Indices>
HWY_INLINE V lookUp(const double* table, const Indices& indices)
{
    const V values = hn::LoadU(Doubles(), table);
#if HWY_TARGET == HWY_AVX2
    return V{_mm256_castps_pd(_mm256_permutevar8x32_ps(_mm256_castpd_ps(values.raw), indices))};
#else
    return hn::TableLookupLanes(values, indices);
#endif
}

HWY_INLINE V addRow(const Tables& tables, V columns, int group, int row, double down, V sum)
{
    const Doubles d;
    const V h = hn::Add(columns, hn::Set(d, down));
    // If rays are one bin apart, a tie may round to one bin past the last slot; there the previous bin's line gives
    // the same value.
    const V rounded = hn::Min(hn::Add(h, hn::Set(d, tables.magics[group][row])), hn::Set(d, magic + (doubles - 1)));
    const auto indices = indicesFrom(rounded);
    const int start = tables.start[group][row];
    return hn::MulAdd(h, lookUp(tables.slopes + start, indices), hn::Add(sum, lookUp(tables.offsets + start, indices)));
}

template <std::size_t... row>
HWY_INLINE void addRows(const Tables& tables, V columns, int group, const double* rows, V* sums,
                        std::index_sequence<row...>)
{
    ((sums[row] = addRow(tables, columns, group, row, rows[row], sums[row])), ...);
}

HWY_INLINE void addSquare(const DoubleTile& tile, const Distances& distances, const Middles& middles, double* place)
{
    const Doubles d;
    Tables tables[projectionsPerBlock];
    int hit[projectionsPerBlock], hits = 0;
    for (int p = 0; p < tile.projections; ++p) {
        if (misses(tile, middles.bin[p]))
            continue;
        const double* middle = tile.bins + p * tile.stride + middles.bin[p];
        fillTables(middle, distances, p, hn::Set(d, middles.rest[p]), tile.cosine[p] < 0, tables[p]);
        hit[hits++] = p;
    }
    for (int group = 0; group < edge / doubles; ++group) {
        V sums[edge];
        loadSums(place + group * doubles, sums, everyRow);
        for (int k = 0; k < hits; ++k) {
            const int p = hit[k];
            const V columns = hn::Add(hn::Load(d, distances.columns[p] + group * doubles), hn::Set(d, middles.rest[p]));
            addRows(tables[p], columns, group, distances.rows[p], sums, everyRow);
        }
        storeSums(sums, place + group * doubles, everyRow);
    }
}

#endif

HWY_INLINE void prefetchNextBlock(const DoubleTile& tile)
{
    constexpr int reach = 48; // bins that a tile meets on either side of its middle
    Middles middles;
    findMiddles(tile, (maxTileEdge - 1) / 2.0, (maxTileEdge - 1) / 2.0, 0, middles);
    for (int p = 0; p < tile.nextProjections; ++p) {
        const double* row = tile.bins + (projectionsPerBlock + p) * tile.stride;
        const int first = std::max(0, middles.bin[p] - reach), end = std::min(tile.binCount, middles.bin[p] + reach);
        for (int bin = first; bin < end; bin += 8)
            hwy::Prefetch(row + bin);
    }
}

} // namespace

void addDoubleTileOf(const DoubleTile& tile)
{
    constexpr double middle = (edge - 1) / 2.0;
    prefetchNextBlock(tile);
    Distances distances;
    findDistances(tile, distances);
    Middles middles;
    for (int row = 0; row < tile.rows; row += edge)
        for (int column = 0; column < tile.columns; column += edge) {
            findMiddles(tile, column + middle, row + middle, 20, middles);
            addSquare(tile, distances, middles, tile.sums + row * maxTileEdge + column);
        }
}

} // namespace HWY_NAMESPACE
} // namespace engine
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace engine
{

HWY_EXPORT(addDoubleTileOf);

DoubleTileKernel doubleTileKernel()
{
    return &SINOSCOPE_DISPATCH(addDoubleTileOf);
}

} // namespace engine
#endif
