// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the methods among which `auto` chooses (Chilingaryan et al. 2020, section 6.9, searches by measuring too).
#pragma once

#include "engine/backends/measured_speeds.h"
#include "engine/measure/benchmark.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace engine
{

inline constexpr int tunedSize = 1024; // unless another is given

// Returns the device that `automatic` stands for: the first GPU that can be used, else the processor.
DeviceSettings tunedDevice(const DeviceSettings& asked);
// Measures every method that `auto` may choose on asked.device, which isn't `automatic`, with every interpolation,
// precision and slice mode. asked.methods and asked.slicesPerPass are ignored. Throws Error as benchmarkMethods does.
std::vector<BenchmarkRow> benchmarkAutomatic(const BenchmarkOptions& asked, const BenchmarkWatch& watch,
                                             const std::stop_token& stop);

// The same as speeds for `auto`. asked: device, geometry, sizes, threads and repetitions. Of cones: a cube of a quarter
// of the size.
std::vector<MeasuredSpeed> measureSpeeds(BenchmarkOptions asked, const BenchmarkWatch& watch = {},
                                         std::stop_token stop = {});

// What `auto` does for one setting: by rank, and with the speeds in use.
struct TunedChoice {
    Interpolation interpolation;
    Precision precision;
    int slicesPerPass;
    std::string before, after;            // methods; after: with the tuning, "alu (short-stages)"
    double beforeGups = 0, afterGups = 0; // as measured
};
// Returns a row for each setting that was measured on the device, in the order of the measurements. Call it after
// keepMeasuredSpeeds.
std::vector<TunedChoice> tunedChoices(const std::vector<MeasuredSpeed>& measured, const DeviceSettings& device);

// Uses the speeds from now on, instead of earlier ones of the same device and geometry, and writes them all to the
// file. Throws Error(output) if it can't be written.
void keepMeasuredSpeeds(const std::vector<MeasuredSpeed>& measured);
// Removes all speeds, and the file; `auto` goes by its ranks again. Returns whether there was a file. Throws
// Error(output) if that fails.
bool forgetMeasuredSpeeds();

} // namespace engine
