// SPDX-License-Identifier: GPL-3.0-or-later
// Processor time: unlike the clock, it says the same on a busy machine. All in seconds, of all threads.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <ctime>
#include <limits>
#include <thread>

namespace processor_time
{

inline double of(clockid_t clock)
{
    timespec used{};
    if (::clock_gettime(clock, &used) != 0)
        return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

inline double ofThisProcess()
{
    return of(CLOCK_PROCESS_CPUTIME_ID);
}

// Not a number where there is no such process (any more).
inline double ofProcess(pid_t process)
{
    clockid_t clock{};
    return ::clock_getcpuclockid(process, &clock) == 0 ? of(clock) : std::numeric_limits<double>::quiet_NaN();
}

inline double of(const rusage& used)
{
    const auto seconds = [](const timeval& t) { return double(t.tv_sec) + 1e-6 * double(t.tv_usec); };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

// Of the processes that this one has started and that have ended.
inline double ofEndedChildren()
{
    rusage used{};
    return ::getrusage(RUSAGE_CHILDREN, &used) == 0 ? of(used) : std::numeric_limits<double>::quiet_NaN();
}

// What may be used within a second: one for each processor that this process may run on.
inline double perSecond()
{
    return double(std::thread::hardware_concurrency());
}

} // namespace processor_time
