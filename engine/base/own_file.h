// SPDX-License-Identifier: GPL-3.0-or-later
// Files that the program itself keeps in the user's cache and configuration folders and can do without. Anything may
// lie in their place: a pipe, a device or a folder neither blocks the program nor fills its memory.
#pragma once

#include "engine/base/text.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

struct stat;

namespace engine
{

// Explains what a path is instead of a regular file, "it is a folder"; empty for a regular file.
std::string whyNotRegular(const struct stat& status);

struct OwnFile {
    std::string text; // empty if there is no file
    Text problem;     // why it can't be used, "'PATH' is ignored: it is a folder."; else empty
};

enum class WrittenBy { anyone, thisUser }; // thisUser: files that contain code, so that nobody else may write to them

// Reads a file of at most `most` bytes.
OwnFile readOwnFile(const std::filesystem::path& file, std::size_t most, WrittenBy writer = WrittenBy::anyone);

// Returns the contents of a file of the cache. One that can't be used is as none, and its problem is added to
// cacheProblems().
std::string readCached(const std::filesystem::path& file, std::size_t most, WrittenBy writer = WrittenBy::anyone);
std::vector<Text> cacheProblems(); // of this process so far

// Writes a file of the cache under a temporary name and renames it. A failure is ignored: it costs only time in the
// next run.
void writeCached(const std::filesystem::path& file, const std::string& text);

} // namespace engine
