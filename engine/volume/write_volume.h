// SPDX-License-Identifier: GPL-3.0-or-later
// Reconstruction of a scan's slices to files, as the command line, the window and its queue use it.
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
    StorageNote note;      // also among the notes of `made`
    int done = 0;          // slices of an earlier run, which the figures do not include
    bool wasThere = false; // a resumed output of the same request was complete already: `made` has no further results
    bool wasNamed = false; // only the names of its files were missing; they are renamed now
    std::vector<RankResult> ranks = {}; // if several ranks reconstructed it
    RankGrid grid = {.rows = 1, .columns = 1};
    Loading loading = Loading::bands;
};

// Returns the base name of a scan's result files: the scan's name without suffix.
std::string resultName(const std::filesystem::path& scan);

// Reconstructs request.place.slices() group by group, and writes them. If stopped, removes the incomplete output unless
// it can resume. opened: how the scan was opened, stored with the request. warn: receives sentences that the user
// should see immediately; may be empty. Throws Error.
WrittenVolume writeVolume(const Request& request, const OpenOptions& opened, const VolumeOutput& output,
                          const std::function<void(const Text&)>& warn, const VolumeProgress& progress,
                          std::stop_token stop);

// As above, by all ranks together. Each rank reconstructs its share of the slices and writes it to the common output,
// for which all must see the same file system. All ranks call it, inside together(), which passes errors on to all
// ranks.
WrittenVolume writeVolume(const Request& request, const OpenOptions& opened, const VolumeOutput& output,
                          const std::function<void(const Text&)>& warn, const VolumeProgress& progress,
                          Ensemble& ensemble);

} // namespace engine
