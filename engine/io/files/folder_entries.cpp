// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/files/folder_entries.h"

#include <dirent.h>

#include <cerrno>
#include <memory>
#include <string_view>

namespace engine
{

namespace
{

std::filesystem::file_type typeOf(const dirent& entry, const std::filesystem::path& path)
{
    if (entry.d_type == DT_REG)
        return std::filesystem::file_type::regular;
    if (entry.d_type == DT_DIR)
        return std::filesystem::file_type::directory;
    std::error_code unreadable;
    return std::filesystem::status(path, unreadable).type();
}

} // namespace

std::vector<FolderEntry> entriesOf(const std::filesystem::path& folder, std::error_code& unreadable)
{
    unreadable.clear();
    const std::unique_ptr<DIR, int (*)(DIR*)> opened(::opendir(folder.c_str()), ::closedir);
    std::vector<FolderEntry> entries;
    errno = opened ? 0 : errno;
    while (const dirent* entry = opened ? ::readdir(opened.get()) : nullptr) {
        const std::string_view name = entry->d_name;
        if (name != "." && name != "..") {
            FolderEntry found{folder / name, std::filesystem::file_type::unknown};
            found.type = typeOf(*entry, found.path);
            entries.push_back(std::move(found));
        }
        errno = 0; // readdir() sets it on an error, but not at the end of the folder
    }
    if (errno != 0) {
        unreadable.assign(errno, std::generic_category());
        entries.clear();
    }
    return entries;
}

} // namespace engine
