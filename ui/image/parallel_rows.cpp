#include "ui/image/parallel_rows.h"

#include <QSemaphore>
#include <QThread>
#include <QThreadPool>

#include <algorithm>
#include <atomic>

namespace ui
{

void inParallel(int rows, double cost, const std::function<void(int begin, int end)>& work)
{
    constexpr double worthAThread = 65536; // pixels: some 50 µs, several times what handing over takes
    constexpr int bandsPerThread = 4;      // so that a thread that is held up doesn't hold up the others
    const int threads = std::clamp(int(cost / worthAThread), 1, QThread::idealThreadCount());
    if (threads == 1 || rows < 2)
        return work(0, rows);
    const int band = std::max(1, rows / (threads * bandsPerThread));
    std::atomic<int> next = 0;
    const auto takeBands = [&] {
        for (int begin = next.fetch_add(band); begin < rows; begin = next.fetch_add(band))
            work(begin, std::min(begin + band, rows));
    };
    QSemaphore done;
    int started = 0; // only those that run at once: a full pool would keep the window waiting
    for (int k = 1; k < threads; ++k)
        started += QThreadPool::globalInstance()->tryStart([&] {
            takeBands();
            done.release();
        });
    takeBands();
    done.acquire(started);
}

} // namespace ui
