// SPDX-License-Identifier: GPL-3.0-or-later
// How fast a kernel could be if one unit of the device were always busy: the measured rate of that unit over the
// operations that an update takes there (Chilingaryan et al. 2020, section 6.5, Tables 13 to 16).
#pragma once

#include "engine/backproject/parallel/cpu/peaks.h"
#include "engine/cuda/gpu_peaks.h"
#include "engine/measure/benchmark.h"

#include <map>
#include <string>
#include <vector>

namespace engine
{

// Return the limits of a measured setting, the lowest first; empty if the operations of its kernel aren't known. The
// peaks are those of one core, and of the row's GPU.
std::vector<Limit> limitsOf(const BenchmarkRow& row, const ProcessorPeaks& core);
std::vector<Limit> limitsOf(const BenchmarkRow& row, const GpuPeaks& gpu);

// Measured rates of the devices that rows were measured on.
struct MachinePeaks {
    std::vector<ProcessorPeaks> cores;    // of one core, for each instruction set
    std::map<std::string, GpuPeaks> gpus; // by BenchmarkRow::device: "cuda:1"
};

// Measures the devices of the rows, within a second each, and sets the rows' limits. A GPU that can't be measured, for
// example because its memory is full, is left out.
MachinePeaks addLimits(std::vector<BenchmarkRow>& rows);

// Returns "87 % of shared memory" for the lowest limit; empty without limits.
std::string limiterText(double gups, const std::vector<Limit>& limits);

} // namespace engine
