// Failures that a test asks for, at steps where CUDA's own can't be had at will.
#pragma once

#include <atomic>

namespace engine
{

class InjectedFailures
{
  public:
    // The n-th one from now fails, once; 0: none. Set by tests alone.
    std::atomic<int> allocations = 0, launches = 0;

    // Whether this one fails.
    bool allocation() { return due(allocations); }
    bool launch() { return due(launches); }

  private:
    static bool due(std::atomic<int>& left) { return left > 0 && left-- == 1; }
};

inline InjectedFailures injectedFailures;

} // namespace engine
