// SPDX-License-Identifier: GPL-3.0-or-later
// The helper program sinoscope-check, which reads untrusted files first: starting it, limiting it and receiving its
// answer.
#pragma once

#include "engine/base/error.h"
#include "engine/io/check/helper_process.h"
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

// Serialise a list of texts and parse it again. unpacked() returns nothing if the bytes are incomplete or aren't such
// a list.
std::string packed(const std::vector<std::string>& texts);
std::optional<std::vector<std::string>> unpacked(const std::string& bytes);

struct CheckAnswer {
    std::optional<Error> refusal; // if the reading failed: the error that this process would have met
    std::vector<std::pair<std::filesystem::path, FileIdentity>> files; // all files that were read
};

std::string packed(const CheckAnswer& answer);

// Runs the helper on a reading of the file (readings.h) and waits for its answer, `longest` at most. Throws
// Error(badFile) if the helper crashes, exceeds its time or memory limit, or can't be started; noMemory; cancelled.
CheckAnswer runCheck(const std::filesystem::path& helper, const std::vector<std::string>& reading,
                     const std::filesystem::path& file, std::chrono::milliseconds longest, const std::stop_token& stop);
CheckAnswer runCheck(const std::vector<std::string>& reading, const std::filesystem::path& file,
                     const std::stop_token& stop);

} // namespace engine
