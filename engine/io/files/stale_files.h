// SPDX-License-Identifier: GPL-3.0-or-later
// Temporary files (pending_file.h) left by killed processes, recognised by their names.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace engine
{

// Returns the name of an incomplete file: ".NAME.PROCESS-ATTEMPT.part". PROCESS consists of the process's number, its
// start time, and an identifier of the computer's boot and the container.
std::string temporaryName(const std::string& name, int attempt);

// For several processes that write one output: returns the name of the file that the first one creates beside the
// output for the others to see.
std::string seenName(const std::string& name);

// Removes the temporary files in a folder whose processes have certainly ended, for outputs whose names `isOurs`
// accepts. Returns those whose process can't be checked: from another computer, from before the computer was started,
// or from older versions of the program. Files of running processes are neither removed nor returned.
std::vector<std::filesystem::path> clearUnfinished(const std::filesystem::path& folder,
                                                   const std::function<bool(const std::string& name)>& isOurs);

// Describes these files in a warning; "" if there are none.
std::string unfinishedText(const std::vector<std::filesystem::path>& files);

} // namespace engine
