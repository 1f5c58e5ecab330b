// SPDX-License-Identifier: GPL-3.0-or-later
// Files on their way (pending_file.h) whose programs were killed, known by their names.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace engine
{

// What a file is called until it is complete: ".NAME.PROCESS-ATTEMPT.part". PROCESS is the number of this process, when
// it began, and on which computer, since which start of it.
std::string temporaryName(const std::string& name, int attempt);

// Of several processes that write together: what the first one makes beside the output for the others to see.
std::string seenName(const std::string& name);

// Removes those files in a folder whose programs are certainly gone, of outputs for whose names `isOurs` is true.
// Returns the others of which that can't be known: of another computer, of before this one was started, of older
// versions. Those of programs that run are neither.
std::vector<std::filesystem::path> clearUnfinished(const std::filesystem::path& folder,
                                                   const std::function<bool(const std::string& name)>& isOurs);

// What to say of them; "" of none.
std::string unfinishedText(const std::vector<std::filesystem::path>& files);

} // namespace engine
