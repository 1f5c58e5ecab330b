// SPDX-License-Identifier: GPL-3.0-or-later
// The options of `reconstruct`, and the requests that result from them.
#pragma once

#include "app/cli/output_options.h"
#include "app/cli/scan_options.h"
#include "engine/documents/recipe.h"

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cli
{

struct ReconstructOptions {
    ScanOptions scan; // its path is that of the current scan
    std::vector<std::string> scans;
    std::string output; // for several scans: a path with {scan}, or a folder
    OutputOptions format;
    std::string slice, slices;
    std::string settings;                     // a report whose options are used
    std::string recipe, saveRecipe;           // files
    std::map<std::string, std::string> texts; // options of the engine's table, by id; empty: not given
    int axisRows = 0; // number of rows in which axis and tilt are found; 0: as the options specify
    bool oneByOne = false, resumes = false;
    std::string grid;              // grid of ranks
    std::string loading = "bands"; // of the ranks' projections
    std::string rates;             // file of rates; compares the model's prediction with the run
    bool plan = false;             // report what the run needs, and do nothing
    bool strict = false;           // a doubtful result gives an exit status of its own
    bool overwrite = false;
    std::string json;
};

// Parses A:B; ":B" starts with the first slice, "A:" ends with the last of `slices`. Throws Error(badRequest).
engine::RowRange slicesFromText(const std::string& text, int slices = std::numeric_limits<int>::max());

// Adds the engine's options. An option that is not given keeps the program's choice: the default, or the fastest.
void addSettingRows(CLI::App& command, std::map<std::string, std::string>& texts);

void addReconstructOptions(CLI::App& command, ReconstructOptions& options);

// Returns how to open a scan: as the recipe specifies, overridden by options given.
engine::OpenOptions openedWith(const ReconstructOptions& options, const std::optional<engine::Recipe>& recipe);

// Returns the request: options given override the recipe or report, which overrides the defaults. Throws
// Error(badRequest).
engine::Request requestOf(const ReconstructOptions& options, const std::optional<engine::Recipe>& recipe,
                          std::shared_ptr<const engine::Scan> scan);

// Returns whether the request is for the recipe's plane: no option given takes its place.
bool usesPlane(const ReconstructOptions& options, const engine::Recipe& recipe);

// Returns whether the number of slices per pass is left to the program.
bool choosesPasses(const ReconstructOptions& options, const std::optional<engine::Recipe>& recipe);

// Returns the recipe of the request. Appends to `leftOut` the ids of options that belong to one scan and are not
// stored.
engine::Recipe recipeOf(const ReconstructOptions& options, const std::optional<engine::Recipe>& recipe,
                        const engine::Request& request, std::vector<std::string>& leftOut);

} // namespace cli
