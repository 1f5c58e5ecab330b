// SPDX-License-Identifier: GPL-3.0-or-later
// What all jobs that reconstruct sections share: a background thread in which the newest request wins.
#pragma once

#include "engine/reconstruct/progress.h"
#include "ui/background/job_progress.h"

#include <QObject>
#include <QSize>

#include <condition_variable>
#include <functional>
#include <future>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace ui
{

// A derived class decides what is done for a request. Its destructor calls end().
class SectionJob : public QObject
{
    Q_OBJECT
  public:
    ~SectionJob() override;

    void cancel();
    bool busy() const { return m_busy; }

  signals:                                                  // in the thread of this object
    void progressed(const QString& stage, double fraction); // at most 20 times per second
    void failed(const QString& message);
    void misfit(const QString& message, const QSize& ofFile); // failed: the slices of the reference have another size
    void finished(); // done, failed or cancelled; not emitted for a replaced request
    void cancelled();

  protected:
    // The work on one request, in the background thread.
    struct Turn {
        SectionJob* job;
        std::uint64_t id;
        std::stop_token stop;

        // Begins a step; a short one will not be stopped by the next request. Throws engine::Error(cancelled) if
        // another request waits, or if this one was stopped.
        void beginStep(bool isShort) const;
        void giveWay() const; // the step isn't short: stops it if another request waits
        // These can be called in any thread. report() emits progressed(), if it is due; post() calls `act` in the
        // thread of the job, unless the user has cancelled meanwhile.
        bool isReportDue() const { return job->m_progress.isDue(); }
        void report(const QString& stage, double fraction) const;
        void post(std::function<void()> act) const;
    };
    using Work = std::function<void(const Turn& turn)>; // may throw; engine::Error(cancelled) if it was stopped

    explicit SectionJob(QObject* parent);

    // Stops the current work, but not a short step, so that images follow a drag. Results of another scan are not
    // shown any more.
    void begin(Work work, const void* scan);
    // Cancels without a signal, and lets the thread do other work, of which nothing tells, such as freeing memory.
    // letsStepFinish: after the current step, if it is short. The future is ready when it is done, or if a request
    // came first.
    std::future<void> replace(std::function<void()> work, bool letsStepFinish = false);
    void end(); // cancels and waits
    JobProgress& progress() { return m_progress; }

  private:
    void loop(const std::stop_token& quit);
    std::optional<std::pair<Work, Turn>> take(const std::stop_token& quit); // waits; nothing: the thread ends
    void put(Work work, std::uint64_t id, bool stopsAnyStep);
    void clear(); // removes the waiting work, and stops the current one
    void drop();  // what was requested isn't shown

    std::uint64_t m_newest = 0;  // id of the last request
    std::uint64_t m_dropped = 0; // results up to this id are not shown
    bool m_busy = false;
    const void* m_scan = nullptr; // of the last request
    JobProgress m_progress;

    std::mutex m_mutex; // for what follows
    std::condition_variable_any m_wake;
    std::optional<Work> m_waiting;
    std::uint64_t m_waitingId = 0;
    std::stop_source m_stop;       // for the current work
    bool m_letsStepFinish = false; // the current step is known to be short

    std::jthread m_worker; // declared last: destroyed first
};

QString stageText(engine::Stage stage); // "filtering"

} // namespace ui
