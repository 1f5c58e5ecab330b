// SPDX-License-Identifier: GPL-3.0-or-later
// The output of a volume: its path and format.
#pragma once

#include "engine/io/files/protected_inputs.h"
#include "engine/volume/performance_model.h"
#include "engine/volume/stored_values.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace engine
{

struct VolumeOutput {
    std::filesystem::path path; // F.tif for one slice, F.h5, or a folder of TIFFs
    std::string name = {};      // of the TIFFs in a folder, before their numbers (slice_names.h)
    bool overwrite = false;     // an existing output is replaced
    OutputChoice stored = {};
    bool overlap = true;  // of the stages; false: takes less memory
    bool resumes = false; // an interrupted run keeps its finished slices; the next run continues
    // Called when a resumable run that has finished slices is stopped: whether they stay. Empty: they do.
    std::function<bool()> keepsSlices = {};
    RankGrid ranks = {};                   // if there are several processes
    std::optional<Rates> rates = {};       // of their machines, used to choose `ranks`
    Loading loading = Loading::bands;      // of their projections; not `gathered`
    std::vector<NamedInput> alsoRead = {}; // inputs besides the scan; never overwritten
};

} // namespace engine
