// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/image_labels.h"

#include "ui/image/pixel_scale.h"
#include "ui/views/plate.h"
#include "ui/widgets/saved_painter.h"

#include <QPainter>

namespace ui
{

bool ImageLabels::setMessage(const QString& message)
{
    if (m_message == message)
        return false;
    m_message = message;
    return true;
}

bool ImageLabels::setCaption(const QString& caption)
{
    if (m_caption == caption)
        return false;
    m_caption = caption;
    return true;
}

void ImageLabels::setScale(bool shown, const std::optional<double>& pixelSizeMm)
{
    m_scaleShown = shown;
    m_pixelSizeMm = pixelSizeMm;
}

void ImageLabels::drawScale(QPainter& painter, const QRectF& room, double scale, const QPalette& palette) const
{
    if (m_scaleShown)
        ui::drawScale(painter, room, scale, m_pixelSizeMm, palette);
}

void ImageLabels::drawCaption(QPainter& painter, const QRectF& room, const QPalette& palette) const
{
    drawPlate(painter, room, Qt::AlignLeft | Qt::AlignBottom, m_caption, palette);
}

void ImageLabels::drawMessage(QPainter& painter, const QRectF& room, const QPalette& palette, bool isOverImage) const
{
    if (m_message.isEmpty())
        return;
    QColor colour = palette.color(QPalette::WindowText);
    colour.setAlphaF(0.72f);
    painter.setPen(colour);
    constexpr int flags = Qt::AlignCenter | Qt::TextWordWrap;
    if (isOverImage) { // keeps the text legible over the previous image
        const QRectF text = painter.boundingRect(room, flags, m_message).adjusted(-10, -5, 10, 5);
        const SavedPainter saved(painter);
        QColor plate = palette.color(QPalette::Window);
        plate.setAlphaF(0.85f);
        painter.setPen(Qt::NoPen);
        painter.setBrush(plate);
        painter.drawRoundedRect(text, 6, 6);
    }
    painter.drawText(room, flags, m_message);
}

} // namespace ui
