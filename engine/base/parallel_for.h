// SPDX-License-Identifier: GPL-3.0-or-later
// tbb::parallel_for, whose hand-over of work the thread sanitizer can follow, and the arenas it runs in.
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

// oneTBB starts its threads one by one when there is work for them, and ends the program where the system refuses one
// (ulimit -u, memory). So it is asked first how many there are to be had, some are left for the program's own, and
// oneTBB starts the others at once; where there are fewer than cores, it does with them. The images are the same with
// any number.
//
// Does so when it is first called, in a process; parallelFor() and arenaOf() call it. Throws std::bad_alloc.
void startWorkers();

// Limits the threads of oneTBB in this process to `most`, before they are started. A helper with little memory has no
// room for one on each of many cores.
void limitWorkers(int most);

// Throws Error(noMemory) where `failure` is oneTBB's own, which couldn't start a thread all the same: one more than the
// others, while one of these goes to sleep.
void throwIfWithoutThread(const std::runtime_error& failure);

// Distributions build oneTBB without the sanitizer, which then misses that a task begins after the loop and that
// the loop ends after its tasks, and calls every shared value a race. So both are told to it here, and nothing
// more: tasks of the same loop stay unordered, and what they do to each other is found.
template <typename Range, typename Body, typename... Partitioner>
void seenParallelFor(const Range& range, const Body& body, const Partitioner&... partitioner)
try {
#if defined(__SANITIZE_THREAD__)
    char begun = 0, ended = 0; // their addresses are what the hand-overs are known by
    struct Acquired {
        char* address;
        ~Acquired() { __tsan_acquire(address); }
    };
    struct Released {
        char* address;
        ~Released() { __tsan_release(address); } // after an exception too
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

// So many threads of the processor, or all where there are fewer; 0: all.
inline tbb::task_arena arenaOf(int threads)
{
    startWorkers();
    const int available = tbb::info::default_concurrency();
    return tbb::task_arena(threads > 0 ? std::min(threads, available) : available);
}

} // namespace engine
