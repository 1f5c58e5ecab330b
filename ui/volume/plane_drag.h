// SPDX-License-Identifier: GPL-3.0-or-later
// A drag of a plane in a picture of the volume.
#pragma once

#include "ui/volume/plane_shape.h"

#include <QPointF>

#include <functional>

namespace ui
{

class PlaneDrag
{
  public:
    using Project = std::function<QPointF(const engine::VoxelPoint&)>; // to the picture, in pixels

    PlaneDrag(const LinkedPlanes& planes, const PlaneGrip& grip, const QPointF& from);

    // Returns the planes with the pointer at that position. snapDeg > 0: turned to a multiple of it.
    LinkedPlanes moveTo(const QPointF& position, const Project& project, double snapDeg);

  private:
    LinkedPlanes m_atPress, m_free; // m_free: without snapping
    PlaneGrip m_grip;
    QPointF m_previous;
    double m_moved = 0; // in voxels
};

} // namespace ui
