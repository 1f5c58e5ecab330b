// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planes/plane_fields.h"

#include "ui/planes/planes_panel.h"
#include "ui/widgets/measure_box.h"

#include <QGridLayout>
#include <QLabel>
#include <QPixmap>
#include <QSignalBlocker>

#include <algorithm>

namespace ui
{

namespace
{

constexpr int swatchSide = 10;

QString coordinateName(int axis)
{
    const std::array names{PlaneFields::tr("column"), PlaneFields::tr("row"), PlaneFields::tr("slice")};
    return names[static_cast<std::size_t>(axis)];
}

// Returns the plane in whose image this one is turned, see PlaneAngles.
QString turnedIn(int plane)
{
    return planeName(plane == 2 ? 1 : 2);
}

QString tiltedIn(int plane)
{
    return planeName(plane == 0 ? 1 : 0);
}

} // namespace

QDoubleSpinBox* PlaneFields::makeBox(const QString& name, const QString& tip, const QString& suffix)
{
    auto* box = new MeasureBox(suffix, -180, 180, 1, 1);
    box->setObjectName(name);
    box->setAccessibleName(tip);
    box->setToolTip(tip);
    connect(box, &QDoubleSpinBox::valueChanged, this, &PlaneFields::edit);
    return box;
}

PlaneFields::PlaneFields(QWidget* parent) : QWidget(parent)
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(4);
    const QStringList titles{tr("Plane"), tr("Position"), QString(), tr("Turn"), tr("Tilt")};
    for (int column = 0; column < titles.size(); ++column)
        grid->addWidget(new QLabel(titles[column]), 0, column);
    for (int axis = 0; axis < LinkedPlanes::count; ++axis) {
        const auto k = static_cast<std::size_t>(axis);
        auto* title = new QLabel;
        title->setTextFormat(Qt::RichText);
        title->setText(
            QStringLiteral("<span style='color:%1'>■</span> %2").arg(planeColour(axis).name(), planeName(axis)));
        title->setAccessibleName(tr("Plane %1").arg(planeName(axis)));
        m_point[k] =
            makeBox(QStringLiteral("planePosition") + planeName(axis),
                    tr("Position of the point: %1, in voxels from the first one. Only a plane that is turned lies "
                       "between voxels")
                        .arg(coordinateName(axis)),
                    {});
        m_point[k]->setPrefix(coordinateName(axis) + QLatin1Char(' '));
        m_turn[k] =
            makeBox(QStringLiteral("planeTurn") + planeName(axis),
                    tr("Turn of plane %1 about the vertical direction of its image, in degrees, anticlockwise in %2")
                        .arg(planeName(axis), turnedIn(axis)),
                    QStringLiteral("°"));
        m_tilt[k] =
            makeBox(QStringLiteral("planeTilt") + planeName(axis),
                    tr("Tilt of plane %1 about the horizontal direction of its image, in degrees, anticlockwise in %2")
                        .arg(planeName(axis), tiltedIn(axis)),
                    QStringLiteral("°"));
        m_mm[k] = new QLabel;
        m_mm[k]->setObjectName(QStringLiteral("planeMm") + planeName(axis));
        m_mm[k]->setToolTip(tr("Distance from the middle of the volume"));
        grid->addWidget(title, axis + 1, 0);
        grid->addWidget(m_point[k], axis + 1, 1);
        grid->addWidget(m_mm[k], axis + 1, 2);
        grid->addWidget(m_turn[k], axis + 1, 3);
        grid->addWidget(m_tilt[k], axis + 1, 4);
    }
    grid->setColumnStretch(5, 1);
}

void PlaneFields::showPlanes(const LinkedPlanes& planes, const engine::VoxelSides& sides)
{
    m_planes = planes;
    const engine::VoxelPoint shown = planes.shownPoint();
    for (int axis = 0; axis < LinkedPlanes::count; ++axis) {
        const auto k = static_cast<std::size_t>(axis);
        const double last = std::max(0, (axis == 2 ? planes.volume.slices : planes.volume.size) - 1);
        const QSignalBlocker quiet[]{QSignalBlocker(m_point[k]), QSignalBlocker(m_turn[k]), QSignalBlocker(m_tilt[k])};
        m_point[k]->setDecimals(planes.isTurned(axis) ? 1 : 0);
        m_point[k]->setRange(0, last);
        m_point[k]->setValue(shown[k]);
        m_turn[k]->setValue(planes.angles[k].turnDeg);
        m_tilt[k]->setValue(planes.angles[k].tiltDeg);
        const double up = k == 0 ? 1 : -1; // rows and slices count downwards, y and z upwards
        const double side = axis == 2 ? sides.slice : sides.pixel;
        m_mm[k]->setText(sides.isInMm ? tr("%1 mm").arg(up * (shown[k] - last / 2) * side, 0, 'f', 3) : QString());
    }
}

void PlaneFields::edit()
{
    LinkedPlanes next = m_planes;
    const engine::VoxelPoint shown = m_planes.shownPoint();
    engine::VoxelPoint point{};
    for (int axis = 0; axis < LinkedPlanes::count; ++axis) {
        const auto k = static_cast<std::size_t>(axis);
        // A shown value is rounded; what isn't edited stays as it is.
        const auto edited = [](const QDoubleSpinBox* box, double before) {
            return std::abs(box->value() - before) < 0.05 ? before : box->value();
        };
        const double position = edited(m_point[k], shown[k]);
        point[k] = position == shown[k] ? m_planes.point[k] : position;
        next.setAngles(axis,
                       {edited(m_turn[k], m_planes.angles[k].turnDeg), edited(m_tilt[k], m_planes.angles[k].tiltDeg)});
    }
    next.moveTo(point);
    emit edited(next);
}

} // namespace ui
