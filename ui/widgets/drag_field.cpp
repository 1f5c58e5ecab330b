// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/drag_field.h"

#include "ui/widgets/focus_frame.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QWheelEvent>

namespace ui
{

namespace
{

constexpr double fineShare = 0.1;
constexpr int arrowRoom = 14, arrowHeight = 8;

QString numberText(double value, const DragScale& scale)
{
    return QString::number(value + 0.0, 'f', scale.decimals).replace(u'-', QChar(0x2212)) + scale.unit;
}

} // namespace

DragField::DragField(const DragScale& scale, QWidget* parent) : QWidget(parent), m_scale(scale)
{
    setCursor(Qt::SizeHorCursor);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void DragField::setValue(std::optional<double> value)
{
    m_value = value;
    setAccessibleDescription(text());
    update();
}

QString DragField::text() const
{
    return m_value ? numberText(*m_value, m_scale) : QStringLiteral("–");
}

QSize DragField::sizeHint() const
{
    return {fontMetrics().horizontalAdvance(numberText(8888.8, m_scale)) + 2 * arrowRoom, fontMetrics().height() + 8};
}

void DragField::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QPalette::ColorGroup group = isEnabled() ? QPalette::Active : QPalette::Disabled;
    painter.setPen(palette().color(group, QPalette::Mid));
    painter.setBrush(palette().color(group, isEnabled() ? QPalette::Base : QPalette::Window));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    const QColor colour = palette().color(group, QPalette::Text);
    painter.setPen(colour);
    painter.drawText(rect(), Qt::AlignCenter, text());
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.setOpacity(0.6);
    for (const int side : {-1, 1}) {
        const double tip = side < 0 ? 5 : width() - 5, foot = tip - side * arrowHeight / 2.0, middle = height() / 2.0;
        QPainterPath arrow({tip, middle});
        arrow.lineTo(foot, middle - arrowHeight / 2.0);
        arrow.lineTo(foot, middle + arrowHeight / 2.0);
        arrow.closeSubpath();
        painter.drawPath(arrow);
    }
    painter.setOpacity(1);
    drawFocusFrame(painter, *this, rect());
}

void DragField::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && m_value)
        m_previous = event->position().x();
}

void DragField::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_previous)
        return;
    const double share = event->modifiers().testFlag(Qt::ShiftModifier) ? fineShare : 1;
    emit moved((event->position().x() - *m_previous) * m_scale.perPixel * share);
    m_previous = event->position().x();
}

void DragField::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !m_previous)
        return;
    m_previous.reset();
    emit released();
}

// Like other fields, the wheel changes the value only if the field has the focus.
void DragField::wheelEvent(QWheelEvent* event)
{
    const int turned = event->angleDelta().y();
    if (!hasFocus() || turned == 0)
        return event->ignore();
    step(turned > 0 ? 1 : -1, event->modifiers());
}

void DragField::keyPressEvent(QKeyEvent* event)
{
    const int way = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (way == 0)
        return QWidget::keyPressEvent(event);
    step(way, event->modifiers());
}

void DragField::step(int way, Qt::KeyboardModifiers modifiers)
{
    if (!m_value)
        return;
    emit moved(way * m_scale.keyStep * (modifiers.testFlag(Qt::ControlModifier) ? fineShare : 1));
    emit released();
}

} // namespace ui
