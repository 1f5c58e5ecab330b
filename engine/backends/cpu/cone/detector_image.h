// SPDX-License-Identifier: GPL-3.0-or-later
// A filtered projection in double precision, and how `exact` interpolates in it.
#pragma once

#include "engine/request/setting.h"

#include <cmath>
#include <cstddef>

namespace engine
{

// Zero beyond its rows and bins.
struct DetectorImage {
    const double* values; // of row 0; rows are rowStride apart
    std::size_t rowStride;
    int rows, bins;

    double at(long long row, long long bin) const
    {
        return row >= 0 && row < rows && bin >= 0 && bin < bins ? values[row * rowStride + bin] : 0.0;
    }

    double sample(double r, double h, Interpolation interpolation) const
    {
        if (!(h > -2 && h < bins + 1.0 && r > -2 && r < rows + 1.0)) // keeps the conversions in range
            return 0;
        if (interpolation == Interpolation::nearest)
            return at(static_cast<long long>(std::floor(r + 0.5)), static_cast<long long>(std::floor(h + 0.5)));
        const double top = std::floor(r), left = std::floor(h);
        const double fr = r - top, fh = h - left;
        const auto row = static_cast<long long>(top), bin = static_cast<long long>(left);
        return (1 - fr) * ((1 - fh) * at(row, bin) + fh * at(row, bin + 1)) +
               fr * ((1 - fh) * at(row + 1, bin) + fh * at(row + 1, bin + 1));
    }
};

} // namespace engine
