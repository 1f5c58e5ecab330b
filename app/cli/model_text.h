// SPDX-License-Identifier: GPL-3.0-or-later
// Results of the performance model as text: tables, a plot of text characters, CSV.
#pragma once

#include "engine/volume/performance_model.h"

#include <string>
#include <vector>

namespace cli
{

std::string machineText(const engine::Problem& problem, const engine::Rates& rates);
// Returns machineText(), then a line per number of ranks, the plot, and the published figures if there are any for
// this problem.
std::string modelText(const engine::Problem& problem, const engine::Rates& rates,
                      const std::vector<engine::ModelledRanks>& rows);
// Plots seconds over ranks, both logarithmic.
std::string modelPlot(const engine::Problem& problem, const std::vector<engine::ModelledRanks>& rows);
std::string modelCsv(const std::vector<engine::ModelledRanks>& rows);

// Returns predicted beside measured seconds, a line per stage.
std::string comparisonText(const engine::ModelComparison& comparison);

} // namespace cli
