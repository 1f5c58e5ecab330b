// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/interruptible.h"

#include "engine/base/error.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include <unistd.h>

namespace binding
{

namespace
{

using Work = std::function<void(const std::stop_token&, const Report&)>;

// A thread that runs one piece of work after another. It is kept between calls: after each start of a new thread, TBB
// and the allocator begin anew, which takes half as long again for a small slice.
class Worker
{
  public:
    Worker()
    {
        std::thread([this] { serve(); }).detach();
    }

    void start(const Work& work)
    {
        const std::lock_guard lock(m_mutex);
        m_work = &work;
        m_stop = {};
        m_failure = nullptr;
        m_news.reset();
        m_changed.notify_all();
    }

    void requestStop() { m_stop.request_stop(); }

    // Waits until the work is done, at most for `time`. Returns whether it is.
    bool wait(std::chrono::milliseconds time)
    {
        std::unique_lock lock(m_mutex);
        return m_changed.wait_for(lock, time, [&] { return m_work == nullptr; });
    }

    // Returns the last report, if there was one since the last call.
    std::optional<std::pair<std::string, double>> news()
    {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_news, std::nullopt);
    }

    // Throws what the work has thrown, if anything.
    void rethrow()
    {
        if (m_failure)
            std::rethrow_exception(std::exchange(m_failure, nullptr));
    }

  private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    const Work* m_work = nullptr; // until it is done
    std::stop_source m_stop;
    std::exception_ptr m_failure;
    std::optional<std::pair<std::string, double>> m_news; // the last report, until it is taken

    [[noreturn]] void serve()
    {
        const Report report = [this](const std::string& stage, double fraction) {
            const std::lock_guard lock(m_mutex);
            m_news.emplace(stage, fraction);
        };
        for (std::unique_lock lock(m_mutex);;) {
            m_changed.wait(lock, [&] { return m_work != nullptr; });
            const Work& work = *m_work;
            const std::stop_token stop = m_stop.get_token();
            std::exception_ptr failure;
            lock.unlock();
            try {
                work(stop, report);
            } catch (...) {
                failure = std::current_exception();
            }
            lock.lock();
            m_failure = failure;
            m_work = nullptr;
            m_changed.notify_all();
        }
    }
};

// The worker of one call: an idle one, or a new one if all are busy in other threads of Python. Constructed and
// destroyed under Python's lock, which also guards the list. A process made by fork() has none of its parent's threads,
// neither these nor TBB's, for which it could wait for ever: the constructor then throws Error(badRequest).
class Lent
{
  public:
    Lent()
    {
        if (s_process == 0)
            s_process = ::getpid();
        engine::require(s_process == ::getpid(),
                        "this process was made by fork() after Sinoscope had worked in its parent, whose threads it "
                        "lacks: start it by multiprocessing's method 'spawn' or 'forkserver', or use Sinoscope in the "
                        "children alone");
        if (s_idle.empty())
            m_worker = new Worker; // never destroyed: its thread waits in it until the process ends
        else {
            m_worker = s_idle.back();
            s_idle.pop_back();
        }
    }
    ~Lent() { s_idle.push_back(m_worker); }
    Lent(const Lent&) = delete;
    Lent& operator=(const Lent&) = delete;
    Worker* operator->() const { return m_worker; }

  private:
    static inline std::vector<Worker*> s_idle;
    static inline ::pid_t s_process = 0;
    Worker* m_worker;
};

} // namespace

void runInterruptibly(const py::object& progress, const Work& work)
{
    const Lent worker;
    worker->start(work);
    std::exception_ptr interrupted;
    for (bool done = false; !done;) {
        {
            const py::gil_scoped_release released;
            done = worker->wait(std::chrono::milliseconds(50));
        }
        if (interrupted)
            continue;
        try {
            if (PyErr_CheckSignals() != 0)
                throw py::error_already_set();
            if (const auto news = worker->news(); news && !progress.is_none())
                progress(news->first, news->second);
        } catch (...) {
            interrupted = std::current_exception();
            worker->requestStop();
        }
    }
    if (interrupted)
        std::rethrow_exception(interrupted);
    worker->rethrow();
}

} // namespace binding
