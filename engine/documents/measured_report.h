// SPDX-License-Identifier: GPL-3.0-or-later
// JSON text of other programs' speeds, verifications and predictions of the performance model, in the form of report.h.
#pragma once

#include "engine/measure/cluster_benchmark.h"
#include "engine/measure/others.h"
#include "engine/measure/verify.h"
#include "engine/volume/performance_model.h"

#include <string>
#include <vector>

namespace engine
{

std::string othersJson(const std::vector<OtherProgram>&, const OthersOptions&);
std::string verifyJson(const std::vector<VerifyCase>&);
std::string
measuredRatesJson(const MeasuredRates&); // as ratesOf in performance_model_json.h, with "problem", "grid" and "seconds"
std::string modelJson(const Problem&, const Rates&,
                      const std::vector<ModelledRanks>&); // as modelOf in performance_model_json.h

} // namespace engine
