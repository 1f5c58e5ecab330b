// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/shared_cores.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace engine
{

std::string allowedCores()
{
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return "1";
    std::string cores;
    for (int core = 0; core < CPU_SETSIZE; ++core)
        cores += CPU_ISSET(core, &allowed) ? '1' : '0';
    return cores.substr(0, cores.rfind('1') + 1);
}

void leaveDefaultBinding()
{
    const char* const ranks = std::getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    if (!ranks || !std::getenv("OMPI_MCA_orte_bound_at_launch") || std::getenv("OMPI_MCA_hwloc_base_binding_policy"))
        return;
    cpu_set_t own, ofLauncher;
    if (sched_getaffinity(0, sizeof own, &own) == 0 &&
        sched_getaffinity(getppid(), sizeof ofLauncher, &ofLauncher) == 0 &&
        CPU_COUNT(&own) * std::max(1, std::atoi(ranks)) < CPU_COUNT(&ofLauncher))
        sched_setaffinity(0, sizeof ofLauncher, &ofLauncher);
}

int threadsFor(const std::vector<std::string>& allowed, int rank)
{
    const auto uses = [&](const std::string& cores, std::size_t core) {
        return core < cores.size() && cores[core] == '1';
    };
    const std::string& own = allowed[static_cast<std::size_t>(rank)];
    double threads = 0;
    for (std::size_t core = 0; core < own.size(); ++core)
        if (uses(own, core))
            threads += 1.0 / static_cast<double>(std::ranges::count_if(
                                 allowed, [&](const std::string& cores) { return uses(cores, core); }));
    constexpr double rounding = 1e-6;
    return std::max(1, static_cast<int>(std::floor(threads + rounding)));
}

} // namespace engine
