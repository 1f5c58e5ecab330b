// SPDX-License-Identifier: GPL-3.0-or-later
// JSON text of benchmarks, verifications and predictions of the performance model, in the form of report.h.
#pragma once

#include "engine/measure/cluster_benchmark.h"
#include "engine/measure/limits.h"
#include "engine/measure/others.h"
#include "engine/measure/verify.h"
#include "engine/measure/volume_benchmark.h"
#include "engine/volume/performance_model.h"

#include <string>
#include <vector>

namespace engine
{

std::string benchmarkJson(const std::vector<BenchmarkRow>&, const MachinePeaks& = {});
std::string othersJson(const std::vector<OtherProgram>&, const OthersOptions&);
// Returns "volume": the runs by output, and readOverMachine, writeOverMachine and wholeOverSlowest of the run to one
// HDF5 file.
std::string volumeBenchmarkJson(const VolumeBenchmark&);
std::string verifyJson(const std::vector<VerifyCase>&);
std::string
measuredRatesJson(const MeasuredRates&); // as ratesOf in performance_model_json.h, with "problem", "grid" and "seconds"
std::string modelJson(const Problem&, const Rates&,
                      const std::vector<ModelledRanks>&); // as modelOf in performance_model_json.h

} // namespace engine
