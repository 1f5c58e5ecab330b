// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/parallel_rows.h"

#include <QSemaphore>
#include <QThread>
#include <QThreadPool>

#include <algorithm>
#include <atomic>
#include <exception>
#include <new>

namespace ui
{

void inParallel(int rows, double cost, const std::function<void(int begin, int end)>& work)
{
    constexpr double worthAThread = 65536; // pixels: about 50 µs of work, several times the cost of handing it over
    constexpr int bandsPerThread = 4;      // so that a delayed thread doesn't delay the others
    const int threads = std::clamp(int(cost / worthAThread), 1, QThread::idealThreadCount());
    if (threads == 1 || rows < 2)
        return work(0, rows);
    const int band = std::max(1, rows / (threads * bandsPerThread));
    std::atomic<int> next = 0;
    std::atomic_flag hasFailed;
    std::exception_ptr failure; // the first one
    const auto takeBands = [&] {
        try {
            for (int begin = next.fetch_add(band); begin < rows; begin = next.fetch_add(band))
                work(begin, std::min(begin + band, rows));
        } catch (...) {
            if (!hasFailed.test_and_set())
                failure = std::current_exception();
            next = rows;
        }
    };
    QSemaphore done;
    int started = 0; // only threads that start immediately: waiting for a full pool would block the window
    try {
        for (int k = 1; k < threads; ++k)
            started += QThreadPool::globalInstance()->tryStart([&] {
                takeBands();
                done.release();
            });
    } catch (const std::bad_alloc&) { // fewer threads do the work
    }
    takeBands();
    done.acquire(started);
    if (failure)
        std::rethrow_exception(failure);
}

} // namespace ui
