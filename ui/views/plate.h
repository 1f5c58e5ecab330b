// SPDX-License-Identifier: GPL-3.0-or-later
// Text over an image, on a background that keeps it legible.
#pragma once

#include <QPalette>
#include <QRectF>
#include <QString>

class QPainter;

namespace ui
{

// Draws a plate as large as the text, and at least that wide inside, at that side (Qt::Align…) of the room; elides text
// longer than the room. Returns the area that it covers. Draws nothing without text.
QRectF drawPlate(QPainter& painter, const QRectF& room, Qt::Alignment side, const QString& text,
                 const QPalette& palette, const QColor& swatch = {}, double leastWidth = 0);

} // namespace ui
