// SPDX-License-Identifier: GPL-3.0-or-later
// What the performance model says, for people: tables, a plot of lines of text, CSV.
#pragma once

#include "engine/volume/performance_model.h"

#include <string>
#include <vector>

namespace cli
{

std::string machineText(const engine::Problem& problem, const engine::Rates& rates);
// The same, a line for each number of ranks, and the published figures where there are any of these.
std::string modelText(const engine::Problem& problem, const engine::Rates& rates,
                      const std::vector<engine::ModelledRanks>& rows);
// Seconds over ranks, both logarithmic.
std::string modelPlot(const engine::Problem& problem, const std::vector<engine::ModelledRanks>& rows);
std::string modelCsv(const std::vector<engine::ModelledRanks>& rows);

// Predicted beside measured: a line each stage.
std::string comparisonText(const engine::ModelComparison& comparison);

} // namespace cli
