// SPDX-License-Identifier: GPL-3.0-or-later
// Files outside a scan's folder that the scan's own file leads to.
#pragma once

#include "engine/scan/scan.h"

#include <filesystem>
#include <string>
#include <vector>

namespace engine
{

// Records in the scan which of the files and folders that its file leads to lie outside its folder: neither below the
// folder of its path nor, if the path is a symbolic link, below the folder of the link's target. Symbolic links among
// `ledTo` are followed.
void noteOutside(Scan& scan, const std::filesystem::path& file, const std::vector<std::filesystem::path>& ledTo);

// "'a.raw', 'b.raw' and 7 more"
std::string quotedList(const std::vector<std::filesystem::path>& paths);

} // namespace engine
