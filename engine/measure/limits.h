// SPDX-License-Identifier: GPL-3.0-or-later
// How fast a kernel could be if one unit of the device were always busy: the measured rate of that unit over the
// operations that an update takes there (Chilingaryan et al. 2020, section 6.5, Tables 13 to 16).
#pragma once

#include "engine/backproject/parallel/cpu/peaks.h"
#include "engine/cuda/gpu_peaks.h"
#include "engine/measure/benchmark_row.h"
#include "engine/opencl/device_peaks.h"
#include "engine/reconstruct/reconstruction.h"

#include <map>
#include <string>
#include <vector>

namespace engine
{

// What the operations of an update depend on.
struct KernelWork {
    Kernel kernel;              // method: an id; variant: empty for the one measured fastest, and for instruction sets
    bool isCone = false;        // cone beam
    DeviceSettings device;      // the one used
    std::string instructionSet; // on the processor; empty: the method has no kernels for several sets
    int threads = 0;            // of the processor; 0: all
    bool isOnGpu = true;        // whether an OpenCL device is a GPU, which has texture units
};
KernelWork workOf(const BenchmarkRow& row);
KernelWork workOf(const Reconstruction& made); // of a single device

// Return the limits of a kernel, the lowest first; empty if its operations aren't known. The peaks are those of one
// core, and of all together, of the kernel's GPU, or of its OpenCL device.
std::vector<Limit> limitsOf(const KernelWork& work, const ProcessorPeaks& core);
std::vector<Limit> limitsOf(const KernelWork& work, const GpuPeaks& gpu);
std::vector<Limit> limitsOf(const KernelWork& work, const OpenClPeaks& device);

// Measured rates of the devices of this machine.
struct MachinePeaks {
    std::vector<ProcessorPeaks> cores;         // of one core, for each instruction set
    std::map<std::string, GpuPeaks> gpus;      // by device: "cuda:1"; all rates 0: it couldn't be measured
    std::map<std::string, OpenClPeaks> openCl; // by device: "opencl:1"; the same
};

// The same; measures the device, within a second, if its rates aren't in `peaks`, and adds them. Empty for a device
// that can't be measured, for example because its memory is full.
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
