// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/parallel/exact.h"

#include "engine/data/half_scale.h"

namespace engine
{

ExactInput exactInputOf(const LaunchArguments& arguments)
{
    ExactInput input{raysOf(arguments, FilterPrecision::float64), arguments.sinograms.doubles, 1, {}};
    if (arguments.kernel.precision == Precision::half) {
        input.scale = halfScale(input.values);
        input.halves.reserve(input.values.size());
        for (const double value : input.values)
            input.halves.push_back(fromHalf(toHalf(value * input.scale)));
        input.values = input.halves;
    }
    return input;
}

} // namespace engine
