// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/image_header.h"

#include <QPainter>

#include <algorithm>

namespace ui
{

namespace
{

constexpr int side = 4;    // margin on the left and on the right
constexpr int noteGap = 8; // between title and note
constexpr int swatchSize = 9;

} // namespace

ImageHeader::ImageHeader(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

void ImageHeader::setTitle(const QString& title, const QString& brief)
{
    m_brief = brief;
    if (m_title == title)
        return;
    m_title = title;
    describe();
}

QString ImageHeader::titleFor(int width) const
{
    return m_brief.isEmpty() || fontMetrics().horizontalAdvance(m_title) <= width ? m_title : m_brief;
}

void ImageHeader::setNote(const QString& note, const QColor& swatch, const QString& tip)
{
    if (m_note == note && m_swatch == swatch && m_tip == tip)
        return;
    m_note = note;
    m_swatch = swatch;
    m_tip = tip;
    describe();
}

void ImageHeader::describe()
{
    const QString text = m_note.isEmpty() ? m_title : m_title + QStringLiteral("  ") + m_note;
    setAccessibleName(text);
    setToolTip(m_tip.isEmpty() ? text : text + QLatin1Char('\n') + m_tip);
    update();
}

QSize ImageHeader::sizeHint() const
{
    return {120, fontMetrics().height() + 6};
}

QSize ImageHeader::minimumSizeHint() const
{
    return {40, fontMetrics().height() + 6};
}

void ImageHeader::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const QRect room = rect().adjusted(side, 0, -side, 0);
    const QFontMetrics metrics = fontMetrics();
    const int swatchRoom = m_swatch.isValid() ? swatchSize + 4 : 0;
    // 2 pixels wider than the text: otherwise rounding could elide a note that just fits.
    const int noteWidth =
        m_note.isEmpty() ? 0 : std::min(metrics.horizontalAdvance(m_note) + 2 + swatchRoom, room.width() * 2 / 3);
    QColor colour = palette().color(QPalette::WindowText);
    painter.setPen(colour);
    const int titleWidth = room.width() - (noteWidth > 0 ? noteWidth + noteGap : 0);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(titleFor(titleWidth), Qt::ElideMiddle, titleWidth));
    if (noteWidth <= 0)
        return;
    const QRect note(room.right() - noteWidth + 1, room.top(), noteWidth, room.height());
    if (m_swatch.isValid())
        painter.fillRect(QRect(note.left(), note.center().y() - swatchSize / 2, swatchSize, swatchSize), m_swatch);
    colour.setAlphaF(0.7f);
    painter.setPen(colour);
    painter.drawText(note.adjusted(swatchRoom, 0, 0, 0), Qt::AlignRight | Qt::AlignVCenter,
                     metrics.elidedText(m_note, Qt::ElideLeft, noteWidth - swatchRoom));
}

} // namespace ui
