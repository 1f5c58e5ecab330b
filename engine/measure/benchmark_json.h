// SPDX-License-Identifier: GPL-3.0-or-later
// Reports of a benchmark: written, and read again to compare this build or machine with another one, or with an earlier
// day.
#pragma once

#include "engine/measure/benchmark.h"

#include <filesystem>
#include <string>

namespace engine
{

std::string benchmarkJson(const Benchmark& benchmark);

// Returns at least one row, and device, version and date; what the file doesn't state is 0 or empty. Throws
// Error(badFile), which names the file and the value, if it is no report of a benchmark.
Benchmark readBenchmark(const std::filesystem::path& file);

} // namespace engine
