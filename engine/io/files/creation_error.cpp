// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/files/creation_error.h"

#include <cerrno>
#include <system_error>

namespace engine
{

namespace fs = std::filesystem;

std::string whyNotMade(const fs::path& path, int error)
{
    std::error_code unreadable;
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    if (error == ENOENT && fs::is_directory(folder, unreadable))
        return "nothing can be created in its folder";
    return std::generic_category().message(error);
}

} // namespace engine
