// SPDX-License-Identifier: GPL-3.0-or-later
// A vector of n pixels meets at most n + 1 neighbouring bins, which are held in two registers and shuffled to the
// pixels, as in shuffle_kernel.cpp. Which ones depends on the projection alone, and serves several rows. The kernel
// needs a value per pixel, more or less, so that memory limits its speed: it reads each row from front to back.
#include "engine/backends/cpu/plane/level_kernel.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "engine/base/targets-inl.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/backends/cpu/plane/level_kernel.cpp"
#include <hwy/foreach_target.h>

#include "engine/backends/cpu/parallel/bin_tables-inl.h"
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

constexpr int projectionsAtOnce = 4; // whose bins stay in the first-level cache
constexpr int slots = 2 * lanes;     // of the two registers
constexpr int vectors = levelPixels / lanes;
constexpr int mostBins = levelPixels + 2 * slots; // that a projection's rays meet, with those in the last slots

// Where the pixels of a block meet some projections.
struct LevelPlaces {
    int firstBin[projectionsAtOnce], bins[projectionsAtOnce];   // that the rays meet; some may be beside the detector
    alignas(64) std::int32_t start[projectionsAtOnce][vectors]; // bin in slot 0, from the first one
    alignas(64) float place[projectionsAtOnce][vectors];        // of a vector's first pixel, from slot 0
};

// Bins of some rows as the places count them; 0 beside the detector.
struct LevelBins {
    alignas(64) float values[projectionsAtOnce][levelRows][mostBins] = {};
};

HWY_INLINE void findPlaces(const LevelBlock& block, const LevelRay& ray, bool linear, std::size_t p, LevelPlaces& out)
{
    const Doubles d;
    const hn::Rebind<float, Doubles> df;
    const hn::Rebind<std::int32_t, Doubles> di;
    const double bin = ray.h + (linear ? 0 : 0.5), lowest = std::min(0.0, (lanes - 1) * ray.hStep);
    const int count = (block.pixels + lanes - 1) / lanes;
    // Vectors that miss the detector meet bins beside it.
    const auto leastBin = [&](int vector) {
        const double h = bin + (block.x + vector * lanes) * ray.hStep;
        return std::clamp(std::floor(h + lowest), -1.0 * slots, 1.0 * block.bins);
    };
    const double firstBin = std::min(leastBin(0), leastBin(count - 1)),
                 lastBin = std::max(leastBin(0), leastBin(count - 1));
    out.firstBin[p] = static_cast<int>(firstBin);
    out.bins[p] = static_cast<int>(lastBin - firstBin) + slots;
    for (int v = 0; v < count; v += static_cast<int>(hn::Lanes(d))) {
        const auto x = hn::MulAdd(hn::Iota(d, v), hn::Set(d, lanes), hn::Set(d, block.x));
        const auto h = hn::MulAdd(x, hn::Set(d, ray.hStep), hn::Set(d, bin));
        const auto least =
            hn::Min(hn::Max(hn::Floor(hn::Add(h, hn::Set(d, lowest))), hn::Set(d, firstBin)), hn::Set(d, lastBin));
        hn::Store(hn::DemoteTo(di, hn::Sub(least, hn::Set(d, firstBin))), di, out.start[p] + v);
        hn::Store(hn::DemoteTo(df, hn::Sub(h, least)), df, out.place[p] + v);
    }
}

// Copies the bins of levelRows rows, or of those that are left, and prefetches those of the next projections.
HWY_INLINE void copyBins(const LevelBlock& block, std::span<const LevelRay> rays, const LevelPlaces& places,
                         int firstRow, LevelBins& out)
{
    const Floats d;
    const int rows = std::min(levelRows, block.rows - firstRow);
    for (int r = 0; r < rows; ++r)
        for (std::size_t p = 0; p < std::min<std::size_t>(rays.size(), projectionsAtOnce); ++p) {
            const int first = places.firstBin[p], from = std::max(first, 0),
                      to = std::max(from, std::min(first + places.bins[p], block.bins));
            const float* row = block.values + (firstRow + r) * block.rowStride + rays[p].offset;
            const std::ptrdiff_t next =
                p + projectionsAtOnce < rays.size() ? rays[p + projectionsAtOnce].offset - rays[p].offset : 0;
            float* values = out.values[p][r];
            std::fill(values, values + (from - first), 0.0F);
            int bin = from;
            for (; bin + lanes <= to; bin += lanes) {
                __builtin_prefetch(row + bin + next, 0, 2);
                hn::StoreU(hn::LoadU(d, row + bin), d, values + (bin - first));
            }
            std::copy(row + bin, row + to, values + (bin - first));
            std::fill(values + (to - first), values + places.bins[p], 0.0F);
        }
}

// Returns the values in slots 0 to 2·lanes − 1.
HWY_INLINE V lookUpSlots(V low, V high, VI slot)
{
#if SINOSCOPE_TWO_REGISTERS
    return V{_mm512_permutex2var_ps(low.raw, slot.raw, high.raw)};
#else
    const Floats d;
    const Ints di;
    const auto index = hn::IndicesFromVec(d, hn::And(slot, hn::Set(di, lanes - 1)));
    return hn::IfThenElse(hn::RebindMask(d, hn::Gt(slot, hn::Set(di, lanes - 1))), hn::TableLookupLanes(high, index),
                          hn::TableLookupLanes(low, index));
#endif
}

template <bool linear>
HWY_INLINE V addPixels(const float* bins, VI slot, VI next, V rest, V sum)
{
    const Floats d;
    const auto low = hn::LoadU(d, bins), high = hn::LoadU(d, bins + lanes);
    auto value = lookUpSlots(low, high, slot);
    if constexpr (linear)
        value = hn::MulAdd(rest, hn::Sub(lookUpSlots(low, high, next), value), value);
    return hn::Add(sum, value);
}

template <bool linear, std::size_t... r>
HWY_INLINE void addRows(std::span<const LevelRay> rays, const LevelPlaces& places, const LevelBins& bins, int vector,
                        float* sumsAt, std::index_sequence<r...>)
{
    const Floats d;
    const Ints di;
    V sums[] = {hn::Load(d, sumsAt + r * levelPixels)...};
    for (std::size_t p = 0; p < rays.size(); ++p) {
        // Rounding may have moved a pixel over the edge of the least bin; a vector that misses the detector lies
        // anywhere.
        const auto place = hn::Max(hn::MulAdd(hn::Iota(d, 0), hn::Set(d, static_cast<float>(rays[p].hStep)),
                                              hn::Set(d, places.place[p][vector])),
                                   hn::Zero(d));
        const auto inside = hn::Min(place, hn::Set(d, static_cast<float>(lanes)));
        const auto left = hn::Floor(inside), rest = hn::Sub(inside, left);
        const auto slot = hn::ConvertTo(di, left), next = hn::Add(slot, hn::Set(di, 1));
        const float* values = bins.values[p][0] + places.start[p][vector];
        ((sums[r] = addPixels<linear>(values + r * mostBins, slot, next, rest, sums[r])), ...);
    }
    (hn::Store(sums[r], d, sumsAt + r * levelPixels), ...);
}

// Adds the projections for so many rows from `row` on.
template <bool linear, int rows>
HWY_INLINE void addGroup(const LevelBlock& block, int row, LevelBins& bins)
{
    LevelPlaces places;
    for (std::span<const LevelRay> left = block.rays; !left.empty();
         left = left.subspan(std::min<std::size_t>(left.size(), projectionsAtOnce))) {
        const auto rays = left.first(std::min<std::size_t>(left.size(), projectionsAtOnce));
        for (std::size_t p = 0; p < rays.size(); ++p)
            findPlaces(block, rays[p], linear, p, places);
        copyBins(block, left, places, row, bins);
        for (int v = 0; v * lanes < block.pixels; ++v)
            addRows<linear>(rays, places, bins, v,
                            block.sums + static_cast<std::ptrdiff_t>(row) * levelPixels + v * lanes,
                            std::make_index_sequence<rows>());
    }
}

template <bool linear>
void addLevel(const LevelBlock& block)
{
    LevelBins bins;
    for (int row = 0; row < block.rows; row += levelRows)
        if (block.rows - row > 2)
            addGroup<linear, levelRows>(block, row, bins);
        else
            addGroup<linear, 2>(block, row, bins);
}

} // namespace

LevelKernel levelKernelOf(bool linear)
{
    return linear ? addLevel<true> : addLevel<false>;
}

} // namespace HWY_NAMESPACE
} // namespace engine
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace engine
{

HWY_EXPORT(levelKernelOf);

LevelKernel levelKernel(bool linear)
{
    return SINOSCOPE_DISPATCH(levelKernelOf)(linear);
}

} // namespace engine
#endif
