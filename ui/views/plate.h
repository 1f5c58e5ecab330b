// SPDX-License-Identifier: GPL-3.0-or-later
// Words that lie over an image, on a ground that keeps them legible.
#pragma once

#include <QPalette>
#include <QRectF>
#include <QString>

class QPainter;

namespace ui
{

// As large as the text, at that side (Qt::Align…) of the room; text longer than the room is elided. Returns what it
// covers; nothing is drawn for no text.
QRectF drawPlate(QPainter& painter, const QRectF& room, Qt::Alignment side, const QString& text,
                 const QPalette& palette, const QColor& swatch = {});

} // namespace ui
