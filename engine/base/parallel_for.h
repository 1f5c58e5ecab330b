// SPDX-License-Identifier: GPL-3.0-or-later
// tbb::parallel_for in a form that the thread sanitizer can follow, and task arenas.
#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <stdexcept>

#if defined(__SANITIZE_THREAD__)
extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);
#endif

namespace engine
{

// Starts oneTBB's threads. By itself oneTBB starts them one by one when there is work, and ends the program if the
// system refuses one (ulimit -u, memory). This function first determines how many threads the system allows, leaves
// some for the program's own threads, and makes oneTBB start the others immediately. If these are fewer than cores,
// oneTBB is limited to them. The images don't depend on the number of threads.
//
// Only the first call in a process does this; parallelFor() and arenaOf() call it. Throws std::bad_alloc.
void startWorkers();

// Limits the threads of oneTBB in this process to `most`; call before they are started. For helper processes with
// little memory, which can't have a thread for each of many cores.
void limitWorkers(int most);

// Throws Error(noMemory) if `failure` is oneTBB's own error that a thread can't be started. In spite of
// startWorkers(), oneTBB may need one more thread while another one is going to sleep.
void throwIfWithoutThread(const std::runtime_error& failure);

// Runs tbb::parallel_for visibly for the thread sanitizer. Distributions build oneTBB without the sanitizer, which
// then misses that tasks begin after the loop's start and that the loop ends after its tasks, and reports every
// shared value as a race. This function tells it both, and nothing more: tasks of the same loop stay unordered, so
// races between them are found.
template <typename Range, typename Body, typename... Partitioner>
void seenParallelFor(const Range& range, const Body& body, const Partitioner&... partitioner)
try {
#if defined(__SANITIZE_THREAD__)
    char begun = 0, ended = 0; // their addresses identify the synchronisation points
    struct Acquired {
        char* address;
        ~Acquired() { __tsan_acquire(address); }
    };
    struct Released {
        char* address;
        ~Released() { __tsan_release(address); } // also after an exception
    };
    __tsan_release(&begun);
    const Acquired atTheEnd{&ended};
    const auto seen = [&](const Range& part) {
        __tsan_acquire(&begun);
        const Released done{&ended};
        body(part);
    };
    tbb::parallel_for(range, seen, partitioner...);
#else
    tbb::parallel_for(range, body, partitioner...);
#endif
} catch (const std::runtime_error& failure) {
    throwIfWithoutThread(failure);
    throw;
}

template <typename Range, typename Body>
void parallelFor(const Range& range, const Body& body)
{
    startWorkers();
    seenParallelFor(range, body);
}

// Calls body(i) for first ≤ i < end.
template <typename Body>
void parallelFor(int first, int end, const Body& body)
{
    parallelFor(tbb::blocked_range<int>(first, end), [&body](const tbb::blocked_range<int>& part) {
        for (int i = part.begin(); i < part.end(); ++i)
            body(i);
    });
}

// Returns an arena of `threads` threads, or of all if there are fewer; 0: all.
inline tbb::task_arena arenaOf(int threads)
{
    startWorkers();
    const int available = tbb::info::default_concurrency();
    return tbb::task_arena(threads > 0 ? std::min(threads, available) : available);
}

} // namespace engine
