// SPDX-License-Identifier: GPL-3.0-or-later
// Estimates of what a volume needs before it is begun: disk space, memory, time, and whether it is possible.
#pragma once

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/volume/fitting_alternatives.h"
#include "engine/volume/volume_output.h"
#include "engine/volume/volume_plan.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace engine
{

struct VolumeNeeds {
    VolumePlan plan;                       // its bytes are 0 if no plan fits
    double outputBytes = 0;                // upper limit if compressed
    std::optional<double> freeBytes;       // on the output's disk; nothing if unknown
    unsigned long disk = 0;                // of the output; outputs on the same disk have the same number
    double scanBytes = 0;                  // to read
    std::vector<Text> impossible;          // why the run is impossible, one sentence per reason; empty: it is possible
    ErrorKind failure = ErrorKind::output; // error kind of an impossible run, by its first reason
    std::vector<Text> doubts;              // possible problems
    std::vector<Fit> fits;                 // alternatives if memory or disk space is too small
};

// Returns immediately: nothing is read, reconstructed or written. done: number of slices that exist already.
VolumeNeeds needsOf(const Request& request, const VolumeOutput& output, int done = 0);

// As planVolume(); if nothing fits, the error also lists alternatives.
VolumePlan planFor(const Request& request, const VolumeOutput& output);

// Bytes per second of the disks, and seconds per slice of preparing and of computing; 0: unknown.
struct VolumeRates {
    double readBytes = 0, writeBytes = 0;
    double prepareSeconds = 0, computeSeconds = 0;
};
struct VolumeTime {
    double read = 0, prepare = 0, compute = 0, write = 0;
    double seconds = 0; // total; if stages overlap, mainly the slowest one
};
VolumeTime timeOf(const Request& request, const VolumeNeeds& needs, const VolumeRates& rates);

// Measures the disks with 64 MiB each, and removes what it writes. Throws Error(cancelled); a rate that can't be
// measured is 0. progress: 0 to 1.
VolumeRates measureDisks(const Request& request, const std::filesystem::path& output, const std::stop_token& stop,
                         const std::function<void(double)>& progress = {});
// As measureDisks(); also reconstructs a pass of slices in the middle, or the middle of a plane, without writing it.
// Throws Error.
VolumeRates measureRates(const Request& request, const std::filesystem::path& output, const std::stop_token& stop);
// Sets the processing times per slice from a reconstruction.
void setRates(VolumeRates& rates, const Reconstruction& made);

} // namespace engine
