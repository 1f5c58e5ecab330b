// Benchmarks and verifications as JSON text, as report.h writes it.
#pragma once

#include "engine/measure/benchmark.h"
#include "engine/measure/verify.h"
#include "engine/measure/volume_benchmark.h"

#include <string>
#include <vector>

namespace engine
{

std::string benchmarkJson(const std::vector<BenchmarkRow>&, const std::vector<ProcessorPeaks>& = {});
// "volume": its runs by output, and of that to one HDF5 file readOverMachine, writeOverMachine and wholeOverSlowest.
std::string volumeBenchmarkJson(const VolumeBenchmark&);
std::string verifyJson(const std::vector<VerifyCase>&);

} // namespace engine
