// SPDX-License-Identifier: GPL-3.0-or-later
// The work of the stand mode: one setting after another reconstructs slice after slice, as fast as it can.
#pragma once

#include "engine/measure/published_speeds.h"
#include "engine/reconstruct/reconstruct.h"
#include "ui/background/background_task.h"
#include "ui/background/comparison.h"

#include <QObject>

#include <mutex>
#include <vector>

namespace ui
{

struct StandStep {
    QString name; // "alu", "oversampled ×4"
    QString text; // a sentence about it
    engine::Setting setting;
};
// Returns the kernels, interpolations and precisions that this machine can run for the scan, except the exact ones.
std::vector<StandStep> standSteps(const engine::Request& chosen);

// Returns the speeds that were measured elsewhere and are nearest to this image's problem; and of them the fastest of
// each other program.
const engine::PublishedGroup& standGroup(const engine::Reconstruction& made);
std::vector<engine::PublishedSpeed> standOthers(const engine::PublishedGroup& group);

// What was measured so far, for the page that shows it.
struct StandState {
    struct Speed {
        std::vector<double> kernelGups, totalGups; // of the latest runs
        double error = -1; // RMSE against the exact method over its range; negative: not known yet
    };
    std::size_t step = 0;
    Image image;               // the newest
    std::vector<Speed> speeds; // of each step
    QString problem;           // why nothing can be shown
};

class StandRun : public QObject
{
    Q_OBJECT
  public:
    // request: of a scan. secondsPerStep: how long a setting is shown.
    StandRun(const engine::Request& request, double secondsPerStep, QObject* parent = nullptr);

    const std::vector<StandStep>& steps() const { return m_steps; }
    StandState state() const;

  private:
    static constexpr std::size_t keptRuns = 60;

    void work(const std::stop_token& stop);
    void runStep(std::size_t step, engine::Reconstructor& reconstructor, const std::stop_token& stop);

    const engine::Request m_request;
    const double m_secondsPerStep;
    const std::vector<StandStep> m_steps;
    engine::Reconstruction m_exact; // of the middle slice; only for the working thread
    mutable std::mutex m_mutex;     // guards m_state
    StandState m_state;
    BackgroundTask m_task; // declared last: destroyed first, which cancels and waits
};

} // namespace ui
