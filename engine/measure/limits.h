// SPDX-License-Identifier: GPL-3.0-or-later
// Limits of the kernels that ran, in words.
#pragma once

#include "engine/backends/unit_rates.h"
#include "engine/measure/benchmark_row.h"
#include "engine/reconstruct/reconstruction.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace engine
{

struct Backend;

KernelWork workOf(const BenchmarkRow& row);
KernelWork workOf(const Reconstruction& made); // of a single device

// Measured rates of the devices of this machine, and of one core for each instruction set.
struct MachinePeaks {
    std::map<const Backend*, std::vector<DeviceRates>> ofBackends;

    std::span<const DeviceRates> of(const Backend& backend) const;
};

// Returns the limits of a kernel, the lowest first; empty if its operations aren't known. Measures the device, within a
// second, if its rates aren't in `peaks`, and adds them. Empty for a device that can't be measured, too.
std::vector<Limit> limitsOf(const KernelWork& work, MachinePeaks& peaks);

// Sets the limits of the rows. Returns the rates of their devices without those that can't be measured.
MachinePeaks addLimits(std::vector<BenchmarkRow>& rows);

// Returns "87 % of shared memory" for the lowest limit; empty without limits.
std::string limiterText(double gups, const std::vector<Limit>& limits);
// Returns a sentence that names what limits the kernel, and how far it could be faster; empty without limits.
std::string limiterSentence(double gups, const std::vector<Limit>& limits);

// Returns a sentence about why this kernel stays below the limits of the device's units, or why it has none, as found
// with counters (tests/bench/results); empty if it reaches them, or if nothing is known.
std::string limitsRemark(const KernelWork& work);
// Returns limiterSentence(), followed by the remark if the kernel stays below its limit or has none.
std::string explainedLimit(double gups, const std::vector<Limit>& limits, const KernelWork& work);

} // namespace engine
