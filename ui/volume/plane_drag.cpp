// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/plane_drag.h"

#include <cmath>

namespace ui
{

namespace
{

constexpr double nudgeDeg = 0.5;

double& angleOf(LinkedPlanes& planes, const PlaneGrip& grip)
{
    PlaneAngles& angles = planes.angles[static_cast<std::size_t>(grip.plane)];
    return grip.way == PlaneGrip::Way::tilt ? angles.tiltDeg : angles.turnDeg;
}

LinkedPlanes turnedBy(LinkedPlanes planes, const PlaneGrip& grip, double degrees)
{
    angleOf(planes, grip) += degrees;
    planes.setAngles(grip.plane, planes.angles[static_cast<std::size_t>(grip.plane)]);
    return planes;
}

// Returns how many steps a movement of the pointer makes if one step moves the picture by `step`; none if that is
// hardly seen, as a plane's movement towards the viewer.
double stepsOf(const QPointF& moved, const QPointF& step, double least)
{
    const double length = QPointF::dotProduct(step, step);
    return length < least * least ? 0 : QPointF::dotProduct(moved, step) / length;
}

} // namespace

PlaneDrag::PlaneDrag(const LinkedPlanes& planes, const PlaneGrip& grip, const QPointF& from)
    : m_atPress(planes), m_free(planes), m_grip(grip), m_previous(from)
{
}

LinkedPlanes PlaneDrag::moveTo(const QPointF& position, const Project& project, double snapDeg)
{
    const QPointF moved = position - std::exchange(m_previous, position);
    if (m_grip.way == PlaneGrip::Way::move) {
        const engine::VoxelPoint normal = normalOf(m_atPress, m_grip.plane), &at = m_atPress.point;
        constexpr double far = 10; // voxels: large against rounding
        const engine::VoxelPoint next{at[0] + far * normal[0], at[1] + far * normal[1], at[2] + far * normal[2]};
        m_moved += stepsOf(moved, (project(next) - project(at)) / far, 0.05);
        LinkedPlanes planes = m_atPress;
        planes.step(m_grip.plane, planes.isTurned(m_grip.plane) ? m_moved : std::round(m_moved));
        return planes;
    }
    const QPointF before = project(placeOf(m_grip, turnedBy(m_free, m_grip, -nudgeDeg))),
                  after = project(placeOf(m_grip, turnedBy(m_free, m_grip, nudgeDeg)));
    m_free = turnedBy(m_free, m_grip, stepsOf(moved, (after - before) / (2 * nudgeDeg), 0.02));
    LinkedPlanes planes = m_free;
    if (snapDeg > 0)
        angleOf(planes, m_grip) = snapDeg * std::round(angleOf(planes, m_grip) / snapDeg) + 0.0;
    return planes;
}

} // namespace ui
