// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/shared_cores.h"

#include <sched.h>

#include <algorithm>
#include <cmath>

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
