// SPDX-License-Identifier: GPL-3.0-or-later
// A meter that repeats reconstructions while the program is idle: several runs are more reliable than one cold run. It
// also measures the limits of their kernels on the device.
#pragma once

#include "engine/measure/limits.h"
#include "engine/request/setting.h"
#include "ui/background/background_task.h"
#include "ui/numbers/tried_settings.h"

#include <QTimer>

#include <memory>
#include <mutex>

namespace ui
{

// A request to run again.
struct MeterRequest {
    engine::Request request;
    Image result;           // of an earlier run, whose axis is used, so that it isn't searched again
    int runs = 0;           // number of runs already known
    bool isRepeated = true; // otherwise only the limits are measured
};

// Begins after a second without input. Any input interrupts the measurement, which begins again later. The threads have
// normal priority. The settings run in turns, so that what slows the machine for a while slows all of them. Each runs
// until there are 7 runs and 0.3 s have passed in them, whichever is later, but for at most 2 s.
class SpeedMeter : public QObject
{
    Q_OBJECT
  public:
    static constexpr int enoughRuns = 7;
    static constexpr double leastSeconds = 0.3, mostSeconds = 2;

    // Shared with tasks, of which one that was cancelled may still be running.
    struct Peaks {
        std::mutex mutex;
        engine::MachinePeaks ofMachine;
    };

    explicit SpeedMeter(QObject* parent = nullptr);

    void measure(std::vector<MeterRequest> requests); // replaces earlier requests
    void stop();

  signals:
    void measured(const engine::Request& request, const ui::IdleMeasurement& measured);
    void finished(); // all were measured, or one failed; not emitted after stop()

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void begin();
    void take(const std::vector<IdleMeasurement>& measured); // of each request

    std::vector<MeterRequest> m_requests; // to be measured
    const std::shared_ptr<Peaks> m_peaks = std::make_shared<Peaks>();
    QTimer m_quiet; // waits for a second without input
    BackgroundTask m_task{BackgroundTask::Priority::normal};
};

} // namespace ui
