// SPDX-License-Identifier: GPL-3.0-or-later
// Definition of the method `exact` on processors and GPUs: which values it reads, and how. Both do the same
// operations in the same order and fuse none of them, so that both give the same bits.
#pragma once

#include "engine/backends/parallel/rays.h"

#include <cmath>
#include <span>
#include <vector>

#ifdef __CUDACC__
#define SINOSCOPE_ON_BOTH __host__ __device__
#else
#define SINOSCOPE_ON_BOTH
#endif

namespace engine
{

// Filtered values of a launch and the rays of its projections. Refers to the launch's arguments.
struct ExactInput {
    Rays rays;
    std::span<const double> values; // [slice][projection][bin]; refers to `halves` in half precision
    double scale = 1;               // scale of `halves`, by which sums are divided
    std::vector<double> halves;     // values rounded to half precision, as doubles

    const double* slice(int k, const SinogramView& data) const
    {
        return values.data() + static_cast<std::size_t>(k) * data.projections * data.bins;
    }
};

// Throws the errors of raysOf.
ExactInput exactInputOf(const LaunchArguments& arguments);

// One filtered projection, continued with zeros.
struct ExactProjection {
    const double* values;
    int bins;

    SINOSCOPE_ON_BOTH double at(long long bin) const { return bin >= 0 && bin < bins ? values[bin] : 0.0; }

    SINOSCOPE_ON_BOTH double linear(double h) const
    {
        const double left = std::floor(h);
        const double f = h - left;
        const auto bin = static_cast<long long>(left);
        return (1 - f) * at(bin) + f * at(bin + 1);
    }

    SINOSCOPE_ON_BOTH double nearest(double h) const { return at(static_cast<long long>(std::floor(h + 0.5))); }

    // Catmull-Rom: Keys' cubic with a = −1/2.
    SINOSCOPE_ON_BOTH double cubic(double h) const
    {
        const double left = std::floor(h);
        const double f = h - left;
        const auto bin = static_cast<long long>(left);
        return (-0.5 * f + f * f - 0.5 * f * f * f) * at(bin - 1) + (1 - 2.5 * f * f + 1.5 * f * f * f) * at(bin) +
               (0.5 * f + 2 * f * f - 1.5 * f * f * f) * at(bin + 1) + (-0.5 * f * f + 0.5 * f * f * f) * at(bin + 2);
    }

    SINOSCOPE_ON_BOTH double sample(double h, Interpolation interpolation, int oversampling) const
    {
        if (!(h > -3 && h < bins + 2)) // no interpolation reaches further; keeps the conversions in range
            return 0;
        switch (interpolation) {
        case Interpolation::nearest:
            return nearest(h);
        case Interpolation::linear:
            return linear(h);
        case Interpolation::oversampled:
            return linear(std::floor(h * oversampling + 0.5) / oversampling);
        case Interpolation::cubic:
            return cubic(h);
        }
        return 0;
    }
};

} // namespace engine
