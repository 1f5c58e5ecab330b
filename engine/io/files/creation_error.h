// SPDX-License-Identifier: GPL-3.0-or-later
// Explanations of why a file or a folder couldn't be created.
#pragma once

#include <filesystem>
#include <string>

namespace engine
{

// Explains an error (errno) of creating the path. The system's "No such file or directory" is replaced if the parent
// folder exists, as it would explain nothing.
std::string whyNotMade(const std::filesystem::path& path, int error);

} // namespace engine
