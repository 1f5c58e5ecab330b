#include "engine/prepare/line_kernel.h"

#include "engine/prepare/minus_log.h"
#include "engine/prepare/steps.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "engine/targets-inl.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/prepare/line_kernel.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

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

// Whole vectors of `lanes` values; what is left at the end of a line goes through one too. `work` takes the index of
// the first value, where to find and leave values, and how many are there.
template <std::size_t lanes, class Work>
HWY_INLINE void forEachVector(std::size_t count, const Work& work)
{
    std::size_t k = 0;
    for (; k + lanes <= count; k += lanes)
        work(k, lanes);
    if (k < count)
        work(k, count - k);
}

// Some of a vector, by memory that has room for all of it.
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

HWY_INLINE auto attenuation(hn::Vec<LineFloats> value)
{
    const LineFloats d;
    const auto largest = hn::Set(d, std::numeric_limits<float>::max()), least = hn::Set(d, smallestTransmission);
    const auto believed = hn::Gt(value, least);
    // Of what is neither NaN nor too small, so that nothing odd comes near the logarithm: it is within 0.9 units in the
    // last place of the true one then (every fourth float from 1e-6 to 3, AVX-512; std::log's are within 0.82).
    const auto light = hn::Min(hn::IfThenElse(believed, value, hn::Set(d, 1.0f)), largest);
    return hn::IfThenElse(believed, hn::Neg(hn::Log(d, light)),
                          hn::IfThenElse(hn::IsNaN(value), value, hn::Set(d, noLight)));
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

void correctLineOf(float* values, std::size_t count, const double* dark, const double* gain)
{
    constexpr std::size_t lanes = lineLanes / 2;
    forEachVector<lanes>(count, [&](std::size_t k, std::size_t some) HWY_ATTR {
        const HalfLine d;
        const LineDoubles wide;
        const auto counted = hn::PromoteTo(wide, load(d, values + k, some));
        const auto light = hn::Sub(counted, load(wide, dark + k, some));
        store(hn::DemoteTo(d, hn::Mul(light, load(wide, gain + k, some))), d, values + k, some);
    });
}

void minusLogLineOf(float* values, std::size_t count)
{
    forEachVector<lineLanes>(count, [&](std::size_t k, std::size_t some) HWY_ATTR {
        const LineFloats d;
        store(attenuation(load(d, values + k, some)), d, values + k, some);
    });
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

void copyFinite(const Samples& recorded, std::size_t first, std::size_t count, float* values)
{
    HWY_DYNAMIC_DISPATCH(copyFiniteOf)(recorded, first, count, values);
}

void correctLine(float* values, std::size_t count, const double* dark, const double* gain)
{
    HWY_DYNAMIC_DISPATCH(correctLineOf)(values, count, dark, gain);
}

void minusLogLine(float* values, std::size_t count)
{
    HWY_DYNAMIC_DISPATCH(minusLogLineOf)(values, count);
}

} // namespace engine
#endif
