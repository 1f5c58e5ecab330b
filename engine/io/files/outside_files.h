// SPDX-License-Identifier: GPL-3.0-or-later
// Files outside a scan's folder that the scan's own file leads to.
#pragma once

#include "engine/scan/scan.h"

#include <filesystem>
#include <string>
#include <vector>

namespace engine
{

// Records in the scan which of the paths `ledTo` lie outside the folder of `file`. `file` is the scan's own file, and
// `ledTo` are the files and folders that it refers to. If `file` is a symbolic link, they may also lie below the folder
// of the link's target. Symbolic links among `ledTo` are followed.
void noteOutside(Scan& scan, const std::filesystem::path& file, const std::vector<std::filesystem::path>& ledTo);

// "'a.raw', 'b.raw' and 7 more"
std::string quotedList(const std::vector<std::filesystem::path>& paths);

} // namespace engine
