// SPDX-License-Identifier: GPL-3.0-or-later
// What `reconstruct` is told, and the requests that follow from it.
#pragma once

#include "app/cli/output_options.h"
#include "app/cli/scan_options.h"
#include "engine/documents/recipe.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cli
{

struct ReconstructOptions {
    ScanOptions scan; // its path is that of the one that is at work
    std::vector<std::string> scans;
    std::string output; // where several scans go to: with {scan} in it, or a folder
    OutputOptions format;
    std::string slice, slices;
    std::string settings;                     // a report whose options are taken
    std::string recipe, saveRecipe;           // files
    std::map<std::string, std::string> texts; // of the engine's table of options, by id; empty: not given
    int axisRows = 0;                         // that axis and tilt are found in; 0: as the options say
    bool oneByOne = false, resumes = false;
    std::string grid;  // of ranks
    std::string rates; // file: what the model says of the run with them
    bool plan = false; // say what it takes, and do nothing
    bool overwrite = false;
    std::string json;
};

void addReconstructOptions(CLI::App& command, ReconstructOptions& options);

// The ways to open a scan that the recipe says, those given before them.
engine::OpenOptions openedWith(const ReconstructOptions& options, const std::optional<engine::Recipe>& recipe);

// What is given goes before the recipe or the report, and that before the defaults. Throws Error(badRequest).
engine::Request requestOf(const ReconstructOptions& options, const std::optional<engine::Recipe>& recipe,
                          std::shared_ptr<const engine::Scan> scan);

// Whether the number of slices a pass is left to the program.
bool choosesPasses(const ReconstructOptions& options, const std::optional<engine::Recipe>& recipe);

// The recipe of such a request.
engine::Recipe recipeOf(const ReconstructOptions& options, const std::optional<engine::Recipe>& recipe,
                        const engine::Request& request, std::vector<std::string>& leftOut);

} // namespace cli
