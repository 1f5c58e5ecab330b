// SPDX-License-Identifier: GPL-3.0-or-later
// A window that measures what this machine does, and saves it as a card.
#pragma once

#include "engine/measure/benchmark.h"
#include "ui/speed/measuring_dialog.h"

namespace ui
{

class CardDialog : public MeasuringDialog
{
    Q_OBJECT
  public:
    explicit CardDialog(QWidget* parent = nullptr); // begins to measure

  private:
    void show(const engine::Benchmark& card);

    QLabel* m_preview;
    QPushButton* m_save;
    engine::Benchmark m_card;
};

} // namespace ui
