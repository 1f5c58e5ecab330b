// SPDX-License-Identifier: GPL-3.0-or-later
// How fast the settings are: what the runs up to now show, and more runs while nothing else is done.
#pragma once

#include "ui/background/comparison.h"
#include "ui/speed/speed_meter.h"
#include "ui/window/panels.h"

#include <QObject>

#include <functional>

namespace ui
{

class SpeedController : public QObject
{
    Q_OBJECT
  public:
    // shown: what is shown at any time; it and the panels outlive this object. isIdle: whether nothing else is done.
    SpeedController(const Comparison& shown, SettingsPanel& settings, const ResultPanels& panels,
                    std::function<bool()> isIdle);

    void runAgainWhenIdle(); // from now on
    void show();             // the speeds of what is shown
    void measure();          // what is shown, when all of it is there and nothing else is done
    void stop();

  private:
    void take(const engine::Request& request, const std::vector<TimedRun>& runs);

    const Comparison& m_shown;
    SettingsPanel& m_settings;
    const ResultPanels& m_panels;
    std::function<bool()> m_isIdle;
    bool m_runsAgain = false; // the meter is wanted
    SpeedMeter m_meter;       // last, so that it goes first: it cancels and waits
};

} // namespace ui
