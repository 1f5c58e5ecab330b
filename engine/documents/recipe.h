// SPDX-License-Identifier: GPL-3.0-or-later
// Recipes: how scans are opened and reconstructed, as a file to use with other scans. JSON, UTF-8.
#pragma once

#include "engine/base/text.h"
#include "engine/io/files/protected_inputs.h"
#include "engine/io/open/open_scan.h"
#include "engine/request/setting.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace engine
{

struct Recipe {
    static constexpr int version = 1; // version to write; newer files are rejected

    Setting setting;
    bool choosesPasses = true; // chooses the fastest number of slices per pass, whatever the setting
    OpenOptions opened;        // names no files
    std::string plane = {};    // instead of slices, as the option "plane" takes it; "": slices
    bool operator==(const Recipe&) const = default;
};

// Removes what belongs to one scan: darks, flats, files of angles and geometry, and the permission to read outside
// its folder. Adds the ids of the removed options to `leftOut`.
OpenOptions withoutFiles(OpenOptions opened, std::vector<std::string>& leftOut);
Text leftOutText(const std::vector<std::string>& leftOut); // a sentence about these options; "" for none

// Returns where the recipe's plane lies, for people and file names, as shortText(); "" without a plane.
std::string shortPlane(const Recipe& recipe);

// Sets the place of the request to the recipe's plane, if there is one. Throws Error(badRequest) that names the plane
// if it lies outside the volume of the request's scan.
void usePlane(const Recipe& recipe, Request& request);

// Returns a request for all slices of a scan that was opened by the recipe, or for the recipe's plane; with the
// machine's resources. Throws as usePlane().
Request requestWith(const Recipe& recipe, std::shared_ptr<const Scan> scan);

std::string recipeJson(const Recipe& recipe);
Recipe recipeFromJson(const std::string& text); // throws Error(badRequest)
// Throws Error(badFile) that names the file, the key and the problem: unknown, of another kind, out of range.
Recipe readRecipe(const std::filesystem::path& file);
// Writes to a temporary file and renames it. Throws Error(output) if the file exists and overwrite is false, if it is
// one of the inputs, or if it can't be written.
void writeRecipe(const Recipe& recipe, const std::filesystem::path& file, bool overwrite,
                 const ProtectedInputs& inputs);

} // namespace engine
