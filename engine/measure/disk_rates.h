// What this machine's file system takes and gives, measured with nothing but the system's own calls.
#pragma once

#include <filesystem>
#include <stop_token>
#include <vector>

namespace engine
{

// Bytes a second, the best of several ways and numbers of threads.
struct DiskRates {
    double read = 0;       // of existing files, from the page cache where they are in it
    double writeFile = 0;  // one file
    double writeFiles = 0; // files of 16 MiB
};

// Reads up to `bytes` of the files twice, and writes as many into `folder`, several times, then as many as an output of
// `outputBytes` has, where they fit: a disk shows behind the memory in front of it. What it wrote is removed. Throws
// Error(output, badFile, cancelled).
DiskRates measureDisk(const std::vector<std::filesystem::path>& files, const std::filesystem::path& folder,
                      double bytes, double outputBytes, const std::stop_token& stop);

} // namespace engine
