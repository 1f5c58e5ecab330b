// SPDX-License-Identifier: GPL-3.0-or-later
// Starting of the program's own threads, with an error if the system refuses.
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

// Throws Error(noMemory). The caller then has to stop threads that wait for this one.
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
