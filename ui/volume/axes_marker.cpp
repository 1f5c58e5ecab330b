// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/axes_marker.h"

#include <algorithm>

namespace ui
{

namespace
{

constexpr double markerSide = 72, axisLength = 22; // pixels

} // namespace

QColor axisColour(int axis)
{
    static const std::array<QColor, 3> colours = {QColor(225, 90, 85), QColor(75, 165, 85), QColor(75, 135, 230)};
    return colours[axis];
}

QRectF axesMarkerPlace(const QRectF& view)
{
    return {view.left(), view.bottom() - markerSide, markerSide, markerSide};
}

void drawAxesMarker(QPainter& painter, const QRectF& place, const SeenAxes& axes, const QColor& text)
{
    std::array<int, 3> order = {0, 1, 2}; // farthest first
    std::ranges::sort(order, {}, [&axes](int axis) { return axes[axis][2]; });
    for (const int axis : order) {
        const QPointF direction(axes[axis][0], -axes[axis][1]);
        painter.setPen(QPen(axisColour(axis), 2.5, Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(QLineF(place.center(), place.center() + axisLength * direction));
        QRectF letter(0, 0, 16, 16);
        letter.moveCenter(place.center() + (axisLength + 8) * direction);
        painter.setPen(text);
        painter.drawText(letter, Qt::AlignCenter, QString(QChar(u'x' + axis)));
    }
}

} // namespace ui
