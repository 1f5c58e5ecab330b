// SPDX-License-Identifier: GPL-3.0-or-later
// How scans are opened and reconstructed, as a file that does the same with others. JSON, UTF-8.
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
    static constexpr int version = 1; // of what is written; what is newer is refused

    Setting setting;
    bool choosesPasses = true; // as many slices a pass as is fastest, whatever the setting says
    OpenOptions opened;        // names no files
    bool operator==(const Recipe&) const = default;
};

// Without what belongs to one scan: darks, flats, files of angles and geometry, and that it may lead out of its folder.
// `leftOut` gets their ids.
OpenOptions withoutFiles(OpenOptions opened, std::vector<std::string>& leftOut);
Text leftOutText(const std::vector<std::string>& leftOut); // what to say of them, a sentence; "" of none

// All slices of a scan that was opened as it says; resources are the machine's.
Request requestWith(const Recipe& recipe, std::shared_ptr<const Scan> scan);

std::string recipeJson(const Recipe& recipe);
Recipe recipeFromJson(const std::string& text); // throws Error(badRequest)
// Throws Error(badFile) that names the file, the key and what is wrong with it: unknown, of another kind, out of range.
Recipe readRecipe(const std::filesystem::path& file);
// Under a temporary name, renamed when complete. Throws Error(output): it exists and overwrite is false, is one of the
// inputs, or can't be written.
void writeRecipe(const Recipe& recipe, const std::filesystem::path& file, bool overwrite,
                 const ProtectedInputs& inputs);

} // namespace engine
