// SPDX-License-Identifier: GPL-3.0-or-later
// A window that measures what `auto` should take on this machine, and shows what is gained.
#pragma once

#include "engine/measure/tune.h"
#include "ui/speed/measuring_dialog.h"

namespace ui
{

// Returns a line for each setting, as HTML: what `auto` takes, its speed, and the gain over what it took before.
QString tunedTable(const std::vector<engine::TunedChoice>& choices);

class TuneDialog : public MeasuringDialog
{
    Q_OBJECT
  public:
    explicit TuneDialog(const engine::BenchmarkOptions& options, QWidget* parent = nullptr); // begins to measure

  signals:
    void kept(); // `auto` goes by the new speeds

  private:
    void take(const std::vector<engine::MeasuredSpeed>& speeds);

    const engine::DeviceSettings m_device;
    QLabel* m_table;
};

} // namespace ui
