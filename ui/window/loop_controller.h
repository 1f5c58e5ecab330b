// SPDX-License-Identifier: GPL-3.0-or-later
// The controller of the loop over slices or axes: shows its images and speeds instead of the result, until it ends.
#pragma once

#include "ui/background/comparison.h"
#include "ui/speed/speed_loop.h"
#include "ui/window/panels.h"

#include <QObject>

namespace ui
{

class LoopController : public QObject
{
    Q_OBJECT
  public:
    // shown: the result whose setting runs; it and the panels outlive this object.
    LoopController(const Comparison& shown, const ResultPanels& panels);

    bool isRunning() const { return m_loop.over() != LoopOver::none; }
    void stop();
    void showPossible(); // after a result

  signals:
    void started();
    void showing(int slice, const ui::Image& image); // of the loop, instead of the result
    void ended(const QString& problem); // a sentence; empty: it was stopped. The result is to be shown again.

  private:
    void begin(LoopOver over);
    void show(const LoopTurns& turns);

    const Comparison& m_shown;
    const ResultPanels& m_panels;
    SpeedLoop m_loop; // declared last: destroyed first, which cancels and waits
};

} // namespace ui
