// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cpu/parallel/peaks.h"
#include "engine/backends/cpu/parallel/kernels.h"

#include <algorithm>
#include <chrono>
#include <latch>
#include <numeric>
#include <thread>
#include <vector>

#define SINOSCOPE_USES_VNNI 1
#include "engine/base/targets-inl.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/backends/cpu/parallel/peaks.cpp"
#include <hwy/foreach_target.h>

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

using Floats = hn::FixedTag<float, lanes>;
using Ints = hn::FixedTag<std::int32_t, lanes>;
using Shorts = hn::Repartition<std::int16_t, Ints>;
using V = hn::Vec<Floats>;
using VI = hn::Vec<Ints>;

constexpr int iterations = 200000, chains = 10; // independent sums: more than latency × instructions per cycle

// Prevents the compiler from removing or merging the computation of a value.
#if HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR
#define SINOSCOPE_KEEP(vector) asm volatile("" : "+v"((vector).raw))
#else
#define SINOSCOPE_KEEP(vector) asm volatile("" : "+m"(vector))
#endif

// Returns the rate of one instruction per chain, in 10⁹ floats per second; the best of a few tries.
template <class Value, class Step>
HWY_INLINE double rateOf(Value start, const Step& step, int attempts = 5)
{
    double best = 0;
    for (int attempt = 0; attempt < attempts; ++attempt) {
        Value s0 = start, s1 = start, s2 = start, s3 = start, s4 = start, s5 = start, s6 = start, s7 = start,
              s8 = start, s9 = start;
        const auto begin = std::chrono::steady_clock::now();
        for (int k = 0; k < iterations; ++k) {
            step(s0, 0);
            step(s1, 1);
            step(s2, 2);
            step(s3, 3);
            step(s4, 4);
            step(s5, 5);
            step(s6, 6);
            step(s7, 7);
            step(s8, 8);
            step(s9, 9);
        }
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        best = std::max(best, 1e-9 * iterations * chains * lanes / seconds.count());
    }
    return best;
}

} // namespace

ProcessorPeaks processorPeaksOf()
{
    const Floats d;
    const Ints di;
    alignas(64) static float memory[chains * lanes];
    alignas(64) static std::int16_t pairs[2 * chains * lanes];
    ProcessorPeaks peaks;
    const V factor = hn::Set(d, 0.999f);
    peaks.multiplyAdds = rateOf(factor, [&](V& sum, int) HWY_ATTR {
        sum = hn::MulAdd(sum, factor, factor);
        SINOSCOPE_KEEP(sum);
    });
    VI index = hn::Iota(di, 0);
    SINOSCOPE_KEEP(index);
    peaks.shuffles = rateOf(factor, [&](V& bins, int) HWY_ATTR {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
        bins = V{_mm512_permutex2var_ps(bins.raw, index.raw, factor.raw)};
#else
        bins = hn::TableLookupLanes(bins, hn::IndicesFromVec(d, index));
#endif
        SINOSCOPE_KEEP(bins);
    });
    peaks.loads = rateOf(factor, [&](V& value, int k) HWY_ATTR {
        asm volatile("" ::"r"(memory) : "memory"); // memory may have changed, so that values are loaded anew
        value = hn::Load(d, memory + k * lanes);
        SINOSCOPE_KEEP(value);
    });
    constexpr int gathered = lanes < 8 ? lanes : 8; // as many as `ladder` does
    const hn::FixedTag<float, gathered> dg;
    const hn::Rebind<std::int32_t, decltype(dg)> dgi;
    const auto places = hn::Mul(hn::Iota(dgi, 0), hn::Set(dgi, 7));
    peaks.gathers = rateOf(hn::Zero(dg),
                           [&](auto& value, int k) HWY_ATTR {
                               asm volatile("" ::"r"(memory) : "memory");
                               value = hn::GatherIndex(dg, memory + k, places);
                               SINOSCOPE_KEEP(value);
                           }) *
                    gathered / lanes;
    const auto weights = hn::Set(Shorts(), static_cast<std::int16_t>(1));
    peaks.fixedPairs = rateOf(hn::Zero(di), [&](VI& sum, int k) HWY_ATTR {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL
        using Bytes = std::int16_t[2 * lanes];
        asm volatile("%{evex%} vpdpwssd %2, %1, %0"
                     : "+v"(sum.raw)
                     : "v"(weights.raw), "m"(*reinterpret_cast<const Bytes*>(pairs + 2 * k * lanes)));
#else
        asm volatile("" ::"r"(pairs) : "memory");
        auto other = hn::Zero(di);
        sum = hn::ReorderWidenMulAccumulate(di, hn::Load(Shorts(), pairs + 2 * k * lanes), weights, sum, other);
        SINOSCOPE_KEEP(sum);
#endif
    });
    return peaks;
}

// Returns the rate of multiply-adds over some 20 ms, in 10⁹ floats per second.
double sustainedRateOf()
{
    constexpr int rounds = 25;
    double inverse = 0;
    for (int round = 0; round < rounds; ++round)
        inverse += 1 / rateOf(
                           hn::Set(Floats(), 0.999f),
                           [factor = hn::Set(Floats(), 0.999f)](V& sum, int) HWY_ATTR {
                               sum = hn::MulAdd(sum, factor, factor);
                               SINOSCOPE_KEEP(sum);
                           },
                           1);
    return rounds / inverse;
}

#undef SINOSCOPE_KEEP

} // namespace HWY_NAMESPACE
} // namespace engine
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace engine
{

HWY_EXPORT(processorPeaksOf);
HWY_EXPORT(sustainedRateOf);

namespace
{

// Returns the share of the rate of one thread alone that each has while all compute.
double shareWhileAllCompute()
{
    const auto threads = static_cast<int>(std::thread::hardware_concurrency());
    if (threads < 2)
        return 1;
    const double alone = SINOSCOPE_DISPATCH(sustainedRateOf)();
    std::vector<double> rates(static_cast<std::size_t>(threads));
    std::latch ready(threads);
    {
        std::vector<std::jthread> all;
        for (double& rate : rates)
            all.emplace_back([&rate, &ready] {
                ready.arrive_and_wait();
                rate = SINOSCOPE_DISPATCH(sustainedRateOf)();
            });
    }
    return std::min(1.0, std::accumulate(rates.begin(), rates.end(), 0.0) / (threads * alone));
}

} // namespace

ProcessorPeaks processorPeaks()
{
    ProcessorPeaks peaks = SINOSCOPE_DISPATCH(processorPeaksOf)();
    peaks.instructionSet = processorTarget();
    peaks.shareOfEach = shareWhileAllCompute();
    return peaks;
}

} // namespace engine
#endif
