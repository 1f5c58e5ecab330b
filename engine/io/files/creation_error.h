// SPDX-License-Identifier: GPL-3.0-or-later
// Why a file or a folder couldn't be made.
#pragma once

#include <filesystem>
#include <string>

namespace engine
{

// error: the system's, whose "No such file or directory" says nothing where the folder around it is there.
std::string whyNotMade(const std::filesystem::path& path, int error);

} // namespace engine
