// SPDX-License-Identifier: GPL-3.0-or-later
// The helper program sinoscope-check, which reads untrusted files first: how it is started, watched and heard.
#pragma once

#include "engine/base/error.h"
#include "engine/io/files/input_file.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace engine
{

// A list of texts as bytes, and back; nothing where they are incomplete or no such list.
std::string packed(const std::vector<std::string>& texts);
std::optional<std::vector<std::string>> unpacked(const std::string& bytes);

inline constexpr int exitNoMemory = 3; // of a helper that could have no more

struct CheckAnswer {
    std::optional<Error> refusal;                                      // the reading failed as it would have here
    std::vector<std::pair<std::filesystem::path, FileIdentity>> files; // that were read
};

std::string packed(const CheckAnswer& answer);

// The helper beside this program, or where it is installed. Throws Error(badFile): it isn't there to read the file.
std::filesystem::path helperFor(const std::filesystem::path& file);

// Runs the helper on a reading of the file (readings.h) and waits for it, so long at most. Throws Error(badFile)
// where it crashes, takes too much time or memory, or can't be started; noMemory; cancelled.
CheckAnswer runCheck(const std::filesystem::path& helper, const std::vector<std::string>& reading,
                     const std::filesystem::path& file, std::chrono::milliseconds longest, const std::stop_token& stop);
CheckAnswer runCheck(const std::vector<std::string>& reading, const std::filesystem::path& file,
                     const std::stop_token& stop);

} // namespace engine
