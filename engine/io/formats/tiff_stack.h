// SPDX-License-Identifier: GPL-3.0-or-later
// Projections as pages of one TIFF file, or as the files of a folder.
#pragma once

#include "engine/base/note.h"

#include <filesystem>
#include <string>
#include <vector>

namespace engine
{

// Whether it is a TIFF file with one image: a sinogram (OpenOptions::sinogram), or one projection of many.
bool isSingleTiff(const std::filesystem::path& path);

// Of a folder, or of the one folder in it that has some, which then takes its place and is noted. Throws
// Error(badFile).
std::vector<std::filesystem::path> projectionFiles(std::filesystem::path& folder, std::vector<Note>& notes);

} // namespace engine
