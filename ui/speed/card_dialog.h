// SPDX-License-Identifier: GPL-3.0-or-later
// A window that measures what this machine does, and saves it as a card.
#pragma once

#include "engine/measure/machine_card.h"

#include <QDialog>

#include <memory>

namespace ui
{

class CardDialog : public QDialog
{
    Q_OBJECT
  public:
    explicit CardDialog(QWidget* parent = nullptr); // begins to measure
    ~CardDialog() override;                         // cancels

    void show(const engine::MachineCard& card);

  private:
    void save();

    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace ui
