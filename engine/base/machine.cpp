// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/machine.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>

namespace engine
{

std::string processorName()
{
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        if (!line.starts_with("model name"))
            continue;
        const std::size_t begin = line.find_first_not_of(" \t", line.find(':') + 1);
        if (begin != std::string::npos)
            return line.substr(begin);
    }
    return "processor";
}

int processorThreads()
{
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return 1;
    return std::max(1, CPU_COUNT(&allowed));
}

double processorClockMhz()
{
    std::ifstream info("/proc/cpuinfo");
    double sum = 0;
    int threads = 0;
    for (std::string line; std::getline(info, line);)
        if (line.starts_with("cpu MHz")) {
            double mhz = 0; // stays 0 if the line is unusual
            const std::size_t from = std::min(line.size(), line.find(':') + 2);
            std::from_chars(line.data() + from, line.data() + line.size(), mhz);
            sum += mhz;
            ++threads;
        }
    return threads > 0 ? sum / threads : 0;
}

int threadsOf(int asked)
{
    return asked > 0 ? asked : processorThreads();
}

std::string threadsText(int threads)
{
    const int count = threadsOf(threads);
    return std::to_string(count) + (count == 1 ? " thread" : " threads");
}

double machineMemoryBytes()
{
    static const double memory = [] { // asked for at each plane
        double bytes = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
        double ofGroup = 0; // stays 0 if the file is missing or contains "max"
        if (std::ifstream("/sys/fs/cgroup/memory.max") >> ofGroup && ofGroup > 0)
            bytes = std::min(bytes, ofGroup);
        return bytes;
    }();
    return memory;
}

std::filesystem::path cacheFolder()
{
    namespace fs = std::filesystem;
    const char* cache = std::getenv("XDG_CACHE_HOME");
    if (cache && fs::path(cache).is_absolute()) // relative paths must be ignored (XDG Base Directory Specification)
        return fs::path(cache) / "sinoscope";
    const char* home = std::getenv("HOME");
    return home && *home ? fs::path(home) / ".cache" / "sinoscope" : fs::path();
}

} // namespace engine
