// SPDX-License-Identifier: GPL-3.0-or-later
// A background task such as opening or saving; one piece of work at a time.
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
    using Work = std::function<void(std::stop_token, const Progress&)>; // runs in a separate thread
    using Done = std::function<void()>; // in the thread of this object; exceptions are reported by failed()

    // Priority of the thread. belowWindow: the window responds immediately even if all cores are computing.
    enum class Priority { belowWindow, normal };

    explicit BackgroundTask(QObject* parent = nullptr) : QObject(parent) {}
    explicit BackgroundTask(Priority priority) : m_priority(priority) {}
    ~BackgroundTask() override; // cancels and waits

    // Stops and discards the current work without waiting for it. The new work emits one signal: succeeded (after
    // `done`), failed or cancelled.
    void start(Work work, Done done);
    void cancel();
    bool busy() const { return m_current != nullptr; }

  signals:                            // in the thread of this object
    void progressed(double fraction); // at most 20 times per second
    void succeeded();
    void failed(const QString& message);
    void cancelled();

  private:
    struct Run;
    void finish(const std::shared_ptr<Run>& run, const QString& message, bool stopped);
    static QString endOf(const Run& run);

    Priority m_priority = Priority::belowWindow;
    std::shared_ptr<Run> m_current;
    std::list<std::shared_ptr<Run>> m_running; // the current run, and earlier ones that have not stopped yet
};

// Lowers the priority of the calling thread, and of the threads that it starts, below the window's if the system
// supports it: the window responds immediately even if all cores are computing.
void giveWayToTheWindow();

// Returns a message for the user about the exception being handled. Call it in a catch block.
QString messageOfCurrentException() noexcept;

// Queues `act` in the event loop of the thread in which `to` lives. Can be called from any thread. If memory is
// short, tries again until it succeeds: otherwise, code waiting for `act` would wait for ever.
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
