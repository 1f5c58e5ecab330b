// SPDX-License-Identifier: GPL-3.0-or-later
// What `benchmark` prints of its rows.
#pragma once

#include "engine/backproject/paper_steps.h"
#include "engine/measure/benchmark.h"

#include <string>
#include <vector>

namespace cli
{

std::string settingText(const engine::BenchmarkRow& row); // "oversampled:4"

// rows: at least one. peaks: of the instruction sets that they were measured with.
void printBenchmark(const std::vector<engine::BenchmarkRow>& rows, const std::vector<engine::ProcessorPeaks>& peaks);
// Prints how the runs of each setting vary, what a kernel occupies of a GPU, and the clock.
void printBenchmarkDetails(const std::vector<engine::BenchmarkRow>& rows);
// Prints the speeds that the paper prints for the problems of the rows.
void printPaper(const engine::PaperSequence& sequence, const std::vector<engine::BenchmarkRow>& rows);

} // namespace cli
