// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/files/exit_cleanup.h"

#include <chrono>

namespace engine
{

namespace
{

// Global, as it concerns the end of the whole process.
std::timed_mutex leftoversMutex;
RemovedAtExit* newestLeftover = nullptr;

} // namespace

RemovedAtExit::RemovedAtExit(void* owner, Remove remove) : m_owner(owner), m_remove(remove)
{
    const std::lock_guard lock(leftoversMutex);
    m_older = newestLeftover;
    if (m_older)
        m_older->m_newer = this;
    newestLeftover = this;
}

RemovedAtExit::~RemovedAtExit()
{
    const std::lock_guard lock(leftoversMutex);
    (m_newer ? m_newer->m_older : newestLeftover) = m_older;
    if (m_older)
        m_older->m_newer = m_newer;
}

std::unique_lock<std::timed_mutex> leftoversHeld()
{
    return std::unique_lock(leftoversMutex);
}

bool removeLeftovers() noexcept
{
    using namespace std::chrono_literals;
    if (!leftoversMutex.try_lock_for(100ms))
        return false;
    for (RemovedAtExit* leftover = newestLeftover; leftover; leftover = leftover->m_older)
        leftover->m_remove(leftover->m_owner);
    return true; // the mutex stays locked
}

} // namespace engine
