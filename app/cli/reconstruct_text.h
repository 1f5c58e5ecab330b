// SPDX-License-Identifier: GPL-3.0-or-later
// What `reconstruct` says of what it made.
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

// What it would take, measured by a few slices; of several ranks all ask for it, the first one's output counts. isOnly:
// of several scans, what would do is said of all of them, by printSum.
Planned printPlan(const engine::Request& request, const engine::OpenOptions& opened, const engine::VolumeOutput& output,
                  bool isOnly, engine::Ensemble& ensemble);
// What all of so many scans take together; whether it is possible. Those that can't be opened have no plan.
bool printSum(const std::vector<Planned>& plans, std::size_t scans);

// output: as the user calls it; what the disk takes is measured where the volume waited for it.
void print(const std::string& output, const engine::WrittenVolume& written, const std::stop_token& stop);

} // namespace cli
