// SPDX-License-Identifier: GPL-3.0-or-later
// Kernel for one slice that takes values at the nearest of a few steps per bin. With one step per bin these are the
// values of the bins (nearest). With 2 or 4 steps per bin they are interpolated (oversampled); every step that a tile
// meets is interpolated once. Vectors of pixels select from two registers.
#include "engine/backends/cpu/parallel/kernels.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "engine/base/targets-inl.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/backends/cpu/parallel/steps_kernel.cpp"
#include <hwy/foreach_target.h>

#include "engine/backends/cpu/parallel/tile_bins-inl.h"
#include <hwy/highway.h>

#include "engine/base/chosen_target-inl.h"

HWY_BEFORE_NAMESPACE();
namespace engine
{
namespace HWY_NAMESPACE
{

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3

namespace
{

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::FixedTag<float, 16>;
using Ints = hn::FixedTag<std::int32_t, 16>;
using Doubles8 = hn::FixedTag<double, 8>;
using Longs8 = hn::FixedTag<std::int64_t, 8>;
using V = hn::Vec<Floats>;
using VI = hn::Vec<Ints>;

// The pixels of a group select from the same two registers of 32 steps: 16 × 16 pixels lie within
// 15·(|cos| + |sin|) ≤ 21.3 bins, 8 × 4 pixels within 7·|cos| + 3·|sin| ≤ 7.62 bins, or 30.5 steps if a bin has 4
// of them. The sums of a region of 16 × 16 stay in registers. Positions are computed for eight groups simultaneously.
constexpr int regionEdge = 16, regionsAcross = maxTileEdge / regionEdge;
constexpr int vectorsPerRegion = regionEdge * regionEdge / 16;
constexpr auto everyVector = std::make_index_sequence<vectorsPerRegion>();

template <bool wholeBins>
struct Layout {
    static constexpr int groupColumns = wholeBins ? 16 : 8, groupRows = wholeBins ? 16 : 4;
    static constexpr int vectorColumns = groupColumns, vectorRows = 16 / vectorColumns;
    static constexpr int vectorsPerGroup = groupColumns * groupRows / 16;
    static constexpr int groupsPerRegion = vectorsPerRegion / vectorsPerGroup;
    static constexpr int groups = maxTileEdge * maxTileEdge / (groupColumns * groupRows);
    // First column and row of a group. Regions are numbered row by row in the tile, groups row by row in their
    // region.
    static constexpr int column(int group)
    {
        const int region = group / groupsPerRegion, k = group % groupsPerRegion;
        return region % regionsAcross * regionEdge + k % (regionEdge / groupColumns) * groupColumns;
    }
    static constexpr int row(int group)
    {
        const int region = group / groupsPerRegion, k = group % groupsPerRegion;
        return region / regionsAcross * regionEdge + k / (regionEdge / groupColumns) * groupRows;
    }
};

// A tile's rays lie within 63/√2 + 1 bins of its middle bin; 32 steps are read from a group's first step on.
constexpr int reachBins = 46, mostSteps = 4;
constexpr int stepsPerTable = (2 * reachBins + 4) * mostSteps + 32;

// Positions are accurate to 2⁻²⁵ step, so that all but one in 10⁷ fall on the same side of a tie as in `exact`. The
// last bits of position + magic are the position in units of 2⁻²⁶; positions within a group need 31 bits.
constexpr int unitBits = 26;
constexpr double magic = 1.5 * (std::int64_t{1} << (52 - unitBits));

template <class L>
struct Tables {
    alignas(64) float values[projectionsPerBlock][stepsPerTable];
    // Per group: byte offset from `values` to the first of the steps that its pixels select from, and how far the
    // group's lowest position lies beyond that step.
    alignas(64) std::int32_t starts[projectionsPerBlock][L::groups];
    alignas(64) std::int32_t rests[projectionsPerBlock][L::groups];
    alignas(64) std::int32_t pixels[projectionsPerBlock][L::vectorsPerGroup][16]; // above the group's lowest
};

// Returns the lower 32 bits of each 64-bit lane.
HWY_INLINE VI lastHalves(hn::Vec<Longs8> low, hn::Vec<Longs8> high)
{
    const Ints d;
    return hn::ConcatEven(d, hn::BitCast(d, high), hn::BitCast(d, low));
}

template <class L>
HWY_INLINE void findPositions(const TileArguments& tile, const Middles& middles, Tables<L>& out)
{
    const Doubles8 d;
    const Longs8 di;
    const Ints d32;
    constexpr double middle = (maxTileEdge - 1) / 2.0;
    // A step has 4 bytes; `excess` is what magic adds to the last 32 bits of the byte offsets.
    constexpr auto excess =
        static_cast<std::int32_t>(static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(magic) >> (unitBits - 2)));
    alignas(64) double columns[8], rows[8];
    for (int k = 0; k < 8; ++k) {
        columns[k] = L::column(k);
        rows[k] = L::row(k);
    }
    for (int p = 0; p < tile.projections; ++p) {
        const double across = tile.cosine[p] * tile.step * tile.oversampling;
        const double down = -tile.sine[p] * tile.step * tile.oversampling;
        const double least = std::min(0.0, (L::groupColumns - 1) * across) + std::min(0.0, (L::groupRows - 1) * down);
        const auto acrossV = hn::Set(d, across);
        for (int vector = 0; vector < L::vectorsPerGroup; ++vector) {
            const auto half = [&](int first) HWY_ATTR {
                const int column = first % L::vectorColumns, row = vector * L::vectorRows + first / L::vectorColumns;
                return hn::BitCast(di,
                                   hn::MulAdd(hn::Iota(d, column), acrossV, hn::Set(d, row * down - least + magic)));
            };
            hn::Store(lastHalves(half(0), half(8)), d32, out.pixels[p][vector]);
        }
        // Half a step is added, so that rounding down gives the nearest step.
        const double corner =
            (middles.rest[p] + reachBins) * tile.oversampling + 0.5 + least - middle * (across + down) + magic;
        const auto groups = hn::MulAdd(hn::Load(d, columns), acrossV, hn::Mul(hn::Load(d, rows), hn::Set(d, down)));
        const VI toStart = hn::Set(d32, p * static_cast<int>(sizeof(out.values[0])) - excess);
        for (int group = 0; group < L::groups; group += 16) {
            const auto positions = [&](int first) HWY_ATTR {
                return hn::BitCast(
                    di, hn::Add(groups, hn::Set(d, corner + L::column(first) * across + L::row(first) * down)));
            };
            const auto low = positions(group), high = positions(group + 8);
            const VI bytes = lastHalves(hn::ShiftRight<unitBits - 2>(low), hn::ShiftRight<unitBits - 2>(high));
            hn::Store(hn::Add(hn::And(bytes, hn::Set(d32, ~3)), toStart), d32, out.starts[p] + group);
            hn::Store(hn::And(lastHalves(low, high), hn::Set(d32, (1 << unitBits) - 1)), d32, out.rests[p] + group);
        }
    }
}

template <class L>
HWY_INLINE void fillTables(const TileArguments& tile, const TileBins& bins, const Middles& middles, Tables<L>& out)
{
    const Floats d;
    const Ints di;
    const int binsPerVector = 16 / tile.oversampling;
    alignas(64) std::int32_t leftBins[16];
    alignas(64) float fractions[16];
    for (int k = 0; k < 16; ++k) {
        leftBins[k] = k / tile.oversampling;
        fractions[k] = static_cast<float>(k % tile.oversampling) / static_cast<float>(tile.oversampling);
    }
    const auto left = hn::SetTableIndices(d, leftBins);
    const V fraction = hn::Load(d, fractions);
    for (int p = 0; p < tile.projections; ++p) {
        const float* from = bins.at(p, middles.bin[p]) - reachBins;
        float* to = out.values[p];
        for (int bin = 0; bin < 2 * reachBins; bin += binsPerVector, to += 16) {
            if constexpr (L::groupColumns == 16) {
                hn::Store(hn::LoadU(d, from + bin), d, to);
            } else {
                const V value = hn::TableLookupLanes(hn::LoadU(d, from + bin), left);
                const V next = hn::TableLookupLanes(hn::LoadU(d, from + bin + 1), left);
                hn::Store(hn::MulAdd(fraction, hn::Sub(next, value), value), d, to);
            }
        }
    }
}

template <class L, std::size_t... vector>
HWY_INLINE void addRegion(const Tables<L>& tables, int p, int firstGroup, V* sums, std::index_sequence<vector...>)
{
    const Ints d;
    V low, high;
    VI rest;
    const auto add = [&](int k) HWY_ATTR {
        const int group = firstGroup + k / L::vectorsPerGroup;
        if (k % L::vectorsPerGroup == 0) {
            const auto* bytes = reinterpret_cast<const char*>(tables.values[0]) + tables.starts[p][group];
            const auto* from = reinterpret_cast<const float*>(bytes);
            low = hn::LoadU(Floats(), from);
            high = hn::LoadU(Floats(), from + 16);
            rest = hn::Set(d, tables.rests[p][group]);
        }
        const VI pixels = hn::Load(d, tables.pixels[p][k % L::vectorsPerGroup]);
        const VI index = hn::ShiftRight<unitBits>(hn::Add(pixels, rest));
        sums[k] = hn::Add(sums[k], V{_mm512_permutex2var_ps(low.raw, index.raw, high.raw)});
    };
    (add(vector), ...);
}

template <class L>
HWY_INLINE float* placeOf(float* region, int vector)
{
    const int group = vector / L::vectorsPerGroup;
    return region + (L::row(group) + vector % L::vectorsPerGroup * L::vectorRows) * maxTileEdge + L::column(group);
}

// Offset of a vector's second eight pixels from its first.
template <class L>
constexpr int secondHalf = L::vectorRows == 2 ? maxTileEdge : 8;

template <class L, std::size_t... vector>
HWY_INLINE void loadSums(float* region, V* sums, std::index_sequence<vector...>)
{
    const hn::Half<Floats> half;
    ((sums[vector] = hn::Combine(Floats(), hn::Load(half, placeOf<L>(region, vector) + secondHalf<L>),
                                 hn::Load(half, placeOf<L>(region, vector)))),
     ...);
}

template <class L, std::size_t... vector>
HWY_INLINE void storeSums(const V* sums, float* region, std::index_sequence<vector...>)
{
    const hn::Half<Floats> half;
    (hn::Store(hn::LowerHalf(half, sums[vector]), half, placeOf<L>(region, vector)), ...);
    (hn::Store(hn::UpperHalf(half, sums[vector]), half, placeOf<L>(region, vector) + secondHalf<L>), ...);
}

template <bool wholeBins, BinStorage storage>
void addTile(const TileArguments& tile)
{
    using L = Layout<wholeBins>;
    constexpr double middle = (maxTileEdge - 1) / 2.0;
    TileBins bins;
    findBins<storage>(tile, bins);
    Middles middles;
    findMiddles(tile, middle, middle, reachBins, middles);
    Tables<L> tables;
    findPositions(tile, middles, tables);
    fillTables(tile, bins, middles, tables);
    for (int row = 0; row < tile.rows; row += regionEdge)
        for (int column = 0; column < tile.columns; column += regionEdge) {
            float* region = tile.sums + row * maxTileEdge + column;
            const int firstGroup = (row / regionEdge * regionsAcross + column / regionEdge) * L::groupsPerRegion;
            V sums[vectorsPerRegion];
            loadSums<L>(region, sums, everyVector);
            for (int p = 0; p < tile.projections; ++p)
                addRegion(tables, p, firstGroup, sums, everyVector);
            storeSums<L>(sums, region, everyVector);
        }
}

template <bool wholeBins>
TileKernel kernelForStorage(BinStorage storage)
{
    return storage == BinStorage::half ? addTile<wholeBins, BinStorage::half> : addTile<wholeBins, BinStorage::float32>;
}

} // namespace

TileKernel stepsKernelOf(BinStorage storage, int steps)
{
    if (steps == 1)
        return kernelForStorage<true>(storage);
    return steps == 2 || steps == 4 ? kernelForStorage<false>(storage) : nullptr;
}

#else // vectors have too few lanes

TileKernel stepsKernelOf(BinStorage, int)
{
    return nullptr;
}

#endif

} // namespace HWY_NAMESPACE
} // namespace engine
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace engine
{

HWY_EXPORT(stepsKernelOf);

TileKernel stepsKernel(BinStorage storage, int steps)
{
    return SINOSCOPE_DISPATCH(stepsKernelOf)(storage, steps);
}

} // namespace engine
#endif
