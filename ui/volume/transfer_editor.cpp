// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/transfer_editor.h"

#include "ui/image/histogram_bar.h"
#include "ui/widgets/curve_colours.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui
{

namespace
{

constexpr double edge = 6, stripHeight = 6; // pixels; edge: room for points at the ends
constexpr double pointReach = 9;
constexpr double keyStep = 0.01, fineKeyStep = 0.001; // of the range, and of the opacity

const QList<int>& editorKeys()
{
    static const QList<int> keys = {Qt::Key_Left, Qt::Key_Right,  Qt::Key_Up,     Qt::Key_Down,     Qt::Key_Home,
                                    Qt::Key_End,  Qt::Key_Insert, Qt::Key_Delete, Qt::Key_Backspace};
    return keys;
}

} // namespace

TransferEditor::TransferEditor(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setObjectName(QStringLiteral("transferEditor"));
    setAccessibleName(tr("Opacity over the values of the stack"));
    setToolTip(tr("Drag a point to change the opacity of its value. A click elsewhere adds a point, a double click "
                  "removes one. Keys: arrows move the chosen point, with Shift in fine steps; Home and End choose the "
                  "previous and the next one; Insert adds one, Delete removes it."));
}

void TransferEditor::setRange(const StackValues& range)
{
    m_range = range;
    update();
}

void TransferEditor::setColours(const ColourTable& colours)
{
    m_colours = colours;
    update();
}

void TransferEditor::setCurve(const OpacityCurve& curve)
{
    m_curve = curve;
    m_chosen = m_chosen < curve.size() ? m_chosen : 0;
    update();
}

void TransferEditor::setIsosurface(std::optional<double> value)
{
    m_isosurface = value;
    update();
}

QSize TransferEditor::sizeHint() const
{
    return {200, 104};
}

QSize TransferEditor::minimumSizeHint() const
{
    return {120, 80};
}

QRectF TransferEditor::area() const
{
    return QRectF(rect()).adjusted(edge, edge, -edge, -edge - stripHeight);
}

QPointF TransferEditor::positionOf(const OpacityPoint& point) const
{
    const QRectF in = area();
    const double part = (point.value - m_range.least) / (m_range.most - m_range.least);
    return {in.left() + std::clamp(part, 0.0, 1.0) * in.width(), in.bottom() - point.opacity * in.height()};
}

OpacityPoint TransferEditor::pointAt(const QPointF& position) const
{
    const QRectF in = area();
    const double part = std::clamp((position.x() - in.left()) / in.width(), 0.0, 1.0);
    return {m_range.least + part * (m_range.most - m_range.least),
            std::clamp((in.bottom() - position.y()) / in.height(), 0.0, 1.0)};
}

std::optional<std::size_t> TransferEditor::pointNear(const QPointF& position) const
{
    std::optional<std::size_t> nearest;
    double least = pointReach;
    for (std::size_t k = 0; k < m_curve.size(); ++k)
        if (const double distance = QLineF(position, positionOf(m_curve[k])).length(); distance < least) {
            nearest = k;
            least = distance;
        }
    return nearest;
}

void TransferEditor::choose(std::size_t point)
{
    m_chosen = std::min(point, m_curve.size() - 1);
    update();
    emit pointChosen();
}

void TransferEditor::edit(const OpacityCurve& curve, std::size_t chosen)
{
    const bool hasChanged = curve != m_curve;
    m_curve = curve;
    choose(chosen);
    if (hasChanged)
        emit curveEdited();
}

void TransferEditor::moveIsosurface(double value)
{
    m_isosurface = std::clamp(value, m_range.least, m_range.most);
    update();
    emit isosurfaceEdited();
}

void TransferEditor::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_isDragged = true;
    emit dragged(true);
    const OpacityPoint at = pointAt(event->position());
    if (m_isosurface)
        return moveIsosurface(at.value);
    if (const std::optional<std::size_t> near = pointNear(event->position()))
        return choose(*near);
    const OpacityCurve more = withPointAdded(m_curve, at);
    edit(more, static_cast<std::size_t>(std::ranges::upper_bound(more, at.value, {}, &OpacityPoint::value) -
                                        more.begin() - 1));
}

void TransferEditor::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_isDragged)
        return;
    const OpacityPoint at = pointAt(event->position());
    if (m_isosurface)
        moveIsosurface(at.value);
    else
        edit(withPointMoved(m_curve, m_chosen, at), m_chosen);
}

void TransferEditor::mouseReleaseEvent(QMouseEvent*)
{
    if (std::exchange(m_isDragged, false))
        emit dragged(false);
}

// The first click of a double click beside the points has added one: it is removed again.
void TransferEditor::mouseDoubleClickEvent(QMouseEvent* event)
{
    const std::optional<std::size_t> near = pointNear(event->position());
    if (event->button() == Qt::LeftButton && near && !m_isosurface)
        edit(withPointRemoved(m_curve, *near), *near > 0 ? *near - 1 : 0);
}

bool TransferEditor::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* const key = static_cast<QKeyEvent*>(event);
        const bool isPlain = !(key->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
        if (isPlain && editorKeys().contains(key->key())) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

void TransferEditor::keyPressEvent(QKeyEvent* event)
{
    if (!editorKeys().contains(event->key()) || !handleKey(event->key(), event->modifiers()))
        QWidget::keyPressEvent(event);
}

bool TransferEditor::handleKey(int key, Qt::KeyboardModifiers modifiers)
{
    const double step = modifiers.testFlag(Qt::ShiftModifier) ? fineKeyStep : keyStep;
    const double right = (key == Qt::Key_Right  ? step
                          : key == Qt::Key_Left ? -step
                                                : 0) *
                         (m_range.most - m_range.least);
    const double up = 5 * (key == Qt::Key_Up ? step : key == Qt::Key_Down ? -step : 0);
    if (m_isosurface) {
        if (right != 0)
            moveIsosurface(*m_isosurface + right);
        return right != 0;
    }
    const OpacityPoint& point = m_curve[m_chosen];
    if (key == Qt::Key_Home)
        choose(m_chosen > 0 ? m_chosen - 1 : 0);
    else if (key == Qt::Key_End)
        choose(m_chosen + 1);
    else if (key == Qt::Key_Delete || key == Qt::Key_Backspace)
        edit(withPointRemoved(m_curve, m_chosen), m_chosen > 0 ? m_chosen - 1 : 0);
    else if (key == Qt::Key_Insert) {
        const std::size_t next = m_chosen + 1 < m_curve.size() ? m_chosen + 1 : m_chosen - 1;
        const double value = (point.value + m_curve[next].value) / 2;
        edit(withPointAdded(m_curve, {value, opacityAt(m_curve, value)}), std::max(next, m_chosen));
    } else
        edit(withPointMoved(m_curve, m_chosen, {point.value + right, point.opacity + up}), m_chosen);
    return true;
}

void TransferEditor::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF in = area();
    painter.fillRect(in, palette().color(QPalette::Base));
    const QColor text = palette().color(QPalette::WindowText);
    painter.fillPath(histogramPath(m_range.counts, in), blend(palette().color(QPalette::Base), text, 0.3));
    const double low = positionOf({m_range.low, 0}).x(), high = positionOf({m_range.high, 0}).x();
    const QRectF strip(in.left(), in.bottom() + 1, in.width(), stripHeight);
    painter.fillRect(QRectF(strip.left(), strip.top(), low - strip.left(), stripHeight), QColor(m_colours[0]));
    painter.drawImage(QRectF(low, strip.top(), high - low, stripHeight), colourStrip(m_colours));
    painter.fillRect(QRectF(high, strip.top(), strip.right() - high, stripHeight), QColor(m_colours[255]));
    if (m_isosurface)
        drawIsosurface(painter);
    else
        drawCurve(painter);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(palette().color(hasFocus() ? QPalette::Highlight : QPalette::Mid), hasFocus() ? 1.5 : 1));
    painter.drawRect(in);
}

void TransferEditor::drawCurve(QPainter& painter) const
{
    const QRectF in = area();
    const QColor accent = palette().color(QPalette::Highlight);
    QPolygonF line;
    line << QPointF(in.left(), positionOf(m_curve.front()).y());
    for (const OpacityPoint& point : m_curve)
        line << positionOf(point);
    line << QPointF(in.right(), positionOf(m_curve.back()).y());
    painter.setPen(QPen(accent, 1.5));
    painter.drawPolyline(line);
    for (std::size_t k = 0; k < m_curve.size(); ++k) {
        const bool isChosen = k == m_chosen;
        painter.setPen(QPen(isChosen ? palette().color(QPalette::WindowText) : accent, 1.5));
        painter.setBrush(isChosen ? accent : palette().color(QPalette::Base));
        painter.drawEllipse(positionOf(m_curve[k]), 4, 4);
    }
}

void TransferEditor::drawIsosurface(QPainter& painter) const
{
    const QRectF in = area();
    const double x = positionOf({*m_isosurface, 0}).x();
    painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
    painter.drawLine(QPointF(x, in.top()), QPointF(x, in.bottom()));
    painter.setBrush(palette().color(QPalette::Highlight));
    painter.drawEllipse(QPointF(x, in.center().y()), 4, 4);
}

} // namespace ui
