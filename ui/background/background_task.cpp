// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/background/background_task.h"

#include "engine/base/error.h"
#include "engine/base/start_thread.h"
#include "ui/background/job_progress.h"
#include "ui/widgets/engine_text.h"

#include <QCoreApplication>

#include <new>
#include <thread>

#ifdef __linux__
#include <sys/resource.h>
#endif

namespace ui
{

struct BackgroundTask::Run {
    Done done;
    JobProgress progress;
    std::jthread thread;
};

BackgroundTask::~BackgroundTask()
{
    for (const auto& run : m_running)
        run->thread.request_stop();
    m_running.clear(); // joins the threads
}

void BackgroundTask::start(Work work, Done done)
{
    if (m_current)
        m_current->thread.request_stop();
    auto run = std::make_shared<Run>();
    run->done = std::move(done);
    m_running.push_back(run);
    m_current = run;
    // The thread uses a raw pointer: m_running owns the run until the thread has been joined.
    const auto end = [this, raw = run.get()](const QString& message, bool stopped) {
        deliver(this, [this, raw, message, stopped] {
            for (const auto& each : m_running)
                if (each.get() == raw)
                    return finish(std::shared_ptr<Run>(each), message, stopped);
        });
    };
    const auto inThread = [this, raw = run.get(), work = std::move(work), end](std::stop_token stop) {
        const auto progress = [this, raw](double fraction) {
            if (!raw->progress.isDue())
                return;
            QMetaObject::invokeMethod(
                this,
                [this, raw, fraction] {
                    if (m_current.get() == raw)
                        emit progressed(fraction);
                },
                Qt::QueuedConnection);
        };
        if (m_priority == Priority::belowWindow)
            giveWayToTheWindow();
        QString message;
        bool stopped = false;
        try {
            work(stop, progress);
            stopped = stop.stop_requested();
        } catch (const engine::Error& error) {
            stopped = error.kind() == engine::ErrorKind::cancelled;
            message = messageOfCurrentException();
        } catch (...) {
            message = messageOfCurrentException();
        }
        end(message, stopped);
    };
    try {
        run->thread = engine::startThread(inThread);
    } catch (...) {
        end(messageOfCurrentException(), false);
    }
}

void BackgroundTask::cancel()
{
    if (m_current)
        m_current->thread.request_stop();
}

void BackgroundTask::finish(const std::shared_ptr<Run>& run, const QString& message, bool stopped)
{
    if (run->thread.joinable()) // false if it couldn't be started
        run->thread.join();
    m_running.remove(run);
    if (m_current != run)
        return;
    m_current = nullptr;
    if (stopped)
        emit cancelled();
    else if (const QString wrong = message.isEmpty() ? endOf(*run) : message; !wrong.isEmpty())
        emit failed(wrong);
    else
        emit succeeded();
}

// Calls `done`. Returns its error message, or an empty text.
QString BackgroundTask::endOf(const Run& run)
try {
    if (run.done)
        run.done();
    return {};
} catch (...) {
    return messageOfCurrentException();
}

void giveWayToTheWindow()
{
#ifdef __linux__
    // On Linux, niceness is a property of a thread and inherited by the threads that it starts; id 0 is the caller.
    constexpr int niceness = 5;
    setpriority(PRIO_PROCESS, 0, niceness);
#endif
}

QString messageOfCurrentException() noexcept
try {
    try {
        throw;
    } catch (const std::bad_alloc&) {
        return QCoreApplication::translate("ui", "Not enough memory for this. Close other programs, or choose fewer "
                                                 "slices at once or a smaller scan.");
    } catch (const engine::Error& error) {
        return inWindow(error.text());
    } catch (const std::exception& error) {
        QString text = QString::fromUtf8(error.what());
        return text.isEmpty() ? QCoreApplication::translate("ui", "An unknown error occurred.") : text;
    } catch (...) {
        return QCoreApplication::translate("ui", "An unknown error occurred.");
    }
} catch (...) {
    return QStringLiteral("Not enough memory for this."); // needs no memory
}

} // namespace ui
