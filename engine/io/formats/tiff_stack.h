// SPDX-License-Identifier: GPL-3.0-or-later
// Projections as pages of one TIFF file, or as the files of a folder.
#pragma once

#include "engine/base/note.h"

#include <filesystem>
#include <string>
#include <vector>

namespace engine
{

// Returns whether it is a TIFF file with one image: a sinogram (OpenOptions::sinogram), or one projection of many.
bool isSingleTiff(const std::filesystem::path& path);

// Returns the projections in a folder. If it has none, and exactly one of its folders has some, that folder replaces
// `folder` and a note says so. Throws Error(badFile).
std::vector<std::filesystem::path> projectionFiles(std::filesystem::path& folder, std::vector<Note>& notes);

} // namespace engine
