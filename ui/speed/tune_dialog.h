// SPDX-License-Identifier: GPL-3.0-or-later
// A window that measures what `auto` should take on this machine, and shows what is gained.
#pragma once

#include "engine/measure/tune.h"

#include <QDialog>

#include <memory>

namespace ui
{

// Returns a line for each setting, as HTML: what `auto` takes, its speed, and the gain over what it took before.
QString tunedTable(const std::vector<engine::TunedChoice>& choices);

class TuneDialog : public QDialog
{
    Q_OBJECT
  public:
    explicit TuneDialog(engine::TuneOptions options, QWidget* parent = nullptr); // begins to measure
    ~TuneDialog() override;                                                      // cancels

  signals:
    void kept(); // `auto` goes by the new speeds

  private:
    void take(const std::vector<engine::MeasuredSpeed>& speeds);

    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace ui
