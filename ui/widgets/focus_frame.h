// SPDX-License-Identifier: GPL-3.0-or-later
// The frame around a widget that paints itself, while it has the keyboard focus.
#pragma once

#include <QPainter>
#include <QWidget>

namespace ui
{

inline void drawFocusFrame(QPainter& painter, const QWidget& widget, const QRectF& place)
{
    if (!widget.hasFocus())
        return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(widget.palette().color(QPalette::Highlight), 2));
    painter.drawRect(place.adjusted(1, 1, -1, -1));
}

} // namespace ui
