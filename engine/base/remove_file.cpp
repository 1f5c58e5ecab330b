// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/remove_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace engine
{

namespace
{

std::error_code lastError(bool failed) noexcept
{
    return {failed && errno != ENOENT ? errno : 0, std::generic_category()};
}

} // namespace

std::error_code removeFile(const char* name, int folder) noexcept
{
    struct stat there = {};
    if (::fstatat(folder, name, &there, AT_SYMLINK_NOFOLLOW) != 0)
        return lastError(true);
    if (!S_ISREG(there.st_mode))
        return std::make_error_code(std::errc::operation_not_permitted);
    return lastError(::unlinkat(folder, name, 0) != 0);
}

std::error_code removeFolder(const std::filesystem::path& path) noexcept
{
    return lastError(::rmdir(path.c_str()) != 0);
}

} // namespace engine
