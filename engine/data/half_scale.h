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

// Returns the largest magnitude of the finite values; 0 if there are none.
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

// Returns the power of two that brings `largest`, the largest finite magnitude, to 2¹⁰…2¹¹; 1 if it is 0. Halves have
// full precision from 6·10⁻⁵ to 65504. A filtered sinogram with this scale cannot overflow, and values down to 2⁻²⁴
// of the largest keep their 11 bits. A power of two costs no accuracy.
inline double halfScaleFor(double largest)
{
    return largest > 0 ? std::ldexp(1.0, 10 - std::ilogb(largest)) : 1.0;
}

template <typename Real>
double halfScale(std::span<const Real> values)
{
    return halfScaleFor(largestFinite(values));
}

// Rounds to the nearest half, ties to even; from 65520 on the result is infinite.
inline std::uint16_t toHalf(double value)
{
    const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    const double size = std::abs(value);
    if (std::isnan(value))
        return sign | 0x7e00;
    if (size >= 65520) // half-way from 65504 to the next step
        return sign | 0x7c00;
    if (size < 0x1p-14) // denormal: a multiple of 2⁻²⁴; 1024 of these units carry into the smallest normal number
        return sign | static_cast<std::uint16_t>(std::nearbyint(size * 0x1p24));
    const int exponent = std::ilogb(size);
    // 1024…2048 units of 2^(exponent − 10); 2048 carries into the exponent.
    const int units = static_cast<int>(std::nearbyint(std::ldexp(size, 10 - exponent)));
    return sign | static_cast<std::uint16_t>(((exponent + 14) << 10) + units);
}

// Rounds a float like the function above, but faster, for large arrays.
inline std::uint16_t toHalf(float value)
{
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t size = bits & 0x7fffffff;
    const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000);
    if (size >= 0x477ff000) // 65520 and above: infinite; or NaN
        return sign | (size > 0x7f800000 ? 0x7e00 : 0x7c00);
    if (size < 0x38800000) // below 2⁻¹⁴: the last bit of 0.5 + x is 2⁻²⁴, like that of a denormal half
        return sign | static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(std::bit_cast<float>(size) + 0.5f) -
                                                 std::bit_cast<std::uint32_t>(0.5f));
    // Drops 13 bits, ties to even; the exponent's bias changes from 127 to 15.
    return sign | static_cast<std::uint16_t>((size - (112u << 23) + 0xfff + (size >> 13 & 1)) >> 13);
}

// Converts exactly, denormals too. Without branches, so that loops over it vectorise: the exponent bits of a half,
// placed in a float, give 2⁻¹¹² of the half's value.
inline float fromHalf(std::uint16_t half)
{
    const std::uint32_t size = static_cast<std::uint32_t>(half & 0x7fff) << 13;
    const float value = std::bit_cast<float>(size) * 0x1p112f;
    const std::uint32_t special = size >= 0x0f800000u ? 0x7f800000u : 0u; // infinite or NaN
    const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000) << 16;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) | special | sign);
}

} // namespace engine
