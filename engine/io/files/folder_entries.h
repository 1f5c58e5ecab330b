// SPDX-License-Identifier: GPL-3.0-or-later
// What is in a folder. std::filesystem's own iterators end the program where memory is short (libstdc++ 12 asks for it
// where nothing may be thrown).
#pragma once

#include <filesystem>
#include <system_error>
#include <vector>

namespace engine
{

struct FolderEntry {
    std::filesystem::path path;
    std::filesystem::file_type type; // of what a link leads to: not_found where that is gone

    bool isFile() const { return type == std::filesystem::file_type::regular; }
    bool isFolder() const { return type == std::filesystem::file_type::directory; }
};

// In no order; none, and why, where it can't be read.
std::vector<FolderEntry> entriesOf(const std::filesystem::path& folder, std::error_code& unreadable);

} // namespace engine
