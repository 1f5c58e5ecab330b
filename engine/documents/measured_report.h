// SPDX-License-Identifier: GPL-3.0-or-later
// Benchmarks, verifications and what the performance model says, as JSON text as report.h writes it.
#pragma once

#include "engine/measure/benchmark.h"
#include "engine/measure/cluster_benchmark.h"
#include "engine/measure/verify.h"
#include "engine/measure/volume_benchmark.h"
#include "engine/volume/performance_model.h"

#include <string>
#include <vector>

namespace engine
{

std::string benchmarkJson(const std::vector<BenchmarkRow>&, const std::vector<ProcessorPeaks>& = {});
// "volume": its runs by output, and of that to one HDF5 file readOverMachine, writeOverMachine and wholeOverSlowest.
std::string volumeBenchmarkJson(const VolumeBenchmark&);
std::string verifyJson(const std::vector<VerifyCase>&);
std::string
measuredRatesJson(const MeasuredRates&); // as ratesOf in performance_model_json.h, with "problem", "grid" and "seconds"
std::string modelJson(const Problem&, const Rates&,
                      const std::vector<ModelledRanks>&); // as modelOf in performance_model_json.h

} // namespace engine
