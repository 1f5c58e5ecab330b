// SPDX-License-Identifier: GPL-3.0-or-later
// Runs settings again while nothing else is done: several runs say more than a single, cold one.
#pragma once

#include "engine/request/setting.h"
#include "ui/background/background_task.h"
#include "ui/numbers/tried_settings.h"

#include <QTimer>

namespace ui
{

// A request that is to be run again.
struct MeterRequest {
    engine::Request request;
    engine::AxisSettings axis; // as it was used: it isn't looked for again
    int runs = 0;              // that are known already
};

// Begins after a second without input, and stops at any input to go on later. At normal priority; one setting after the
// other, each until there are 7 runs and 0.3 s have passed, whichever is later, but no longer than 2 s.
class SpeedMeter : public QObject
{
    Q_OBJECT
  public:
    static constexpr int enoughRuns = 7;
    static constexpr double leastSeconds = 0.3, mostSeconds = 2;

    explicit SpeedMeter(QObject* parent = nullptr);

    void measure(std::vector<MeterRequest> requests); // in place of those before
    void stop();

  signals:
    void measured(const engine::Request& request, const std::vector<ui::TimedRun>& runs);
    void finished(); // of all, or as one failed; not where it was stopped

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void begin();
    void take(const MeterRequest& done, const std::vector<TimedRun>& runs);

    std::vector<MeterRequest> m_requests; // that are still to be run
    QTimer m_quiet;                       // until nothing has been entered for a while
    BackgroundTask m_task{BackgroundTask::Priority::normal};
};

} // namespace ui
