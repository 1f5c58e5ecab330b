// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/parallel_for.h"

#include "engine/base/start_thread.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/partitioner.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <latch>
#include <limits>
#include <mutex>
#include <thread>
#include <typeinfo>
#include <vector>

namespace engine
{

namespace
{

// Threads left for the stages of a volume. If more are needed and can't be started, the program throws an Error.
constexpr int ownThreads = 4;
// oneTBB may start a second thread for a worker that isn't quite asleep (on a busy machine for every worker), and
// ends the program if the system refuses that thread.
constexpr int threadsAWorker = 2;

// Returns how many of `wanted` threads can run simultaneously.
int threadsToBeHad(int wanted)
{
    std::latch asked(1);
    std::vector<std::jthread> threads;
    threads.reserve(wanted);
    try {
        while (static_cast<int>(threads.size()) < wanted)
            threads.emplace_back([&asked] { asked.wait(); });
    } catch (const std::exception&) { // no more threads
    }
    asked.count_down();
    return static_cast<int>(threads.size());
}

// Makes that many threads, including the calling one, run simultaneously.
void meet(int threads)
{
    std::mutex mutex;
    std::condition_variable changed;
    int there = 0;
    const auto latest = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
    tbb::task_arena(threads).execute([&] {
        seenParallelFor(
            tbb::blocked_range<int>(0, threads),
            [&](const tbb::blocked_range<int>&) {
                std::unique_lock lock(mutex);
                ++there;
                changed.notify_all();
                changed.wait_until(lock, latest, [&] { return there >= threads; });
            },
            tbb::simple_partitioner());
    });
}

std::atomic<int> mostWorkers = std::numeric_limits<int>::max();

void startAll()
{
    const int cores = tbb::info::default_concurrency(), wanted = std::min(cores, mostWorkers.load());
    const int toBeHad = threadsToBeHad(threadsAWorker * (wanted - 1) + ownThreads);
    const int had = std::max(0, toBeHad - ownThreads) / threadsAWorker + 1;
    if (had < cores) { // the limit is kept for the process's lifetime, as oneTBB would start more threads without it
        static const auto* limit = new tbb::global_control(tbb::global_control::max_allowed_parallelism, had);
        static_cast<void>(limit);
    }
    meet(std::min(had, wanted));
}

} // namespace

void limitWorkers(int most)
{
    mostWorkers = most;
}

void startWorkers()
{
    static const bool started = (startAll(), true);
    static_cast<void>(started);
}

void throwIfWithoutThread(const std::runtime_error& failure)
{
    if (typeid(failure) == typeid(std::runtime_error)) // the engine itself never throws this type
        throwNoThreads(failure.what());
}

} // namespace engine
