// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/speed/speed_meter.h"

#include "engine/backends/devices.h"
#include "engine/compare/used_axis.h"
#include "engine/reconstruct/reconstruct.h"

#include <QCoreApplication>
#include <QEvent>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

namespace ui
{

namespace
{

constexpr int quietMs = 1000;

// A setting that is run again and again.
class Repeated
{
  public:
    // reconstructor: that of all settings, so that they don't hold the memory of a GPU several times.
    Repeated(const MeterRequest& wanted, engine::Reconstructor& reconstructor)
        : m_request(wanted.request), m_known(wanted.runs), m_reconstructor(reconstructor)
    {
        m_request.setting.axis = engine::usedAxis(m_request.setting.axis, *wanted.result);
    }

    void warmUp(const std::stop_token& stop) { m_reconstructor.run(m_request, {}, stop); }
    void run(const std::stop_token& stop)
    {
        using Clock = std::chrono::steady_clock;
        const auto began = Clock::now();
        const engine::Reconstruction made = m_reconstructor.run(m_request, {}, stop);
        m_seconds += std::chrono::duration<double>(Clock::now() - began).count();
        m_runs.push_back({made.kernelGups, made.totalGups, made.timings.totalSeconds});
    }
    bool isEnough() const
    {
        const int known = m_known + static_cast<int>(m_runs.size());
        return (known >= SpeedMeter::enoughRuns && m_seconds >= SpeedMeter::leastSeconds) ||
               m_seconds >= SpeedMeter::mostSeconds;
    }
    const std::vector<TimedRun>& runs() const { return m_runs; }

  private:
    engine::Request m_request;
    const int m_known;
    engine::Reconstructor& m_reconstructor;
    double m_seconds = 0;
    std::vector<TimedRun> m_runs;
};

// Throws Error(cancelled). The limits of a kernel take up to a second when its device is measured for the first time.
std::vector<IdleMeasurement> measureNow(const std::vector<MeterRequest>& wanted, SpeedMeter::Peaks& peaks,
                                        const std::stop_token& stop)
{
    engine::Reconstructor reconstructor;
    std::vector<std::unique_ptr<Repeated>> repeated; // null: not repeated
    for (const MeterRequest& one : wanted) {
        repeated.push_back(one.isRepeated ? std::make_unique<Repeated>(one, reconstructor) : nullptr);
        if (repeated.back()) // reads, filters, and wakes up the device
            repeated.back()->warmUp(stop);
    }
    for (bool isAnyDue = true; isAnyDue;) {
        isAnyDue = false;
        for (const std::unique_ptr<Repeated>& one : repeated)
            if (one && !one->isEnough()) {
                one->run(stop);
                isAnyDue = true;
            }
    }
    std::vector<IdleMeasurement> made(wanted.size());
    const auto turns = std::ranges::count_if(repeated, [](const auto& one) { return one != nullptr; });
    const std::lock_guard guard(peaks.mutex);
    for (std::size_t k = 0; k < wanted.size(); ++k) {
        const engine::KernelWork work = engine::workOf(*wanted[k].result);
        if (repeated[k]) {
            made[k].runs = repeated[k]->runs();
            made[k].inTurns = turns > 1;
            made[k].gpu = engine::stateOf(work.device);
        }
        if (!stop.stop_requested()) // otherwise the result is discarded
            made[k].limits = engine::limitsOf(work, peaks.ofMachine);
    }
    return made;
}

} // namespace

SpeedMeter::SpeedMeter(QObject* parent) : QObject(parent)
{
    m_quiet.setSingleShot(true);
    m_quiet.setInterval(quietMs);
    connect(&m_quiet, &QTimer::timeout, this, [this] { begin(); });
    connect(&m_task, &BackgroundTask::failed, this, [this] { // no message: the image itself was reconstructed
        m_requests.clear();
        emit finished();
    });
    QCoreApplication::instance()->installEventFilter(this);
}

void SpeedMeter::measure(std::vector<MeterRequest> requests)
{
    stop();
    m_requests = std::move(requests);
    if (!m_requests.empty())
        m_quiet.start();
}

void SpeedMeter::stop()
{
    m_requests.clear();
    m_quiet.stop();
    m_task.cancel();
}

void SpeedMeter::begin()
{
    if (m_requests.empty())
        return;
    auto made = std::make_shared<std::vector<IdleMeasurement>>();
    m_task.start(
        [requests = m_requests, made, peaks = m_peaks](const std::stop_token& stop, const BackgroundTask::Progress&) {
            *made = measureNow(requests, *peaks, stop);
        },
        [this, made] { take(*made); });
}

void SpeedMeter::take(const std::vector<IdleMeasurement>& measured)
{
    const std::vector<MeterRequest> done = std::exchange(m_requests, {});
    for (std::size_t k = 0; k < std::min(done.size(), measured.size()); ++k)
        emit this->measured(done[k].request, measured[k]);
    emit finished();
}

bool SpeedMeter::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type()) {
    case QEvent::KeyPress:
    case QEvent::MouseButtonPress:
    case QEvent::MouseMove:
    case QEvent::Wheel:
    case QEvent::TouchBegin:
        if (!m_requests.empty()) {
            m_task.cancel();
            m_quiet.start();
        }
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace ui
