// SPDX-License-Identifier: GPL-3.0-or-later
// Buttons that offer changes with which a volume fits into memory and on the disk.
#pragma once

#include "engine/volume/volume_needs.h"

#include <QObject>

#include <string>
#include <vector>

class QVBoxLayout;

namespace ui
{

class FitButtons : public QObject
{
    Q_OBJECT
  public:
    FitButtons();

    QVBoxLayout* layout() const { return m_layout; } // belongs to the layout that it is added to
    void offer(const std::vector<engine::Fit>& fits);

  signals:
    void chosen(const engine::Fit& fit);

  private:
    QVBoxLayout* m_layout;
    std::vector<std::string> m_offered;
};

} // namespace ui
