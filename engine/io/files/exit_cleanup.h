// SPDX-License-Identifier: GPL-3.0-or-later
// Removal of temporary files and folders when a process ends without running its destructors: when a library ends it
// through std::terminate, or when an interruption isn't noticed in time.
#pragma once

#include <mutex>

namespace engine
{

// An entry in the process's list of things to remove; it is in the list while the object lives. Must not be created
// while leftoversHeld() is held.
class RemovedAtExit
{
  public:
    using Remove = void (*)(void* owner) noexcept; // must not allocate: memory may have run out
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

// Locks the list: while the lock is held, removeLeftovers() removes nothing. For changes that must be made completely
// or not at all.
std::unique_lock<std::timed_mutex> leftoversHeld();

// Calls the removal function of each entry, newest first. From then on every thread that creates or destroys an entry
// waits for ever, so the process must be ended immediately. May be called from any thread. Returns false, and removes
// nothing, if files are just being renamed to their final names.
bool removeLeftovers() noexcept;

} // namespace engine
