// SPDX-License-Identifier: GPL-3.0-or-later
// Files under names that anybody could have taken, which one run leaves for the next: a journal, slices that are kept.
#pragma once

#include <filesystem>
#include <string>

namespace engine
{

// Creates the file, or opens what is there, for reading and appending; the caller closes it. Nothing is opened that
// isn't this user's own, and nothing is written through a link. Throws Error(output) that names the file and says why.
int openOwnFile(const std::filesystem::path& path);

// Why an open file isn't certainly this user's own: "it has another name too (a hard link)"; "" where it is.
std::string whyNotOwn(const std::filesystem::path& path, int descriptor);

} // namespace engine
