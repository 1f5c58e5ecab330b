// SPDX-License-Identifier: GPL-3.0-or-later
// Choice of a resolution, and a button that requests the stack at it.
#pragma once

#include "engine/scan/scan.h"

#include <QWidget>

#include <array>
#include <memory>

class QComboBox;

namespace ui
{

class StackRequest : public QWidget
{
    Q_OBJECT
  public:
    explicit StackRequest(QWidget* parent);

    QComboBox* resolution() const { return m_resolution; }
    void showSizes(const std::shared_ptr<const engine::Scan>& scan); // tooltips: size of its stack at each resolution
    void propose(int step);

  signals:
    void requested(int step); // every step-th pixel and slice

  private:
    QComboBox* m_resolution;
};

QString stackSizeText(const std::array<int, 3>& counts); // "512 × 512 × 128 voxels · 134 MB"

} // namespace ui
