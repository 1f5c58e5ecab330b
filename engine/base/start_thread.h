// SPDX-License-Identifier: GPL-3.0-or-later
// Threads of the program's own, and what is said where the system gives none.
#pragma once

#include "engine/base/error.h"

#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace engine
{

[[noreturn]] inline void throwNoThreads(const std::string& reason)
{
    throw Error(ErrorKind::noMemory, "No more threads can be started (" + reason +
                                         "). End other programs, or allow more threads (ulimit -u) or memory.");
}

// Throws Error(noMemory). Threads that wait for this one are the caller's to stop then.
template <typename Work>
std::jthread startThread(Work&& work)
{
    try {
        return std::jthread(std::forward<Work>(work));
    } catch (const std::system_error& failure) {
        throwNoThreads(failure.code().message());
    }
}

} // namespace engine
