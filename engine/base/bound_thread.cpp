// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/bound_thread.h"

#include <charconv>

namespace engine
{

std::optional<cpu_set_t> processorsFromText(const std::string& list)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    const char* at = list.data();
    const char* const end = at + list.find_last_not_of(" \n") + 1;
    while (at < end) {
        int first = 0;
        auto [next, error] = std::from_chars(at, end, first);
        int last = first;
        if (error == std::errc() && next < end && *next == '-') {
            const auto range = std::from_chars(next + 1, end, last);
            next = range.ptr;
            error = range.ec;
        }
        if (error != std::errc() || first < 0 || last < first || last >= CPU_SETSIZE || (next < end && *next != ','))
            return std::nullopt;
        for (int k = first; k <= last; ++k)
            CPU_SET(k, &set);
        at = next < end ? next + 1 : end;
    }
    return CPU_COUNT(&set) > 0 ? std::optional(set) : std::nullopt;
}

BoundThread::BoundThread(const std::string& processors)
{
    const std::optional<cpu_set_t> wanted = processorsFromText(processors);
    cpu_set_t before, both;
    if (!wanted || sched_getaffinity(0, sizeof before, &before) != 0)
        return;
    CPU_AND(&both, &*wanted, &before);
    if (CPU_COUNT(&both) > 0 && sched_setaffinity(0, sizeof both, &both) == 0)
        m_before = before;
}

BoundThread::~BoundThread()
{
    if (m_before)
        sched_setaffinity(0, sizeof *m_before, &*m_before);
}

} // namespace engine
