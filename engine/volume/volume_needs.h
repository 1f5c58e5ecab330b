// SPDX-License-Identifier: GPL-3.0-or-later
// What a volume will take before it is begun: disk, memory, time; each plainly possible or not.
#pragma once

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/volume/fitting_alternatives.h"
#include "engine/volume/volume_output.h"
#include "engine/volume/volume_plan.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace engine
{

struct VolumeNeeds {
    VolumePlan plan;                       // its bytes are 0 where no plan fits
    double outputBytes = 0;                // at most, where it is compressed
    std::optional<double> freeBytes;       // of the output's disk; nothing where it doesn't tell
    unsigned long disk = 0;                // of the output: the same number for those that share it
    double scanBytes = 0;                  // to be read
    std::vector<Text> impossible;          // why it can't be, a sentence each; empty: it can
    ErrorKind failure = ErrorKind::output; // of a run, where it can't be: by its first reason
    std::vector<Text> doubts;              // what may go wrong
    std::vector<Fit> fits;                 // what would do where memory or disk don't
};

// At once: nothing is read, made or written. done: slices that are there already.
VolumeNeeds needsOf(const Request& request, const VolumeOutput& output, int done = 0);

// planVolume's; where nothing fits, its error says what would.
VolumePlan planFor(const Request& request, const VolumeOutput& output);

// Bytes a second of the disks, seconds a slice of everything between them; 0: not known.
struct VolumeRates {
    double readBytes = 0, writeBytes = 0;
    double prepareSeconds = 0, computeSeconds = 0;
};
struct VolumeTime {
    double read = 0, prepare = 0, compute = 0, write = 0;
    double seconds = 0; // in all: of the slowest where they overlap
};
VolumeTime timeOf(const Request& request, const VolumeNeeds& needs, const VolumeRates& rates);

// Of the disks, by 64 MB each; nothing of it stays. Throws Error(cancelled); a rate that can't be measured is 0.
VolumeRates measureDisks(const Request& request, const std::filesystem::path& output, const std::stop_token& stop);
// And by making a pass of slices in the middle, which aren't written. Throws Error.
VolumeRates measureRates(const Request& request, const std::filesystem::path& output, const std::stop_token& stop);
// Of slices that were made.
void setRates(VolumeRates& rates, const Reconstruction& made);

} // namespace engine
