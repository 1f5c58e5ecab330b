// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/core_waiting.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace engine
{

namespace
{

// Returns the seconds that the present threads of this process have waited for a core since they were started. The
// second number of schedstat, in nanoseconds (Linux, Documentation/scheduler/sched-stats.rst).
std::optional<double> secondsWaited()
{
    std::error_code missing;
    double seconds = 0;
    bool isKnown = false;
    for (std::filesystem::directory_iterator task("/proc/self/task", missing), end; !missing && task != end;
         task.increment(missing)) {
        std::ifstream file(task->path() / "schedstat");
        std::uint64_t ran = 0, waited = 0;
        if (file >> ran >> waited) {
            seconds += static_cast<double>(waited) * 1e-9;
            isKnown = true;
        }
    }
    return isKnown ? std::optional(seconds) : std::nullopt;
}

} // namespace

CoreWaiting::CoreWaiting() : m_start(std::chrono::steady_clock::now()), m_waited(secondsWaited()) {}

std::optional<double> CoreWaiting::share(int threads) const
{
    const double passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
    const std::optional<double> now = secondsWaited();
    if (!m_waited || !now || !(passed > 0) || threads < 1)
        return std::nullopt;
    return std::max(0.0, *now - *m_waited) / (passed * threads); // a thread that ended took its count along
}

} // namespace engine
