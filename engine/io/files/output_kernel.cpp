// SPDX-License-Identifier: GPL-3.0-or-later
// Conversion of slices to halves and whole numbers, with the widest vectors that this processor has.
#include "engine/data/half_scale.h"
#include "engine/io/files/output_format.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "engine/base/targets-inl.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/io/files/output_kernel.cpp"
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

// Converts all values. `turn` converts a vector to 16-bit numbers and counts the changed values. The remaining values
// at the end are padded with zeros to a whole vector.
template <class Turn>
HWY_INLINE long long storeAll(std::span<const float> values, std::uint16_t* to, const Turn& turn)
{
    const hn::ScalableTag<float> d;
    const hn::Rebind<std::uint16_t, decltype(d)> numbers;
    const std::size_t lanes = hn::Lanes(d);
    std::size_t k = 0, changed = 0;
    for (; k + lanes <= values.size(); k += lanes)
        hn::StoreU(turn(hn::LoadU(d, values.data() + k), changed), numbers, to + k);
    if (k == values.size())
        return static_cast<long long>(changed);
    HWY_ALIGN float rest[hn::MaxLanes(d)] = {};
    HWY_ALIGN std::uint16_t made[hn::MaxLanes(d)];
    std::copy_n(values.data() + k, values.size() - k, rest);
    std::size_t changedHere = 0, changedZeros = 0;
    hn::Store(turn(hn::Load(d, rest), changedHere), numbers, made);
    std::copy_n(made, values.size() - k, to + k);
    turn(hn::Zero(d), changedZeros); // counts changed zeros, to subtract those of the padding
    return static_cast<long long>(changed + changedHere - changedZeros / lanes * (lanes - (values.size() - k)));
}

} // namespace

long long storeWholeOf(std::span<const float> values, float least, float perStep, std::uint16_t* to)
{
    const hn::ScalableTag<float> d;
    const hn::Rebind<std::int32_t, decltype(d)> whole;
    const hn::Rebind<std::uint16_t, decltype(d)> numbers;
    return storeAll(values, to, [&](hn::Vec<decltype(d)> value, std::size_t& changed) HWY_ATTR {
        const auto place = hn::Mul(hn::Sub(value, hn::Set(d, least)), hn::Set(d, perStep));
        const auto fits = hn::And(hn::Gt(place, hn::Set(d, -0.5f)), hn::Lt(place, hn::Set(d, 65535.5f)));
        changed += hn::Lanes(d) - hn::CountTrue(d, fits);
        const auto some = hn::IfThenElseZero(hn::Gt(place, hn::Zero(d)), place); // NaN becomes 0
        const auto rounded = hn::Add(hn::Min(some, hn::Set(d, 65535.0f)), hn::Set(d, 0.5f));
        return hn::DemoteTo(numbers, hn::ConvertTo(whole, rounded));
    });
}

long long storeHalvesOf(std::span<const float> values, std::uint16_t* to)
{
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2 // the processor has its own conversion
    const hn::ScalableTag<float> d;
    const hn::Rebind<hwy::float16_t, decltype(d)> halves;
    const hn::Rebind<std::uint16_t, decltype(d)> numbers;
    return storeAll(values, to, [&](hn::Vec<decltype(d)> value, std::size_t& changed) HWY_ATTR {
        const auto large = hn::Ge(hn::Abs(value), hn::Set(d, 65520.0f)); // half way from 65504 to the next half
        changed += hn::CountTrue(d, hn::And(large, hn::IsFinite(value)));
        return hn::BitCast(numbers, hn::DemoteTo(halves, value));
    });
#else
    long long changed = 0;
    for (const float value : values) {
        *to++ = toHalf(value);
        changed += std::abs(value) >= 65520 && std::isfinite(value);
    }
    return changed;
#endif
}

} // namespace HWY_NAMESPACE
} // namespace engine
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace engine
{

HWY_EXPORT(storeWholeOf);
HWY_EXPORT(storeHalvesOf);

long long store(const OutputFormat& format, std::span<const float> values, std::byte* to)
{
    if (format.type == OutputFormat::Type::float32) {
        std::memcpy(to, values.data(), values.size_bytes());
        return 0;
    }
    auto* numbers = reinterpret_cast<std::uint16_t*>(to);
    if (format.type == OutputFormat::Type::half)
        return HWY_DYNAMIC_DISPATCH(storeHalvesOf)(values, numbers);
    return HWY_DYNAMIC_DISPATCH(storeWholeOf)(values, static_cast<float>(format.range.least),
                                              static_cast<float>(1 / format.step()), numbers);
}

} // namespace engine
#endif
