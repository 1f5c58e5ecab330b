// SPDX-License-Identifier: GPL-3.0-or-later
// Fields for the point and the angles of the planes.
#pragma once

#include "engine/request/section.h"
#include "ui/planes/linked_planes.h"

#include <QWidget>

#include <array>
#include <optional>

class QDoubleSpinBox;
class QLabel;

namespace ui
{

class PlaneFields : public QWidget
{
    Q_OBJECT
  public:
    explicit PlaneFields(QWidget* parent = nullptr);

    // Emits no signal.
    void showPlanes(const LinkedPlanes& planes, const engine::VoxelSides& sides);

  signals:
    void edited(const ui::LinkedPlanes& planes);

  private:
    QDoubleSpinBox* makeBox(const QString& name, const QString& tip, const QString& suffix);
    void edit();

    LinkedPlanes m_planes;
    std::array<QDoubleSpinBox*, 3> m_point{}, m_turn{}, m_tilt{};
    std::array<QLabel*, 3> m_mm{};
};

} // namespace ui
