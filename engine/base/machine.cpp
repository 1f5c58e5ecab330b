// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/machine.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
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

std::string threadsText(int threads)
{
    const int count = threads > 0 ? threads : processorThreads();
    return std::to_string(count) + (count == 1 ? " thread" : " threads");
}

double machineMemoryBytes()
{
    double bytes = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
    double ofGroup = 0; // stays 0 if the file is missing or contains "max"
    if (std::ifstream("/sys/fs/cgroup/memory.max") >> ofGroup && ofGroup > 0)
        bytes = std::min(bytes, ofGroup);
    return bytes;
}

} // namespace engine
