// SPDX-License-Identifier: GPL-3.0-or-later
// A loop that reconstructs one slice after another, or the same slice with one axis after another, as fast as it can.
#pragma once

#include "engine/base/device.h"
#include "ui/background/background_task.h"
#include "ui/background/comparison.h"
#include "ui/speed/history_chart.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <mutex>

namespace ui
{

enum class LoopOver { none, slices, axis };

// Returns the request of the n-th turn: slices run up and down through the scan from the one of `made`, axes up and
// down within 3 bins of the axis that it used.
engine::Request loopRequest(const engine::Reconstruction& made, LoopOver over, int turn);

// What a loop did since it was asked last.
struct LoopTurns {
    std::vector<SpeedEntry> runs;
    Image newest;                 // null: no run ended
    engine::DeviceState gpu = {}; // read twice a second; all 0: none is used, or it reports nothing
    double gupsPerWatt = 0;       // with filter and copies, between the last two readings; 0: not known
};

class SpeedLoop : public QObject
{
    Q_OBJECT
  public:
    explicit SpeedLoop(QObject* parent = nullptr);

    void start(const Image& made, LoopOver over); // with the settings of that image, which isn't coarse
    void stop();
    LoopOver over() const { return m_over; }

  signals:
    void ran(const ui::LoopTurns& turns); // at least one; a few times per second
    void ended(const QString& problem);   // stopped, or failed: a sentence

  private:
    struct Shared { // with the thread
        std::mutex mutex;
        LoopTurns turns;
    };

    static void work(const Image& made, LoopOver over, Shared& shared, const std::stop_token& stop);
    void pass();
    void end(const QString& problem);

    LoopOver m_over = LoopOver::none;
    std::shared_ptr<Shared> m_shared;
    QTimer m_timer;
    BackgroundTask m_task{BackgroundTask::Priority::normal}; // declared last: destroyed first, which cancels and waits
};

} // namespace ui
