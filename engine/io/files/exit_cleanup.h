// SPDX-License-Identifier: GPL-3.0-or-later
// What a process has on the disk that must not stay there, should it end without its destructors: where a library
// leaves std::terminate alone, and where an interruption isn't noticed in time.
#pragma once

#include <mutex>

namespace engine
{

// Is in the process's list as long as it lives. Not to be made while leftoversHeld().
class RemovedAtExit
{
  public:
    using Remove = void (*)(void* owner) noexcept; // without memory, which may be what is missing
    RemovedAtExit(void* owner, Remove remove);
    ~RemovedAtExit();
    RemovedAtExit(const RemovedAtExit&) = delete;
    RemovedAtExit& operator=(const RemovedAtExit&) = delete;

  private:
    friend bool removeLeftovers() noexcept;
    void* m_owner;
    Remove m_remove;
    RemovedAtExit *m_older, *m_newer = nullptr;
};

// While this is held nothing is removed by others: for changes that are all made or none.
std::unique_lock<std::timed_mutex> leftoversHeld();

// The newest first; nothing is begun or finished afterwards, whoever tries waits for ever: the process is to be ended
// at once. From any thread. False, and nothing is removed, where files are just being given their names.
bool removeLeftovers() noexcept;

} // namespace engine
