// SPDX-License-Identifier: GPL-3.0-or-later
// The settings that a benchmark measures each method with.
#pragma once

#include "engine/request/sampling.h"

#include <vector>

namespace engine
{

struct BenchmarkOptions;

struct BenchmarkChoice {
    Interpolation interpolation;
    Precision precision;
    int slicesPerPass;
};

// Returns the settings of a fixed list that the options allow; if the options give the slices per pass, all settings
// with that number.
std::vector<BenchmarkChoice> benchmarkChoices(const BenchmarkOptions& options);

} // namespace engine
