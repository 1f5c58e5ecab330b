// SPDX-License-Identifier: GPL-3.0-or-later
// Processor time: unlike the wall clock, it is the same on a busy machine. All values in seconds, summed over all
// threads.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <ctime>
#include <limits>
#include <thread>

namespace processor_time
{

// The most that something quick may take, on a slow machine and in an unoptimised build. What the tests with this limit
// guard against takes minutes.
constexpr double seconds = 20;

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

// Returns the time of a process; not a number if the process does not exist (any more).
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

// Returns the time of all child processes of this process that have ended.
inline double ofEndedChildren()
{
    rusage used{};
    return ::getrusage(RUSAGE_CHILDREN, &used) == 0 ? of(used) : std::numeric_limits<double>::quiet_NaN();
}

// Returns the processor time available per second: one for each processor that this process may run on.
inline double perSecond()
{
    return double(std::thread::hardware_concurrency());
}

} // namespace processor_time
