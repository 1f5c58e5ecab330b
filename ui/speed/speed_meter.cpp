// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/speed/speed_meter.h"

#include "engine/base/error.h"
#include "engine/compare/used_axis.h"
#include "engine/cuda/gpu_state.h"
#include "engine/reconstruct/reconstruct.h"

#include <QCoreApplication>
#include <QEvent>

#include <algorithm>
#include <chrono>

namespace ui
{

namespace
{

constexpr int quietMs = 1000;

// Returns the runs that were completed before stop was requested.
std::vector<TimedRun> runAgain(const MeterRequest& wanted, const std::stop_token& stop)
{
    using Clock = std::chrono::steady_clock;
    engine::Request request = wanted.request;
    request.setting.axis = engine::usedAxis(request.setting.axis, *wanted.result);
    std::vector<TimedRun> runs;
    engine::Reconstructor reconstructor;
    try {
        reconstructor.run(request, {}, stop); // warm-up: reads, filters, and wakes up the device
        const auto began = Clock::now();
        const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - began).count(); };
        const auto isEnough = [&] {
            const int known = wanted.runs + static_cast<int>(runs.size());
            return (known >= SpeedMeter::enoughRuns && seconds() >= SpeedMeter::leastSeconds) ||
                   seconds() >= SpeedMeter::mostSeconds;
        };
        while (!isEnough()) {
            const engine::Reconstruction made = reconstructor.run(request, {}, stop);
            runs.push_back({made.kernelGups, made.totalGups, made.timings.totalSeconds});
        }
    } catch (const engine::Error& error) {
        if (error.kind() != engine::ErrorKind::cancelled)
            throw;
    }
    return runs;
}

// The limits of a kernel take up to a second when its device is measured for the first time.
IdleMeasurement measureNow(const MeterRequest& wanted, SpeedMeter::Peaks& peaks, const std::stop_token& stop)
{
    IdleMeasurement made;
    const engine::KernelWork work = engine::workOf(*wanted.result);
    if (wanted.isRepeated) {
        made.runs = runAgain(wanted, stop);
        if (work.device.kind == engine::DeviceSettings::Kind::cuda)
            made.gpu = engine::gpuState(work.device.index);
    }
    const std::lock_guard guard(peaks.mutex);
    if (!stop.stop_requested()) // otherwise the result is discarded
        made.limits = engine::limitsOf(work, peaks.ofMachine);
    return made;
}

} // namespace

SpeedMeter::SpeedMeter(QObject* parent) : QObject(parent)
{
    m_quiet.setSingleShot(true);
    m_quiet.setInterval(quietMs);
    connect(&m_quiet, &QTimer::timeout, this, [this] { begin(); });
    connect(&m_task, &BackgroundTask::succeeded, this, [this] { begin(); });
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
    const MeterRequest next = m_requests.front();
    auto made = std::make_shared<IdleMeasurement>();
    m_task.start(
        [next, made, peaks = m_peaks](const std::stop_token& stop, const BackgroundTask::Progress&) {
            *made = measureNow(next, *peaks, stop);
        },
        [this, next, made] { take(next, *made); });
}

void SpeedMeter::take(const MeterRequest& done, const IdleMeasurement& measured)
{
    if (m_requests.empty())
        return;
    m_requests.erase(m_requests.begin());
    const bool isLast = m_requests.empty();
    emit this->measured(done.request, measured);
    if (isLast)
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
