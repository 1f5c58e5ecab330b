// SPDX-License-Identifier: GPL-3.0-or-later
// Bounds of the difference between a method and the exact one, with reasons.
#include "engine/backends/backend.h"
#include "engine/backends/support.h"
#include "engine/measure/verify.h"
#include "engine/measure/verify_cases.h"

#include <algorithm>
#include <cmath>

namespace engine
{

namespace
{

// Bound of the error by ties. Kernels that compute the detector position h as a float may choose the other of two
// samples if h is within `doubt` bins of the middle between them. That concerns a share 2·doubt of the updates; three
// standard deviations of their number and six more updates are added. Each of these updates is wrong by the difference
// of two samples: √2 of their size, times `factor` when oversampled. updates: of one slice, since all slices choose
// alike.
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
    // Error of h as a float. Texture unit: h is the whole position (the unit adds its own steps of 2⁻⁹ where it
    // filters). ALU: h counts from the beginning of the tile's segment, which has at most 152 bins. Its last digit is
    // worth 2⁻¹⁶ above 128 and less below, and the kernel adds a shift of 2⁻¹⁷ to it.
    const double doubt = textureUnit ? size * 0x1p-22 + 0x1p-16 : 0x1p-16;
    switch (interpolation) {
    case Interpolation::nearest:
        return stored + boundOfTies(doubt, 1, updates);
    case Interpolation::oversampled:
        return stored + boundOfTies(doubt * verifiedOversampling, 1.0 / verifiedOversampling, updates);
    case Interpolation::linear:
        // Weights of 8 bits have evenly distributed errors of ±2⁻⁹. The error is 2⁻⁹/√3 of a difference (√2 of a
        // sample), relative to an interpolated value (√(2/3) of a sample): 1.95·10⁻³. A projection along the rows
        // meets all pixels at the same fraction of a bin; if it is the only projection, the error is up to twice as
        // large. For few pixels it is up to 15 % larger (measured: 11 %).
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

// Bound for bilinear interpolation of noise; h and r contribute equally.
double boundOfCone(const Method& method, Interpolation interpolation, Precision precision, int size, int projections)
{
    const bool half = precision == Precision::half;
    // h and r are quotients of sums of a few products, computed in float. The sums are as large as the detector, and
    // the error of h and r is about 2⁻²² of its size. For linear interpolation in 128 bins this makes 10⁻⁵.
    const double stored = half ? 1e-3 : 1e-5 * std::max(1.0, size / 128.0);
    const double updates = static_cast<double>(size) * size * projections;
    if (interpolation == Interpolation::nearest)
        return stored + boundOfTies(size * 0x1p-21 + (method.textureWeights ? 0x1p-16 : 0), 1, updates);
    // Two weights of 8 bits: √2 times the error of parallel beams, and more where few projections meet all voxels at
    // the same fractions.
    if (method.textureWeights)
        return std::max(5e-3, 2.76e-3 * (1.15 + 1 / std::sqrt(projections)));
    return stored;
}

} // namespace

double errorBound(const Method& method, Interpolation interpolation, Precision precision, int size, int projections)
{
    if (method.yardstick && precision == Precision::single)
        return 0; // bit-identical on every device
    if (takesCones(method))
        return boundOfCone(method, interpolation, precision, size, projections);
    if (!method.backend->isProcessor)
        return boundOnGpu(method, interpolation, precision, size, projections);
    // Half precision has 11 bits: each value is off by at most 2⁻¹¹ = 4.9·10⁻⁴ of itself. The errors of neighbouring
    // bins are independent, so that interpolation of noise doesn't add to them.
    if (precision == Precision::half)
        return 1e-3;
    switch (interpolation) {
    case Interpolation::nearest:
    case Interpolation::oversampled:
        // The same bin as in `exact`: positions are accurate to 2⁻²⁶ bin (cpu/positions-inl.h), so that one in 10⁷
        // lies on the other side of a tie. There remain the rounding of the interpolation (2⁻²³) and of the float
        // sum: random, 2⁻²⁴·√P. One wrong bin in 10⁵ would be noticed: its error is as large as the value itself.
    case Interpolation::linear:
    case Interpolation::cubic:
        // h rounded to 10⁻⁷ bin gives an error of 10⁻⁷ of the difference of two bins, which is √2 of their size for
        // noise.
        break;
    }
    return 1e-5;
}

} // namespace engine
