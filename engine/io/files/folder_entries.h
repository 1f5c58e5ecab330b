// SPDX-License-Identifier: GPL-3.0-or-later
// The entries of a folder. std::filesystem's own iterators end the program when memory runs out (libstdc++ 12
// allocates in a function that must not throw).
#pragma once

#include <filesystem>
#include <system_error>
#include <vector>

namespace engine
{

struct FolderEntry {
    std::filesystem::path path;
    std::filesystem::file_type type; // of a link's target; not_found if the target is missing

    bool isFile() const { return type == std::filesystem::file_type::regular; }
    bool isFolder() const { return type == std::filesystem::file_type::directory; }
};

// Lists the folder, in no particular order. If it can't be read the list is empty and `unreadable` has the reason.
std::vector<FolderEntry> entriesOf(const std::filesystem::path& folder, std::error_code& unreadable);

} // namespace engine
