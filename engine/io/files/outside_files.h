// SPDX-License-Identifier: GPL-3.0-or-later
// Files outside a scan's folder that its own file led to.
#pragma once

#include "engine/scan/scan.h"

#include <filesystem>
#include <string>
#include <vector>

namespace engine
{

// Notes which of the files and folders that a scan's file led to lie outside its folder: neither below the folder of
// its path nor, where that is a symbolic link, below that of the file itself. What they lead to counts, where they are
// symbolic links.
void noteOutside(Scan& scan, const std::filesystem::path& file, const std::vector<std::filesystem::path>& ledTo);

// "'a.raw', 'b.raw' and 7 more"
std::string quotedList(const std::vector<std::filesystem::path>& paths);

} // namespace engine
