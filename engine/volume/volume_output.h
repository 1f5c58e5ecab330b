// SPDX-License-Identifier: GPL-3.0-or-later
// Where slices go to, and how they are stored.
#pragma once

#include "engine/io/files/protected_inputs.h"
#include "engine/volume/performance_model.h"
#include "engine/volume/stored_values.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace engine
{

struct VolumeOutput {
    std::filesystem::path path; // F.tif for one slice, F.h5, or a folder of TIFFs
    std::string name = {};      // of those, before their numbers
    bool overwrite = false;     // what is there is to be replaced
    OutputChoice stored = {};
    bool overlap = true;                   // of the stages; false: takes less memory
    bool resumes = false;                  // what is complete is kept when it ends early, and gone on with
    RankGrid ranks = {};                   // of several processes
    std::optional<Rates> rates = {};       // of their machines, by which that is chosen
    std::vector<NamedInput> alsoRead = {}; // beside the scan: never replaced
};

} // namespace engine
