// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of runBenchmark. The options have their sizes.
#pragma once

#include "engine/measure/benchmark.h"

namespace engine
{

Benchmark measureSizes(const BenchmarkOptions& options, const BenchmarkWatch& watch, const std::stop_token& stop);
Benchmark measureCard(const BenchmarkOptions& options, const BenchmarkWatch& watch, const std::stop_token& stop);
Benchmark measurePlanes(BenchmarkOptions options, const BenchmarkWatch& watch, const std::stop_token& stop);
Benchmark measureVolume(const BenchmarkOptions& options, const BenchmarkWatch& watch, const std::stop_token& stop);

} // namespace engine
