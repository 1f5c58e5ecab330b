// SPDX-License-Identifier: GPL-3.0-or-later
// The directions of the axes, at the bottom left of the view.
#pragma once

#include <QColor>
#include <QPainter>

#include <array>

namespace ui
{

QColor axisColour(int axis); // of x, y, z

// The directions of the axes as they are seen: to the right, upwards and towards the viewer, each −1…1.
using SeenAxes = std::array<std::array<double, 3>, 3>;

QRectF axesMarkerPlace(const QRectF& view);
void drawAxesMarker(QPainter& painter, const QRectF& place, const SeenAxes& axes, const QColor& text);

} // namespace ui
