// SPDX-License-Identifier: GPL-3.0-or-later
// What `benchmark` prints of its rows.
#pragma once

#include "engine/backproject/paper_steps.h"
#include "engine/measure/limits.h"

#include <string>
#include <vector>

namespace cli
{

std::string settingText(const engine::BenchmarkRow& row); // "oversampled:4"

// rows: at least one. peaks: of their devices.
void printBenchmark(const std::vector<engine::BenchmarkRow>& rows, const engine::MachinePeaks& peaks);
// Prints how the runs of each setting vary, what a kernel occupies of a GPU, the clock, and the limits.
void printBenchmarkDetails(const std::vector<engine::BenchmarkRow>& rows, const engine::MachinePeaks& peaks);
// Prints the speeds that the paper prints for the problems of the rows.
void printPaper(const engine::PaperSequence& sequence, const std::vector<engine::BenchmarkRow>& rows);

} // namespace cli
