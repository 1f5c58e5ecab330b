// SPDX-License-Identifier: GPL-3.0-or-later
// The controller of speed measurements: shows the speeds of the runs so far, and runs the settings again when idle.
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
    // shown: the results that are shown; it and the panels outlive this object. isIdle: returns whether nothing else
    // is running; isAlone: whether nothing else runs beside the images, such as the saving of a volume.
    SpeedController(const Comparison& shown, SettingsPanel& settings, const ResultPanels& panels,
                    std::function<bool()> isIdle, std::function<bool()> isAlone);

    void runAgainWhenIdle(); // enables it from now on
    void show();             // shows the speeds of the current results
    void measure();          // runs the shown settings again, if idle
    void stop();

  private:
    void take(const engine::Request& request, const IdleMeasurement& measured);

    const Comparison& m_shown;
    SettingsPanel& m_settings;
    const ResultPanels& m_panels;
    std::function<bool()> m_isIdle, m_isAlone;
    bool m_runsAgain = false; // runAgainWhenIdle() was called
    SpeedMeter m_meter;       // declared last: destroyed first, which cancels and waits
};

} // namespace ui
