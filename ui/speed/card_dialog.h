// SPDX-License-Identifier: GPL-3.0-or-later
// A window that measures what this machine does, and saves it as a card.
#pragma once

#include "engine/measure/machine_card.h"

#include <QDialog>

#include <memory>

namespace ui
{

// Writes .png, .svg or .pdf, or the figures as .json, depending on the suffix; replaces the file. Throws
// engine::Error(output), or Error(badRequest) for another suffix.
void writeCard(const QString& path, const engine::MachineCard& card);

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
