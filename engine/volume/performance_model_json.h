// SPDX-License-Identifier: GPL-3.0-or-later
// Rates of a machine and what the model says of it, as JSON: files that people write, parts of reports.
#pragma once

#include "engine/json/request_json.h"
#include "engine/volume/performance_model.h"
#include "engine/volume/published.h"

#include <filesystem>
#include <vector>

namespace engine
{

// What stands under "rates": "name", "loading" ("gathered" or "bands"), "gpusPerNode", "connectorsPerNode",
// "gpuMemoryBytes", "slicesPerPass", and the keys of rateRows(), null for what takes no time.
Json ratesOf(const Rates& rates);
// Of an object with such "rates", whatever else it holds; "name" may be left out. Throws Error(badRequest) that names
// the key and its value.
Rates ratesFrom(const Json& json);
// Throws Error(badFile) that names the file too.
Rates readRates(const std::filesystem::path& file);

Json problemJson(const Problem& problem);
// "problem", "rates", "rows" with the seconds of each stage by its id; "published" where there are such figures.
Json modelOf(const Problem& problem, const Rates& rates, const std::vector<ModelledRanks>& rows);

// A row each stage: id, seconds predicted and measured, their ratio.
Json comparisonOf(const ModelComparison& comparison);

} // namespace engine
