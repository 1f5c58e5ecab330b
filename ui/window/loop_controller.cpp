// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/loop_controller.h"

#include "engine/axis/axis.h"
#include "ui/image/image_panel.h"
#include "ui/speed/speed_panel.h"

namespace ui
{

LoopController::LoopController(const Comparison& shown, const ResultPanels& panels) : m_shown(shown), m_panels(panels)
{
    connect(panels.speed, &SpeedPanel::loopRequested, this, &LoopController::begin);
    connect(&m_loop, &SpeedLoop::ran, this, &LoopController::show);
    connect(&m_loop, &SpeedLoop::ended, this, [this](const QString& problem) {
        m_panels.speed->setLoop(LoopOver::none);
        emit ended(problem);
    });
}

void LoopController::stop()
{
    m_loop.stop();
}

void LoopController::showPossible()
{
    if (!m_shown.hasResult())
        return;
    const engine::Reconstruction& made = *m_shown.a().result;
    const bool isWhole = !m_shown.a().isPreview() && made.request.scan;
    m_panels.speed->setLoopPossible(isWhole && made.request.scan->slices() > 1,
                                    isWhole && !engine::whyNoAxis(made.request.scan->geometry));
}

void LoopController::begin(LoopOver over)
{
    m_loop.stop();
    if (over == LoopOver::none || !m_shown.hasResult() || m_shown.a().isPreview())
        return m_panels.speed->setLoop(LoopOver::none);
    emit started();
    m_panels.speed->setLoop(over);
    m_loop.start(m_shown.a().result, over);
}

// The reference and the other settings belong to another slice or axis.
void LoopController::show(const LoopTurns& turns)
{
    m_panels.speed->addLoopRuns(turns);
    Comparison now = m_shown;
    now.slice = turns.newest->request.place.slices().first;
    for (Compared& one : now.compared) {
        one.result = one.id == m_shown.a().id ? turns.newest : nullptr;
        one.reference = nullptr;
        one.metrics.reset();
    }
    m_panels.images->show(now);
    emit showing(now.slice, turns.newest);
    m_panels.images->showStopped(tr("not computed in a loop"), false);
}

} // namespace ui
