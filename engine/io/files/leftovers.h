// What a process has on the disk that must not stay there, should it end without its destructors: where a library
// leaves std::terminate alone, and where an interruption isn't noticed in time.
#pragma once

#include <mutex>

namespace engine
{

// Is in the process's list as long as it lives. Not to be made while leftoversHeld().
class Leftover
{
  public:
    using Remove = void (*)(void* owner) noexcept; // without memory, which may be what is missing
    Leftover(void* owner, Remove remove);
    ~Leftover();
    Leftover(const Leftover&) = delete;
    Leftover& operator=(const Leftover&) = delete;

  private:
    friend bool removeLeftovers() noexcept;
    void* m_owner;
    Remove m_remove;
    Leftover *m_older, *m_newer = nullptr;
};

// While this is held nothing is removed by others: for changes that are all made or none.
std::unique_lock<std::timed_mutex> leftoversHeld();

// The newest first; nothing is begun or finished afterwards, whoever tries waits for ever: the process is to be ended
// at once. From any thread. False, and nothing is removed, where files are just being given their names.
bool removeLeftovers() noexcept;

} // namespace engine
