// SPDX-License-Identifier: GPL-3.0-or-later
// Kernel for many slices: the slices of a bin lie side by side in the lanes of vectors (Chen et al. (IPSJ report)
// transposes its data in this way), so that a pixel's position serves all of them. Sums stay in registers over a
// block of projections.
#include "engine/backends/cpu/parallel/kernels.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#define SINOSCOPE_USES_VNNI 1
#include "engine/base/targets-inl.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/backends/cpu/parallel/lanes_kernel.cpp"
#include <hwy/foreach_target.h>

#include "engine/backends/cpu/parallel/lane_samples-inl.h"
#include "engine/backends/cpu/parallel/positions-inl.h"
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

// Multiplies the 16-bit halves of each word and adds both products to `sum`.
template <class D>
HWY_INLINE hn::Vec<D> addPairs(D d, hn::Vec<D> sum, const std::int16_t* bins, std::int32_t weights)
{
    const hn::Repartition<std::int16_t, D> d16;
    using Bytes [[maybe_unused]] = std::int16_t[2 * hn::MaxLanes(d)];
    [[maybe_unused]] const auto pairs = hn::LoadU(d16, bins);
    [[maybe_unused]] const auto both = hn::BitCast(d16, hn::Set(d, weights));
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL
    // Not an intrinsic: Highway 1.0.3 enables AVX-VNNI for the compiler, which then uses the encoding of AVX-VNNI,
    // but Highway checks the processor for AVX-512 VNNI.
    asm("%{evex%} vpdpwssd %2, %1, %0" : "+v"(sum.raw) : "v"(both.raw), "m"(*reinterpret_cast<const Bytes*>(bins)));
    return sum;
#elif HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR
    auto unused = hn::Zero(d); // on x86 both products of a pair are added to `sum`
    return hn::ReorderWidenMulAccumulate(d, pairs, both, sum, unused);
#else
    const auto words = hn::BitCast(d, pairs);
    const auto low =
        hn::Mul(hn::ShiftRight<16>(hn::ShiftLeft<16>(words)), hn::Set(d, static_cast<std::int16_t>(weights)));
    const auto high = hn::Mul(hn::ShiftRight<16>(words), hn::Set(d, weights >> 16));
    return hn::Add(sum, hn::Add(low, high));
#endif
}

// Kernel that adds a whole block of projections to `count` pixels, each with `vectors` vectors of slices.
template <class D, Interpolation interpolation, int vectors, int count>
struct FloatPixels {
    using V = hn::Vec<D>;

    template <int v>
    static HWY_INLINE V add(const float* bin, int slices, const V* weights, V sum)
    {
        const D d;
        const float* at = bin + v * static_cast<int>(hn::MaxLanes(d));
        if constexpr (interpolation == Interpolation::nearest) {
            return hn::Add(sum, hn::LoadU(d, at));
        } else if constexpr (interpolation == Interpolation::cubic) {
            sum = hn::MulAdd(weights[0], hn::LoadU(d, at - slices), sum);
            sum = hn::MulAdd(weights[1], hn::LoadU(d, at), sum);
            sum = hn::MulAdd(weights[2], hn::LoadU(d, at + slices), sum);
            return hn::MulAdd(weights[3], hn::LoadU(d, at + 2 * slices), sum);
        } else {
            sum = hn::MulAdd(weights[1], hn::LoadU(d, at), sum);
            return hn::MulAdd(weights[0], hn::LoadU(d, at + slices), sum);
        }
    }

    template <int k, std::size_t... v>
    static HWY_INLINE void addPixel(const TileArguments& tile, const LaneSamples& samples, int p, int pixel, int slices,
                                    V* sums, std::index_sequence<v...>)
    {
        const D d;
        const float* bin = static_cast<const float*>(tile.bins) + samples.offset[p][pixel + k];
        V weights[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
        for (int w = 0; w < weightsOf(interpolation); ++w)
            weights[w] = hn::Set(d, samples.weights[w][p][pixel + k]);
        if constexpr (weightsOf(interpolation) == 1) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR
            asm("" : "+v"(weights[0].raw)); // else GCC subtracts first and broadcasts twice: 3 % slower
#endif
            weights[1] = hn::Sub(hn::Set(d, 1.0f), weights[0]);
        }
        ((sums[k * vectors + v] = add<static_cast<int>(v)>(bin, slices, weights, sums[k * vectors + v])), ...);
    }

    template <std::size_t... k>
    static HWY_INLINE void addAll(const TileArguments& tile, const LaneSamples& samples, int p, int pixel, int slices,
                                  V* sums, std::index_sequence<k...>)
    {
        (addPixel<static_cast<int>(k)>(tile, samples, p, pixel, slices, sums, std::make_index_sequence<vectors>()),
         ...);
    }

    template <std::size_t... i>
    static HWY_INLINE void run(const TileArguments& tile, const LaneSamples& samples, int pixel, int slices,
                               int firstSlice, float* place, std::index_sequence<i...>)
    {
        const D d;
        constexpr int width = static_cast<int>(hn::MaxLanes(d));
        TileArguments shifted = tile;
        shifted.bins = static_cast<const float*>(tile.bins) + firstSlice;
        V sums[vectors * count];
        ((sums[i] = hn::LoadU(d, place + (i / vectors) * slices + (i % vectors) * width)), ...);
        for (int p = 0; p < tile.projections; ++p)
            addAll(shifted, samples, p, pixel, slices, sums, std::make_index_sequence<count>());
        (hn::StoreU(sums[i], d, place + (i / vectors) * slices + (i % vectors) * width), ...);
    }
};

template <class D, Interpolation interpolation, int vectors, int count>
struct PairPixels {
    using DI = hn::Rebind<std::int32_t, D>;
    using V = hn::Vec<DI>;

    template <int v>
    static HWY_INLINE V add(const std::int16_t* bin, int slices, std::int32_t first, std::int32_t second, V sum)
    {
        const DI d;
        const std::int16_t* at = bin + v * 2 * static_cast<int>(hn::MaxLanes(d));
        if constexpr (interpolation == Interpolation::cubic) {
            sum = addPairs(d, sum, at - 2 * slices, first);
            return addPairs(d, sum, at + 2 * slices, second);
        } else {
            return addPairs(d, sum, at, first);
        }
    }

    template <int k, std::size_t... v>
    static HWY_INLINE void addPixel(const std::int16_t* bins, const LaneSamples& samples, int p, int pixel, int slices,
                                    V* sums, std::index_sequence<v...>)
    {
        const std::int16_t* bin = bins + samples.offset[p][pixel + k];
        const std::int32_t first = interpolation == Interpolation::nearest ? 4096 : samples.pairs[0][p][pixel + k];
        const std::int32_t second = interpolation == Interpolation::cubic ? samples.pairs[1][p][pixel + k] : 0;
        ((sums[k * vectors + v] = add<static_cast<int>(v)>(bin, slices, first, second, sums[k * vectors + v])), ...);
    }

    template <std::size_t... k>
    static HWY_INLINE void addAll(const std::int16_t* bins, const LaneSamples& samples, int p, int pixel, int slices,
                                  V* sums, std::index_sequence<k...>)
    {
        (addPixel<static_cast<int>(k)>(bins, samples, p, pixel, slices, sums, std::make_index_sequence<vectors>()),
         ...);
    }

    template <std::size_t... i>
    static HWY_INLINE void run(const TileArguments& tile, const LaneSamples& samples, int pixel, int slices,
                               int firstSlice, float* place, std::index_sequence<i...>)
    {
        const D d;
        const DI di;
        constexpr int width = static_cast<int>(hn::MaxLanes(d));
        const auto* bins = static_cast<const std::int16_t*>(tile.bins) + 2 * firstSlice;
        V sums[vectors * count];
        ((sums[i] = hn::Zero(di)), ...);
        for (int p = 0; p < tile.projections; ++p)
            addAll(bins, samples, p, pixel, slices, sums, std::make_index_sequence<count>());
        const auto toFloat = [&](V sum, const float* scale, const float* old) HWY_ATTR {
            return hn::MulAdd(hn::ConvertTo(d, sum), hn::LoadU(d, scale), hn::LoadU(d, old));
        };
        (hn::StoreU(toFloat(sums[i], tile.scales + firstSlice + (i % vectors) * width,
                            place + (i / vectors) * slices + (i % vectors) * width),
                    d, place + (i / vectors) * slices + (i % vectors) * width),
         ...);
    }
};

// Prefetches, into the second-level cache, the bins of projection p of the next block that the tile's rays meet. One
// projection is prefetched per square, so that the cache lines arrive while squares are summed. 32 slices: 1.03 to 1.06
// times as fast; 8 slices: 1.00 (Zen 4, cpu-limits.md).
template <typename Stored>
HWY_INLINE void prefetchNext(const TileArguments& tile, int p, int valuesPerBin)
{
    if (p >= tile.nextProjections)
        return;
    const int next = projectionsPerBlock + p;
    const double middle = tile.axis[next] + (tile.x + tile.columns / 2.0 * tile.step) * tile.cosine[next] +
                          (tile.y - tile.rows / 2.0 * tile.step) * tile.sine[next];
    const double reach = 0.71 * std::max(tile.columns, tile.rows) * tile.step + 2; // half a diagonal
    const auto bin = [&](double h) { return static_cast<std::ptrdiff_t>(std::clamp(h, 0.0, double(tile.binCount))); };
    const Stored* row = static_cast<const Stored*>(tile.bins) + next * tile.stride;
    const Stored* const end = row + bin(middle + reach) * valuesPerBin;
    for (const Stored* line = row + bin(middle - reach) * valuesPerBin; line < end; line += 64 / sizeof(Stored))
        __builtin_prefetch(line, 0, 2);
}

template <Interpolation interpolation, BinStorage storage, int slices>
void addTile(const TileArguments& tile)
{
    constexpr int width = slices < lanes ? slices : lanes;
    using D = hn::FixedTag<float, width>;
    // Enough independent sums to hide the latency of a multiply-add, few enough for 16 registers.
    constexpr int most = slices / width < 4 ? slices / width : 4;
    constexpr int count = most == 1 ? 4 : most == 2 ? 2 : 1;
    const FixedPoint point(interpolation, storage, tile.oversampling);
    const SquarePositions positions(tile, point);
    LaneSamples samples;
    int square = 0;
    for (int row = 0; row < tile.rows; row += squareEdge)
        for (int column = 0; column < tile.columns; column += squareEdge) {
            findSamples<interpolation, storage, slices>(tile, point, positions, column, row, samples);
            if constexpr (storage == BinStorage::fixedPairs)
                prefetchNext<std::int16_t>(tile, square++, 2 * slices);
            else
                prefetchNext<float>(tile, square++, slices);
            for (int firstSlice = 0; firstSlice < slices; firstSlice += most * width)
                for (int pixel = 0; pixel < squarePixels; pixel += count) {
                    float* place = tile.sums + firstSlice +
                                   ((row + pixel / squareEdge) * maxTileEdge + column + pixel % squareEdge) *
                                       static_cast<std::ptrdiff_t>(slices);
                    constexpr auto all = std::make_index_sequence<most * count>();
                    if constexpr (storage == BinStorage::fixedPairs)
                        PairPixels<D, interpolation, most, count>::run(tile, samples, pixel, slices, firstSlice, place,
                                                                       all);
                    else
                        FloatPixels<D, interpolation, most, count>::run(tile, samples, pixel, slices, firstSlice, place,
                                                                        all);
                }
        }
}

template <Interpolation interpolation, BinStorage storage>
TileKernel kernelForSlices(int slices)
{
    switch (slices) {
    case 8:
        return addTile<interpolation, storage, 8>;
    case 16:
        return addTile<interpolation, storage, 16>;
    case 32:
        return addTile<interpolation, storage, 32>;
    default:
        return addTile<interpolation, storage, 64>;
    }
}

template <Interpolation interpolation>
TileKernel kernelForStorage(BinStorage storage, int slices)
{
    return storage == BinStorage::fixedPairs ? kernelForSlices<interpolation, BinStorage::fixedPairs>(slices)
                                             : kernelForSlices<interpolation, BinStorage::float32>(slices);
}

} // namespace

TileKernel lanesKernelOf(Interpolation interpolation, BinStorage storage, int slices)
{
    switch (interpolation) {
    case Interpolation::nearest:
        return kernelForStorage<Interpolation::nearest>(storage, slices);
    case Interpolation::oversampled:
        return kernelForStorage<Interpolation::oversampled>(storage, slices);
    case Interpolation::cubic:
        return kernelForStorage<Interpolation::cubic>(storage, slices);
    case Interpolation::linear:
        break;
    }
    return kernelForStorage<Interpolation::linear>(storage, slices);
}

int leastSlicesInLanesOf(Interpolation interpolation, BinStorage storage)
{
    const bool fast = interpolation == Interpolation::nearest ||
                      (storage == BinStorage::fixedPairs && interpolation != Interpolation::oversampled);
    return lanes == 16 && !fast ? 16 : 8;
}

} // namespace HWY_NAMESPACE
} // namespace engine
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace engine
{

HWY_EXPORT(lanesKernelOf);
HWY_EXPORT(leastSlicesInLanesOf);

TileKernel lanesKernel(Interpolation interpolation, BinStorage storage, int slices)
{
    return SINOSCOPE_DISPATCH(lanesKernelOf)(interpolation, storage, slices);
}

int leastSlicesInLanes(Interpolation interpolation, BinStorage storage)
{
    return SINOSCOPE_DISPATCH(leastSlicesInLanesOf)(interpolation, storage);
}

} // namespace engine
#endif
