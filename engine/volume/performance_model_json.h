// SPDX-License-Identifier: GPL-3.0-or-later
// Rates of a machine and predictions of the performance model as JSON: files that people write, and parts of reports.
#pragma once

#include "engine/json/request_json.h"
#include "engine/volume/performance_model.h"
#include "engine/volume/published.h"

#include <filesystem>
#include <vector>

namespace engine
{

// Returns the value of "rates": "name", "loading" ("gathered" or "bands"), "gpusPerNode", "connectorsPerNode",
// "gpuMemoryBytes", "slicesPerPass", and the keys of rateRows(), null for stages that take no time.
Json ratesOf(const Rates& rates);
// Reads the "rates" of an object and ignores its other keys; "name" is optional. Throws Error(badRequest) that names
// the key and its value.
Rates ratesFrom(const Json& json);
// As ratesFrom(). Throws Error(badFile) that also names the file.
Rates readRates(const std::filesystem::path& file);

Json problemJson(const Problem& problem);
// Returns "problem", "rates", and "rows" with the seconds of each stage by its id; "published" if there are published
// figures.
Json modelOf(const Problem& problem, const Rates& rates, const std::vector<ModelledRanks>& rows);

// Returns one row per stage: id, predicted and measured seconds, their ratio.
Json comparisonOf(const ModelComparison& comparison);

} // namespace engine
