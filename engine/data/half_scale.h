// SPDX-License-Identifier: GPL-3.0-or-later
// IEEE half precision: conversions, and the scale at which sinograms are stored.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

namespace engine
{

// Of the finite values; 0 when there are none.
template <typename Real>
double largestFinite(std::span<const Real> values)
{
    double largest = 0;
    for (const Real value : values) {
        const double size = std::abs(static_cast<double>(value));
        if (size > largest && size <= std::numeric_limits<Real>::max())
            largest = size;
    }
    return largest;
}

// Power of two that brings the largest finite |value| to 2¹⁰…2¹¹. Halves hold 6·10⁻⁵…65504 at full
// precision: a filtered sinogram scaled so can't overflow, and values down to 2⁻²⁴ of the largest
// keep their 11 bits. Being a power of two it costs no accuracy. 1 when there is nothing to scale.
inline double halfScaleFor(double largest)
{
    return largest > 0 ? std::ldexp(1.0, 10 - std::ilogb(largest)) : 1.0;
}

template <typename Real>
double halfScale(std::span<const Real> values)
{
    return halfScaleFor(largestFinite(values));
}

// The half nearest to the value, ties to even; above 65504 infinite.
inline std::uint16_t toHalf(double value)
{
    const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    const double size = std::abs(value);
    if (std::isnan(value))
        return sign | 0x7e00;
    if (size >= 65520) // half way to the next after 65504
        return sign | 0x7c00;
    if (size < 0x1p-14) // denormal: a multiple of 2⁻²⁴; 1024 of them carry into the first normal number
        return sign | static_cast<std::uint16_t>(std::nearbyint(size * 0x1p24));
    const int exponent = std::ilogb(size);
    // 1024…2048 units of 2^(exponent − 10); 2048 carries into the exponent.
    const int units = static_cast<int>(std::nearbyint(std::ldexp(size, 10 - exponent)));
    return sign | static_cast<std::uint16_t>(((exponent + 14) << 10) + units);
}

// The same for floats, which are many and are wanted quickly.
inline std::uint16_t toHalf(float value)
{
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t size = bits & 0x7fffffff;
    const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000);
    if (size >= 0x477ff000) // 65520: infinite; or NaN
        return sign | (size > 0x7f800000 ? 0x7e00 : 0x7c00);
    if (size < 0x38800000) // 2⁻¹⁴: the last digit of 0.5 + x is 2⁻²⁴, that of a denormal half
        return sign | static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(std::bit_cast<float>(size) + 0.5f) -
                                                 std::bit_cast<std::uint32_t>(0.5f));
    // 13 digits are dropped, ties to even; the exponent counts from 15, not from 127.
    return sign | static_cast<std::uint16_t>((size - (112u << 23) + 0xfff + (size >> 13 & 1)) >> 13);
}

// Exact. Written without branches so that loops over it vectorise: the exponent of a half placed into
// a float's reads 2⁻¹¹² of its value, denormals too.
inline float fromHalf(std::uint16_t half)
{
    const std::uint32_t size = static_cast<std::uint32_t>(half & 0x7fff) << 13;
    const float value = std::bit_cast<float>(size) * 0x1p112f;
    const std::uint32_t special = size >= 0x0f800000u ? 0x7f800000u : 0u; // infinite or NaN
    const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000) << 16;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) | special | sign);
}

} // namespace engine
