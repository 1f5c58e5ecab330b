// SPDX-License-Identifier: GPL-3.0-or-later
// What this machine's file system takes and gives, measured with nothing but the system's own calls. Bytes a second.
#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
#include <vector>

namespace engine
{

struct SlowestStage;

// Reading up to `bytes` of these files, from the page cache where they are in it, by all threads, into memory that was
// there before and that no cache holds: the better of two. Throws Error(badFile, cancelled).
double measureReading(const std::vector<std::filesystem::path>& files, double bytes, const std::stop_token& stop);

enum class Written { oneFile, manyFiles }; // of 16 MiB

// Writing `bytes` into `folder` in the fastest of several ways, then `outputBytes` in that way, where they are more and
// fit: a disk shows behind the memory in front of it. What it wrote is removed. Throws Error(output, cancelled).
double measureWriting(const std::filesystem::path& folder, Written written, double bytes, double outputBytes,
                      const std::stop_token& stop);

// What its disk takes of such an output, where that was what a volume waited for: by a fiftieth of its bytes, 256 MB
// at most, so that nobody waits for it. Nothing when writing wasn't the limit or was over in two seconds, when it is
// stopped, or when the disk doesn't tell.
std::optional<double> measureLimit(const SlowestStage& limit, const std::filesystem::path& output,
                                   const std::stop_token& stop);

} // namespace engine
