// SPDX-License-Identifier: GPL-3.0-or-later
// How far a method may be from the exact one, and why.
#include "engine/backproject/support.h"
#include "engine/measure/verify.h"
#include "engine/measure/verify_cases.h"

#include <algorithm>
#include <cmath>

namespace engine
{

namespace
{

// Kernels that take h as a float choose the other of two samples where h lies within `doubt` bins of
// the middle between them: a share 2·doubt of the updates, three standard deviations more, and a few.
// Each is wrong by the difference of two samples: √2 of their size, a `factor` of it when oversampled.
// updates: of one slice, since all slices choose alike.
double boundOfTies(double doubt, double factor, double updates)
{
    const double expected = 2 * doubt * updates;
    const double wrong = expected + 3 * std::sqrt(expected) + 6;
    return std::sqrt(2 * wrong / updates) * factor;
}

double boundOnGpu(const Method& method, Interpolation interpolation, Precision precision, int size, int projections)
{
    const bool textureUnit = method.textureWeights;
    const double stored = precision == Precision::half ? 1e-3 : 1e-5;
    const double updates = static_cast<double>(size) * size * projections;
    // h in float: whole in the texture unit (which adds its own steps of 2⁻⁹ where it filters), from the
    // tile's segment of at most 152 bins, whose last digit is 2⁻¹⁶ beyond 128 and less before, and nudged
    // by 2⁻¹⁷, in the ALU.
    const double doubt = textureUnit ? size * 0x1p-22 + 0x1p-16 : 0x1p-16;
    switch (interpolation) {
    case Interpolation::nearest:
        return stored + boundOfTies(doubt, 1, updates);
    case Interpolation::oversampled:
        return stored + boundOfTies(doubt * verifiedOversampling, 1.0 / verifiedOversampling, updates);
    case Interpolation::linear:
        // Weights of 8 bits, off by ±2⁻⁹ evenly: 2⁻⁹/√3 of a difference (√2 of a sample) against an
        // interpolated value (√(2/3) of a sample) is 1.95·10⁻³; up to twice that where one projection along
        // the rows meets all pixels at the same fraction, and 15 % more for few pixels (measured: 11 %).
        if (textureUnit)
            return stored + 1.95e-3 * (1.15 + 1 / std::sqrt(projections));
        [[fallthrough]];
    case Interpolation::cubic:
        break;
    }
    return stored;
}

bool takesCones(const Method& method)
{
    return method.takes(geometryKind("cone").example);
}

// Bilinear, of values of noise: h and r enter alike.
double boundOfCone(const Method& method, Interpolation interpolation, Precision precision, int size, int projections)
{
    const bool half = precision == Precision::half;
    // h and r are quotients of sums of a few products as large as the detector, in float: each off by some 2⁻²² of it.
    // 10⁻⁵ is what that makes of a linear interpolation in 128 bins.
    const double stored = half ? 1e-3 : 1e-5 * std::max(1.0, size / 128.0);
    const double updates = static_cast<double>(size) * size * projections;
    if (interpolation == Interpolation::nearest)
        return stored + boundOfTies(size * 0x1p-21 + (method.textureWeights ? 0x1p-16 : 0), 1, updates);
    // Two weights of 8 bits: √2 of what one does to parallel beams, and more where few projections meet all voxels at
    // the same fractions.
    if (method.textureWeights)
        return std::max(5e-3, 2.76e-3 * (1.15 + 1 / std::sqrt(projections)));
    return stored;
}

} // namespace

double errorBound(const Method& method, Interpolation interpolation, Precision precision, int size, int projections)
{
    if (method.yardstick && precision == Precision::single)
        return 0; // the same bits on every device
    if (takesCones(method))
        return boundOfCone(method, interpolation, precision, size, projections);
    if (method.device == DeviceSettings::Kind::cuda)
        return boundOnGpu(method, interpolation, precision, size, projections);
    // Halves carry 11 bits: each value is off by at most 2⁻¹¹ = 4.9·10⁻⁴ of itself, and the errors of
    // neighbouring bins are independent, so that interpolating doesn't add to them on noise.
    if (precision == Precision::half)
        return 1e-3;
    switch (interpolation) {
    case Interpolation::nearest:
    case Interpolation::oversampled:
        // The same bin as `exact`: positions are right to 2⁻²⁶ bin (cpu/positions-inl.h), so that one in 10⁷
        // lies on the other side of a tie. What is left is the rounding of the interpolation (2⁻²³) and of the
        // sum in floats: random, 2⁻²⁴·√P. One wrong bin in 10⁵ would show: it is wrong by the value itself.
    case Interpolation::linear:
    case Interpolation::cubic:
        // h rounded to 10⁻⁷ bin gives 10⁻⁷ of the difference of two bins, √2 of their size on noise.
        break;
    }
    return 1e-5;
}

} // namespace engine
