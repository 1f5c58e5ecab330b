// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/prepare/line_kernel.h"

#include "engine/prepare/minus_log.h"
#include "engine/prepare/steps.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <type_traits>

#include "engine/base/targets-inl.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/prepare/line_kernel.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace engine
{
namespace HWY_NAMESPACE
{
namespace
{

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t lineLanes = HWY_MAX_BYTES / 4 < 16 ? HWY_MAX_BYTES / 4 : 16;
using LineFloats = hn::FixedTag<float, lineLanes>;
using HalfLine = hn::Half<LineFloats>;
using LineDoubles = hn::Rebind<double, HalfLine>;

// Calls `work` for every vector of `lanes` values, and once for a partial vector at the end. `work` takes the index
// of the first value and the number of values.
template <std::size_t lanes, class Work>
HWY_INLINE void forEachVector(std::size_t count, const Work& work)
{
    std::size_t k = 0;
    for (; k + lanes <= count; k += lanes)
        work(k, lanes);
    if (k < count)
        work(k, count - k);
}

// Loads a partial vector through memory that has room for a whole one.
template <class Tag, typename Number>
HWY_INLINE hn::Vec<Tag> load(Tag d, const Number* from, std::size_t count)
{
    if (HWY_LIKELY(count == hn::Lanes(d)))
        return hn::LoadU(d, from);
    alignas(64) Number all[hn::MaxLanes(d)];
    std::fill_n(all, hn::MaxLanes(d), Number(1));
    std::copy_n(from, count, all);
    return hn::Load(d, all);
}

template <class Tag>
HWY_INLINE void store(hn::Vec<Tag> values, Tag d, float* to, std::size_t count)
{
    if (HWY_LIKELY(count == hn::Lanes(d)))
        return hn::StoreU(values, d, to);
    alignas(64) float all[hn::MaxLanes(d)];
    hn::Store(values, d, all);
    std::copy_n(all, count, to);
}

template <typename Number>
HWY_INLINE hn::Vec<LineFloats> floatsOf(const Number* from, std::size_t count)
{
    const LineFloats d;
    if constexpr (std::is_same_v<Number, float>) {
        const auto value = load(d, from, count);
        return hn::IfThenElse(hn::IsFinite(value), value, hn::Set(d, noValue));
    } else {
        const auto numbers = load(hn::Rebind<Number, LineFloats>(), from, count);
        return hn::ConvertTo(d, hn::PromoteTo(hn::Rebind<std::int32_t, LineFloats>(), numbers));
    }
}

// −log of normal floats above 0 (minus_log.h; the same on GPUs in device_lines.cu).
HWY_INLINE hn::Vec<LineFloats> minusLogOf(hn::Vec<LineFloats> x)
{
    constexpr Logarithm log;
    const LineFloats d;
    const hn::RebindToSigned<LineFloats> whole;
    const auto bits = hn::BitCast(whole, x);
    const auto n = hn::ShiftRight<23>(hn::Sub(bits, hn::Set(whole, log.rootOfHalf)));
    const auto f = hn::Sub(hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<23>(n))), hn::Set(d, 1.0f));
    const auto times = hn::ConvertTo(d, n), square = hn::Mul(f, f);
    auto sum = hn::Set(d, log.coefficients[0]);
    for (std::size_t k = 1; k < std::size(log.coefficients); ++k)
        sum = hn::MulAdd(sum, f, hn::Set(d, log.coefficients[k]));
    // Adds the terms from the smallest to the largest.
    const auto small = hn::MulAdd(hn::Mul(square, f), sum, hn::Mul(square, hn::Set(d, -0.5f)));
    const auto near = hn::Add(f, hn::MulAdd(times, hn::Set(d, log.restOfLn2), small));
    return hn::NegMulSub(times, hn::Set(d, log.ln2), near);
}

HWY_INLINE auto attenuation(hn::Vec<LineFloats> value)
{
    const LineFloats d;
    const auto largest = hn::Set(d, std::numeric_limits<float>::max()), least = hn::Set(d, smallestTransmission);
    const auto believed = hn::Gt(value, least);
    const auto light = hn::Min(hn::IfThenElse(believed, value, hn::Set(d, 1.0f)), largest); // normal, finite floats
    return hn::IfThenElse(believed, minusLogOf(light), hn::IfThenElse(hn::IsNaN(value), value, hn::Set(d, noLight)));
}

} // namespace

void copyFiniteOf(const Samples& recorded, std::size_t first, std::size_t count, float* values)
{
    recorded.visit([&](const auto& numbers) {
        const auto* from = numbers.data() + first;
        forEachVector<lineLanes>(count, [&](std::size_t k, std::size_t some) HWY_ATTR {
            store(floatsOf(from + k, some), LineFloats(), values + k, some);
        });
    });
}

namespace
{

template <typename Number>
HWY_INLINE void correctNumbers(const Number* from, std::size_t count, const double* dark, const double* gain,
                               float* values)
{
    const auto corrected = [=](hn::Vec<HalfLine> counted, std::size_t k, std::size_t some) HWY_ATTR {
        const LineDoubles d;
        const auto light = hn::Sub(hn::PromoteTo(d, counted), load(d, dark + k, some));
        return hn::DemoteTo(HalfLine(), hn::Mul(light, load(d, gain + k, some)));
    };
    constexpr std::size_t half = lineLanes / 2;
    forEachVector<lineLanes>(count, [&](std::size_t k, std::size_t some) HWY_ATTR {
        const HalfLine h;
        const auto counted = floatsOf(from + k, some);
        const auto lower = corrected(hn::LowerHalf(h, counted), k, std::min(some, half));
        const auto upper = some > half ? corrected(hn::UpperHalf(h, counted), k + half, some - half) : hn::Zero(h);
        store(hn::Combine(LineFloats(), upper, lower), LineFloats(), values + k, some);
    });
}

} // namespace

void correctLineOf(const Samples* recorded, std::size_t first, std::size_t count, const double* dark,
                   const double* gain, float* values)
{
    if (recorded)
        recorded->visit(
            [&](const auto& numbers) { correctNumbers(numbers.data() + first, count, dark, gain, values); });
    else
        correctNumbers(values, count, dark, gain, values);
}

void minusLogLineOf(float* values, std::size_t count)
{
    forEachVector<lineLanes>(count, [&](std::size_t k, std::size_t some) HWY_ATTR {
        const LineFloats d;
        store(attenuation(load(d, values + k, some)), d, values + k, some);
    });
}

bool hasMarksOf(const float* values, std::size_t count)
{
    const LineFloats d;
    auto marked = hn::Zero(d); // value · 0 is NaN for every non-finite value, and so is the sum
    forEachVector<lineLanes>(count, [&](std::size_t k, std::size_t some) HWY_ATTR {
        marked = hn::MulAdd(load(d, values + k, some), hn::Zero(d), marked);
    });
    return !hn::AllFalse(d, hn::IsNaN(marked));
}

} // namespace HWY_NAMESPACE
} // namespace engine
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace engine
{

HWY_EXPORT(copyFiniteOf);
HWY_EXPORT(correctLineOf);
HWY_EXPORT(minusLogLineOf);
HWY_EXPORT(hasMarksOf);

void fetch(LineAtWork& line)
{
    if (line.recorded)
        HWY_DYNAMIC_DISPATCH(copyFiniteOf)(*line.recorded, line.first, line.values.size(), line.values.data());
    line.recorded = nullptr;
}

void correctLine(LineAtWork& line, const double* dark, const double* gain)
{
    HWY_DYNAMIC_DISPATCH(correctLineOf)
    (line.recorded, line.first, line.values.size(), dark, gain, line.values.data());
    line.recorded = nullptr;
}

void minusLogLine(float* values, std::size_t count)
{
    HWY_DYNAMIC_DISPATCH(minusLogLineOf)(values, count);
}

bool hasMarks(const float* values, std::size_t count)
{
    return HWY_DYNAMIC_DISPATCH(hasMarksOf)(values, count);
}

} // namespace engine
#endif
