// SPDX-License-Identifier: GPL-3.0-or-later
// What `benchmark` prints.
#pragma once

#include "engine/measure/benchmark.h"

namespace cli
{

// Prints the rows, of which there is at least one, and what was measured beside them. details: also how the runs of
// each setting vary, what a kernel occupies of a GPU, the clock, and the limits.
void printBenchmark(const engine::Benchmark& benchmark, bool details);

} // namespace cli
