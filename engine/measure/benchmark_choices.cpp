// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/measure/benchmark_choices.h"

#include "engine/measure/benchmark.h"

namespace engine
{

namespace
{

// The four choices of the paper, varied one at a time from the most common setting; also half precision with several
// slices per pass, as both save memory traffic.
constexpr BenchmarkChoice choices[] = {
    {Interpolation::linear, Precision::single, 1},      {Interpolation::linear, Precision::single, 2},
    {Interpolation::linear, Precision::single, 4},      {Interpolation::linear, Precision::single, 8},
    {Interpolation::linear, Precision::half, 1},        {Interpolation::linear, Precision::half, 8},
    {Interpolation::nearest, Precision::single, 1},     {Interpolation::nearest, Precision::single, 8},
    {Interpolation::oversampled, Precision::single, 1}, {Interpolation::oversampled, Precision::single, 8},
    {Interpolation::cubic, Precision::single, 1},       {Interpolation::cubic, Precision::single, 8},
    {Interpolation::linear, Precision::half, 2},        {Interpolation::linear, Precision::half, 4},
    {Interpolation::nearest, Precision::single, 2},     {Interpolation::nearest, Precision::half, 4},
    {Interpolation::oversampled, Precision::single, 2}, {Interpolation::oversampled, Precision::single, 4},
    {Interpolation::linear, Precision::single, 32},     {Interpolation::linear, Precision::half, 32},
    {Interpolation::nearest, Precision::single, 32},    {Interpolation::oversampled, Precision::single, 32},
};

} // namespace

std::vector<BenchmarkChoice> benchmarkChoices(const BenchmarkOptions& options)
{
    std::vector<BenchmarkChoice> chosen(std::begin(choices), std::end(choices));
    if (options.slicesPerPass) {
        chosen.clear();
        for (const Interpolation interpolation :
             {Interpolation::linear, Interpolation::nearest, Interpolation::oversampled, Interpolation::cubic})
            for (const Precision precision : {Precision::single, Precision::half})
                chosen.push_back({interpolation, precision, *options.slicesPerPass});
    }
    std::erase_if(chosen, [&](const BenchmarkChoice& setting) {
        return options.interpolation.value_or(setting.interpolation) != setting.interpolation ||
               options.precision.value_or(setting.precision) != setting.precision;
    });
    return chosen;
}

} // namespace engine
