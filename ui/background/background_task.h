// SPDX-License-Identifier: GPL-3.0-or-later
// One piece of work at a time beside the window: opening, saving, the whole stack.
#pragma once

#include <QObject>

#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <new>
#include <stop_token>
#include <thread>

namespace ui
{

class BackgroundTask : public QObject
{
    Q_OBJECT
  public:
    using Progress = std::function<void(double fraction)>;              // from any thread
    using Work = std::function<void(std::stop_token, const Progress&)>; // in a thread of its own
    using Done = std::function<void()>; // in the thread of this object; what it throws is told by failed()

    // Below the window's: where all cores compute, the window still answers at once.
    enum class Priority { belowWindow, normal };

    explicit BackgroundTask(QObject* parent = nullptr) : QObject(parent) {}
    explicit BackgroundTask(Priority priority) : m_priority(priority) {}
    ~BackgroundTask() override; // cancels and waits

    // Stops and forgets the work under way, without waiting for it. One signal follows for the new
    // one: succeeded (after `done`), failed or cancelled.
    void start(Work work, Done done);
    void cancel();
    bool busy() const { return m_current != nullptr; }

  signals:                            // in the thread of this object
    void progressed(double fraction); // at most 20 a second
    void succeeded();
    void failed(const QString& message);
    void cancelled();

  private:
    struct Run;
    void finish(const std::shared_ptr<Run>& run, const QString& message, bool stopped);
    static QString endOf(const Run& run);

    Priority m_priority = Priority::belowWindow;
    std::shared_ptr<Run> m_current;
    std::list<std::shared_ptr<Run>> m_running; // the current one and those that have yet to notice the stop
};

// Lowers the calling thread, and the threads that it starts, below the window's where the system can do that:
// where all cores compute, the window still answers at once.
void giveWayToTheWindow();

// What to tell the user about the exception being handled. Call it in a catch block.
QString messageOfCurrentException() noexcept;

// Has `act` called by the event loop of the thread that `to` lives in, from any thread. Where memory is short, it waits
// for some: who waits for the act would wait for ever.
template <typename Act>
void deliver(QObject* to, const Act& act) noexcept
{
    while (true) {
        try {
            QMetaObject::invokeMethod(to, act, Qt::QueuedConnection);
            return;
        } catch (const std::bad_alloc&) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
    }
}

} // namespace ui
