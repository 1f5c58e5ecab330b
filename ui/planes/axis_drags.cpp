// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planes/axis_drags.h"

#include "ui/widgets/drag_field.h"

#include <QHBoxLayout>
#include <QLabel>

namespace ui
{

AxisDrags::AxisDrags(QWidget* parent)
    : QWidget(parent), m_axis(new DragField({.perPixel = 0.25, .keyStep = 0.1, .unit = tr(" bins")})),
      m_tilt(new DragField({.perPixel = 0.01, .keyStep = 0.1, .unit = QStringLiteral("°")}))
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    const auto add = [row](DragField* field, const QString& name, const QString& title, const QString& tip) {
        auto* label = new QLabel(title);
        label->setToolTip(tip);
        field->setObjectName(name);
        field->setAccessibleName(title);
        field->setToolTip(tip);
        row->addWidget(label);
        row->addWidget(field);
    };
    add(m_axis, QStringLiteral("planesAxis"), tr("Axis"),
        tr("Rotation axis in bins. Drag it sideways, and the planes follow: 4 pixels per bin, 40 with Shift. Arrow "
           "keys: 0.1 bin, 0.01 with Ctrl"));
    row->addSpacing(8);
    add(m_tilt, QStringLiteral("planesAxisTilt"), tr("Axis tilt"),
        tr("Angle by which the rotation axis leans on the detector of a parallel beam. Drag it sideways, and the "
           "planes follow: 0.01° per pixel, a tenth with Shift. Arrow keys: 0.1°, 0.01° with Ctrl"));
    row->addStretch(1);
    connect(m_axis, &DragField::moved, this, &AxisDrags::axisMoved);
    connect(m_tilt, &DragField::moved, this, &AxisDrags::tiltMoved);
    for (const DragField* each : {m_axis, m_tilt})
        connect(each, &DragField::released, this, &AxisDrags::released);
    setAxis({});
    setTilt({});
}

void AxisDrags::setAxis(std::optional<double> bins)
{
    m_axis->setValue(bins);
    m_axis->setEnabled(bins.has_value());
}

void AxisDrags::setTilt(std::optional<double> deg)
{
    m_tilt->setValue(deg);
    m_tilt->setEnabled(deg.has_value());
}

} // namespace ui
