// SPDX-License-Identifier: GPL-3.0-or-later
// Messages of `reconstruct` about plans and results.
#pragma once

#include "app/cli/reconstruct_options.h"
#include "engine/volume/volume_needs.h"
#include "engine/volume/write_volume.h"

#include <stop_token>
#include <string>
#include <vector>

namespace cli
{

struct Planned {
    engine::WantedVolume wanted;
    engine::VolumeNeeds needs;
    double seconds = 0; // 0: not known
};

// Prints disk, memory and time that the volume needs; the time is estimated from measuring a few slices. All ranks
// must call it; only the first rank's output is shown. isOnly: the command has only this scan,
// so options with which the volume would fit are printed, too; for several scans printSum prints them.
Planned printPlan(const engine::Request& request, const engine::OpenOptions& opened, const engine::VolumeOutput& output,
                  bool isOnly, engine::Ensemble& ensemble);
// Prints the needs of all scans together; returns whether that is possible. Scans that cannot be opened have no plan.
bool printSum(const std::vector<Planned>& plans, std::size_t scans);

// Prints the result. output: the path as the user gave it. If the volume waited for the disk, the disk's write rate
// is measured.
void printWritten(const std::string& output, const engine::WrittenVolume& written, const std::stop_token& stop);

} // namespace cli
