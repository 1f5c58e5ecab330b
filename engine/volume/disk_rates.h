// SPDX-License-Identifier: GPL-3.0-or-later
// Reading and writing rates of this machine's file systems in bytes per second, measured with system calls only.
#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
#include <vector>

namespace engine
{

struct SlowestStage;

// Measures reading up to `bytes` of these files with all threads, from the page cache if they are cached there, into
// memory that is allocated already and larger than the processor's caches. Returns the better of two runs. Throws
// Error(badFile, cancelled).
double measureReading(const std::vector<std::filesystem::path>& files, double bytes, const std::stop_token& stop);

enum class Written { oneFile, manyFiles }; // manyFiles: 16 MiB each

// Measures writing `bytes` into `folder` by several methods. If `outputBytes` is larger and fits, writes that much
// with the fastest method and returns its rate: only long writes show the disk's own rate behind the memory that
// buffers it. Removes what it wrote. Throws Error(output, cancelled).
double measureWriting(const std::filesystem::path& folder, Written written, double bytes, double outputBytes,
                      const std::stop_token& stop);

// Measures the rate of the output's disk after a volume whose slowest stage was writing. It writes a fiftieth of the
// volume's bytes, at most 256 MB, so that it ends soon. Returns nothing if writing was not the slowest stage or took
// less than two seconds, if it is stopped, or if the rate can't be measured.
std::optional<double> measureLimit(const SlowestStage& limit, const std::filesystem::path& output,
                                   const std::stop_token& stop);

} // namespace engine
