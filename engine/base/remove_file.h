// SPDX-License-Identifier: GPL-3.0-or-later
// Removal of files and folders: the program has no other. Folders are never removed together with their contents.
#pragma once

#include <fcntl.h>

#include <filesystem>
#include <system_error>

namespace engine
{

// Removes a plain file, if there is one. Links, folders and devices stay: the error is operation_not_permitted.
// Allocate no memory. folder: of a relative name, an open descriptor.
std::error_code removeFile(const char* name, int folder = AT_FDCWD) noexcept;
inline std::error_code removeFile(const std::filesystem::path& path) noexcept
{
    return removeFile(path.c_str());
}

// Removes a folder, which must be empty. Allocates no memory.
std::error_code removeFolder(const std::filesystem::path& path) noexcept;

} // namespace engine
