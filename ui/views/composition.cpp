// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/composition.h"
#include "ui/widgets/saved_painter.h"

#include <QPainter>

#include <cmath>

namespace ui
{

void Canvas::Layer::paint(QPainter& painter) const
{
    for (const Piece& piece : pieces)
        painter.drawImage(piece.origin, piece.image);
}

void Canvas::Layer::paint(QPainter& painter, const QRectF& part) const
{
    const SavedPainter saved(painter);
    painter.setClipRect(part);
    paint(painter);
}

double Canvas::toDevicePixel(double position) const
{
    return std::round(position * ratio) / ratio;
}

void Composition::setPlanes(const GridSlice& a, const GridSlice& b)
{
    const bool areRenamed = a.title != m_a.title || b.title != m_b.title;
    m_a = a;
    m_b = b;
    planesChanged();
    emit titleChanged();
    if (areRenamed) // titles stand on the image, too
        emit changed();
}

QString Composition::title() const
{
    return m_b.title.isEmpty() ? m_a.title : m_a.title + QStringLiteral("   |   ") + m_b.title;
}

} // namespace ui
