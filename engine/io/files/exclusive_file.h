// SPDX-License-Identifier: GPL-3.0-or-later
// Files with predictable names, which one run leaves for the next (a journal, completed slices): somebody else may
// have created a file of that name.
#pragma once

#include <filesystem>
#include <string>

namespace engine
{

// Creates the file, or opens the existing one, for reading and appending; the caller closes it. Refuses files that
// aren't certainly this user's own, and links. Throws Error(output) that names the file and the reason.
int openOwnFile(const std::filesystem::path& path);

// Explains why an open file isn't certainly this user's own: "it has another hard link"; "" if it is.
std::string whyNotOwn(const std::filesystem::path& path, int descriptor);

} // namespace engine
