// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/background/section_job.h"

#include "engine/base/error.h"
#include "engine/base/start_thread.h"
#include "engine/io/slices/stored_slices.h"
#include "ui/background/background_task.h"

#include <utility>

namespace ui
{

QString stageText(engine::Stage stage)
{
    switch (stage) {
    case engine::Stage::read:
        return SectionJob::tr("reading");
    case engine::Stage::prepare:
        return SectionJob::tr("flat field and log");
    case engine::Stage::axis:
        return SectionJob::tr("finding the axis");
    case engine::Stage::filter:
        return SectionJob::tr("filtering");
    case engine::Stage::backproject:
        break;
    }
    return SectionJob::tr("back-projecting");
}

void SectionJob::Turn::beginStep(bool isShort) const
{
    const std::lock_guard lock(job->m_mutex);
    if (job->m_waiting || stop.stop_requested())
        throw engine::Error(engine::ErrorKind::cancelled, "cancelled");
    job->m_letsStepFinish = isShort;
}

void SectionJob::Turn::giveWay() const
{
    const std::lock_guard lock(job->m_mutex);
    job->m_letsStepFinish = false;
    if (job->m_waiting)
        job->m_stop.request_stop();
}

void SectionJob::Turn::report(const QString& stage, double fraction) const
{
    if (isReportDue())
        post([job = job, stage, fraction] { emit job->progressed(stage, fraction); });
}

void SectionJob::Turn::post(std::function<void()> act) const
{
    deliver(job, [job = job, id = id, act = std::move(act)] {
        if (id > job->m_dropped)
            act();
    });
}

SectionJob::SectionJob(QObject* parent) : QObject(parent)
{
    m_worker = engine::startThread([this](const std::stop_token& quit) { loop(quit); });
}

SectionJob::~SectionJob()
{
    end();
}

void SectionJob::end()
{
    clear();
    m_worker.request_stop();
    if (m_worker.joinable())
        m_worker.join();
}

void SectionJob::begin(Work work, const void* scan)
{
    const bool isOther = std::exchange(m_scan, scan) != scan;
    if (isOther) // results of the previous scan are not shown
        m_dropped = m_newest;
    m_busy = true;
    m_progress.restart();
    put(std::move(work), ++m_newest, isOther);
}

std::future<void> SectionJob::replace(std::function<void()> work, bool letsStepFinish)
{
    drop();
    const auto done = std::make_shared<std::promise<void>>();
    std::future<void> ready = done->get_future();
    put(
        [done, work = std::move(work)](const Turn&) {
            work();
            done->set_value();
        },
        m_newest, !letsStepFinish);
    return ready;
}

void SectionJob::cancel()
{
    if (!m_busy)
        return;
    clear();
    drop();
    emit cancelled();
    emit finished();
}

void SectionJob::drop()
{
    m_dropped = m_newest;
    m_busy = false;
}

void SectionJob::put(Work work, std::uint64_t id, bool stopsAnyStep)
{
    {
        const std::lock_guard lock(m_mutex);
        m_waiting = std::move(work);
        m_waitingId = id;
        if (!m_letsStepFinish || stopsAnyStep)
            m_stop.request_stop();
    }
    m_wake.notify_one();
}

void SectionJob::clear()
{
    const std::lock_guard lock(m_mutex);
    m_waiting.reset();
    m_stop.request_stop();
}

std::optional<std::pair<SectionJob::Work, SectionJob::Turn>> SectionJob::take(const std::stop_token& quit)
{
    std::unique_lock lock(m_mutex);
    if (!m_wake.wait(lock, quit, [this] { return m_waiting.has_value(); }))
        return std::nullopt;
    m_stop = std::stop_source();
    m_letsStepFinish = false;
    return std::pair{*std::exchange(m_waiting, std::nullopt), Turn{this, m_waitingId, m_stop.get_token()}};
}

void SectionJob::loop(const std::stop_token& quit)
{
    giveWayToTheWindow();
    while (true) {
        std::uint64_t id = 0;
        QString message;
        QSize misfit; // of the reference's slices
        bool stopped = false;
        try {
            const auto taken = take(quit);
            if (!taken)
                return;
            const auto& [work, turn] = *taken;
            id = turn.id;
            work(turn);
        } catch (const engine::SizeMisfit& error) {
            misfit = {error.ofFile().width, error.ofFile().height};
            message = messageOfCurrentException();
        } catch (const engine::Error& error) {
            stopped = error.kind() == engine::ErrorKind::cancelled;
            message = messageOfCurrentException();
        } catch (...) {
            message = messageOfCurrentException();
        }
        deliver(this, [this, id, message, misfit, stopped] {
            if (id <= m_dropped || id != m_newest || stopped) // cancel() or the newer request emits the signals
                return;
            m_busy = false;
            if (!misfit.isEmpty())
                emit this->misfit(message, misfit);
            else if (!message.isEmpty())
                emit failed(message);
            emit finished();
        });
    }
}

} // namespace ui
