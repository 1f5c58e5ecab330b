// SPDX-License-Identifier: GPL-3.0-or-later
// Reports of `benchmark`, read again to compare this machine with another one or with an earlier day.
#pragma once

#include "engine/measure/benchmark.h"

#include <filesystem>
#include <string>
#include <vector>

namespace engine
{

struct BenchmarkFile {
    std::string device;             // what the file says about it: "NVIDIA H200", or the processor
    std::string version, date;      // of the program and of the measurement; empty: not stated
    std::vector<BenchmarkRow> rows; // at least one; what the file doesn't state is 0 or empty
};

// Throws Error(badFile), which names the file and the value, if it is no report of a benchmark.
BenchmarkFile readBenchmark(const std::filesystem::path& file);

// Returns the row that measured the same setting and problem; nullptr if there is none.
const BenchmarkRow* sameSetting(const std::vector<BenchmarkRow>& rows, const BenchmarkRow& row);

} // namespace engine
