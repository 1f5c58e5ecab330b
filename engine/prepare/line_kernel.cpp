#include "engine/prepare/line_kernel.h"

#include "engine/prepare/minus_log.h"
#include "engine/prepare/steps.h"

#include <algorithm>
#include <limits>

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

// What is left at the end of a line goes through a whole vector too.
template <class Vector>
HWY_INLINE void storeSome(Vector result, float* to, std::size_t count)
{
    alignas(64) float all[lineLanes];
    hn::Store(result, LineFloats(), all);
    std::copy_n(all, count, to);
}

template <typename Number>
HWY_INLINE void loadSome(const Number* from, std::size_t count, Number (&to)[lineLanes])
{
    std::fill_n(to, lineLanes, Number(1));
    std::copy_n(from, count, to);
}

HWY_INLINE auto finite(hn::Vec<LineFloats> value)
{
    const LineFloats d;
    return hn::IfThenElse(hn::IsFinite(value), value, hn::Set(d, noValue));
}

HWY_INLINE auto corrected(hn::Vec<HalfLine> value, const double* dark, const double* gain)
{
    const LineDoubles d;
    return hn::DemoteTo(HalfLine(), hn::Mul(hn::Sub(hn::PromoteTo(d, value), hn::LoadU(d, dark)), hn::LoadU(d, gain)));
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

void copyFiniteOf(const float* recorded, std::size_t count, float* values)
{
    const LineFloats d;
    std::size_t k = 0;
    for (; k + lineLanes <= count; k += lineLanes)
        hn::StoreU(finite(hn::LoadU(d, recorded + k)), d, values + k);
    alignas(64) float rest[lineLanes];
    loadSome(recorded + k, count - k, rest);
    storeSome(finite(hn::Load(d, rest)), values + k, count - k);
}

void correctLineOf(float* values, std::size_t count, const double* dark, const double* gain)
{
    constexpr std::size_t lanes = lineLanes / 2;
    const HalfLine d;
    std::size_t k = 0;
    for (; k + lanes <= count; k += lanes)
        hn::StoreU(corrected(hn::LoadU(d, values + k), dark + k, gain + k), d, values + k);
    alignas(64) float rest[lineLanes], result[lineLanes];
    alignas(64) double darks[lineLanes], gains[lineLanes];
    loadSome(values + k, count - k, rest);
    loadSome(dark + k, count - k, darks);
    loadSome(gain + k, count - k, gains);
    hn::Store(corrected(hn::Load(d, rest), darks, gains), d, result);
    std::copy_n(result, count - k, values + k);
}

void minusLogLineOf(float* values, std::size_t count)
{
    const LineFloats d;
    std::size_t k = 0;
    for (; k + lineLanes <= count; k += lineLanes)
        hn::StoreU(attenuation(hn::LoadU(d, values + k)), d, values + k);
    alignas(64) float rest[lineLanes];
    loadSome(values + k, count - k, rest);
    storeSome(attenuation(hn::Load(d, rest)), values + k, count - k);
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

void copyFinite(const float* recorded, std::size_t count, float* values)
{
    HWY_DYNAMIC_DISPATCH(copyFiniteOf)(recorded, count, values);
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
