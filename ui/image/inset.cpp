// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/inset.h"

#include "ui/widgets/focus_frame.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <array>

namespace ui
{

namespace
{

constexpr int smallest = 96, largest = 230; // pixels along each side of the image
constexpr int between = 8;                  // pixels from the edges of the large image
constexpr int renderAfterMs = 40;

} // namespace

std::span<const InsetRow> insetKinds()
{
    static constexpr std::array rows = {
        InsetRow{InsetKind::difference, "difference", QT_TRANSLATE_NOOP("ui::Inset", "Difference")},
        InsetRow{InsetKind::reference, "reference", QT_TRANSLATE_NOOP("ui::Inset", "Reference")},
        InsetRow{InsetKind::none, "none", QT_TRANSLATE_NOOP("ui::Inset", "None")}};
    return rows;
}

QString InsetRow::text() const
{
    return QCoreApplication::translate("ui::Inset", label);
}

Inset::Inset(QWidget* parent) : QAbstractButton(parent)
{
    setObjectName(QStringLiteral("inset"));
    setFocusPolicy(Qt::TabFocus); // a click leaves the focus on the image
    setCursor(Qt::PointingHandCursor);
    m_timer.setSingleShot(true);
    m_timer.setInterval(renderAfterMs);
    connect(&m_timer, &QTimer::timeout, this, &Inset::render);
}

void Inset::showImage(const ImageColumn& column, const QString& missing, const QRect& place)
{
    m_column = &column;
    m_missing = missing;
    // A third of the large image, but no more than the room beside a fitted slice if that is enough for a small one.
    const int third = std::min(place.width(), place.height()) / 3;
    const int beside = (place.width() - place.height()) / 2 - 2 * between;
    const int side = std::clamp(beside >= smallest ? std::min(third, beside) : third, smallest, largest);
    const int lines = column.view().caption().isEmpty() ? 0 : 1 + static_cast<int>(column.view().caption().count('\n'));
    const int below = lines > 0 ? lines * fontMetrics().lineSpacing() + 4 : 0;
    setGeometry(place.right() + 1 - between - side, place.top() + between, side, titleHeight() + side + below);
    const QString text = column.header().accessibleName();
    setAccessibleName(text);
    setToolTip(text + u'\n' + tr("Click: the other image (I)"));
    m_timer.start();
    raise();
}

int Inset::titleHeight() const
{
    return fontMetrics().height() + 4;
}

void Inset::render()
{
    m_image = {};
    if (m_column && m_column->isCurrent()) {
        const int side = static_cast<int>(width() * devicePixelRatioF());
        m_image = m_column->view().rendered().scaled(side, side, Qt::KeepAspectRatio, Qt::SmoothTransformation);
        m_image.setDevicePixelRatio(devicePixelRatioF());
    }
    update();
}

void Inset::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().window());
    const int title = titleHeight();
    const QRect text(4, 0, width() - 8, title);
    painter.setPen(palette().color(QPalette::WindowText));
    if (m_column) {
        QString title = m_column->header().accessibleName();
        if (fontMetrics().horizontalAdvance(title) > text.width())
            title = m_column->header().titleFor(text.width()); // without the range of its colours
        painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft,
                         fontMetrics().elidedText(title, Qt::ElideMiddle, text.width()));
    }
    const QRect picture(0, title, width(), width());
    if (m_column && m_column->isCurrent()) {
        int top = picture.bottom() + 1;
        for (QString line : m_column->view().caption().split(u'\n')) {
            if (fontMetrics().horizontalAdvance(line) > width() - 8 && line.section(u' ', -1).contains(u'/'))
                line = line.section(u' ', 0, -2); // without the unit
            if (fontMetrics().horizontalAdvance(line) > width() - 8 && line.contains(u' '))
                line = line.section(u' ', 1); // a number without its name, rather than a part of the number
            painter.drawText(QRect(4, top, width() - 8, fontMetrics().lineSpacing()), Qt::AlignLeft,
                             fontMetrics().elidedText(line, Qt::ElideMiddle, width() - 8));
            top += fontMetrics().lineSpacing();
        }
    }
    if (!m_image.isNull())
        painter.drawImage(picture.topLeft(), m_image);
    else
        painter.drawText(picture.adjusted(6, 6, -6, -6), Qt::AlignCenter | Qt::TextWordWrap, m_missing);
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
    drawFocusFrame(painter, *this, rect());
}

} // namespace ui
