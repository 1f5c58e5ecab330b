// SPDX-License-Identifier: GPL-3.0-or-later
// Slices of a scan from the request to files: what the command line, the window and its queue do alike.
#pragma once

#include "engine/io/open/open_scan.h"
#include "engine/volume/ensemble.h"
#include "engine/volume/rank_results.h"
#include "engine/volume/reconstruct_volume.h"
#include "engine/volume/volume_output.h"

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace engine
{

struct WrittenVolume {
    Reconstruction made; // without an image
    VolumePlan plan;
    OutputFormat format;
    StorageNote note;      // among its notes too
    int done = 0;          // slices that an earlier run had made; figures are of the others
    bool wasThere = false; // one that resumes was complete already, of the same request: `made` has no more than that
    bool wasNamed = false; // but for the names of its files, which it has now
    std::vector<RankResult> ranks = {}; // where several made it
    RankGrid grid = {.rows = 1, .columns = 1};
};

// What the files of a scan's slices are called: its name without suffix.
std::string resultName(const std::filesystem::path& scan);

// request.place.slices, group by group; nothing is left when it is stopped, unless it resumes. opened: how the scan was
// opened, stored with the request. warn: of what the user should see at once, a sentence; may be empty. Throws Error.
WrittenVolume writeVolume(const Request& request, const OpenOptions& opened, const VolumeOutput& output,
                          const std::function<void(const Text&)>& warn, const VolumeProgress& progress,
                          std::stop_token stop);

// The same by all ranks together: each makes its share of the slices and writes it into the one output, for which all
// must see the same file system. All call it; what fails at one is for together() to tell the others.
WrittenVolume writeVolume(const Request& request, const OpenOptions& opened, const VolumeOutput& output,
                          const std::function<void(const Text&)>& warn, const VolumeProgress& progress,
                          Ensemble& ensemble);

} // namespace engine
