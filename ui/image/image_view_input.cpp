// SPDX-License-Identifier: GPL-3.0-or-later
// The mouse, the keyboard and gestures of ImageView.
#include "ui/image/image_view.h"

#include <QApplication>
#include <QGestureEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QPinchGesture>

#include <cmath>
#include <utility>

namespace ui
{

namespace
{

constexpr double zoomPerKey = 1.25;
constexpr double wheelUnitsPerDoubling = 360; // three clicks of an ordinary wheel
constexpr double panPerKey = 0.1;             // share of the view
constexpr double closingReach = 10;           // device-independent pixels around a polygon's first point
constexpr double fineShare = 0.1;             // share of an axis drag that counts with Shift

} // namespace

Grip ImageView::gripUnder(const QPointF& viewportPosition) const
{
    if (!pixels() || m_tool.isChosen())
        return {};
    return gripAt(viewportPosition, m_overlay, viewportTransform(), m_placement.size());
}

// Ctrl without a tool draws a rectangle.
void ImageView::pressTool(const QPointF& viewportPosition)
{
    m_tool.press();
    if (m_tool.isDragged()) {
        m_drag = Drag::draw;
        return;
    }
    const std::vector<QPointF>& polygon = m_tool.polygon();
    if (polygon.size() > 2 && QLineF(viewportPosition, toViewport(polygon.front())).length() <= closingReach)
        m_tool.closePolygon();
    else
        m_tool.addPoint(onSlice(toSlice(viewportPosition), m_placement.size()));
}

void ImageView::dragMark(const QPointF& viewportPosition, bool constrained)
{
    const engine::Shape shape = dragged(m_shapeAtPress, m_grip.handle, toSlice(m_pressed), toSlice(viewportPosition),
                                        m_placement.size(), constrained);
    const engine::Mark* mark = m_overlay.marks.find(m_grip.id);
    if (mark && shape != mark->shape)
        emit shapeChanged(m_grip.id, shape);
}

void ImageView::drawTo(const QPointF& viewportPosition, bool constrained)
{
    const bool isStill = (viewportPosition - m_pressed).manhattanLength() < QApplication::startDragDistance();
    if (!isStill || m_tool.hasDrawn())
        m_tool.dragTo(toSlice(m_pressed), toSlice(viewportPosition), m_placement.size(), constrained, m_overlay.marks);
}

// Handles are small: they take precedence over the composition, and the composition over outlines.
void ImageView::showCursorFor(const QPointF& viewportPosition)
{
    Grip grip = gripUnder(viewportPosition);
    const std::optional<Qt::CursorShape> composed =
        composition() && !grip.isHandle() ? composition()->cursorAt(viewportPosition, stage()) : std::nullopt;
    if (composed)
        grip = {};
    if (std::exchange(m_grip, grip) != grip)
        viewport()->update();
    viewport()->setCursor(composed                      ? *composed
                          : m_tool.tool() == Tool::axis ? Qt::SizeHorCursor
                          : grip.id == 0                ? Qt::CrossCursor
                          : grip.isHandle()             ? Qt::PointingHandCursor
                                                        : Qt::SizeAllCursor);
}

void ImageView::wheelEvent(QWheelEvent* event)
{
    event->accept();
    const double turned = event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x();
    const double doublings = turned / wheelUnitsPerDoubling;
    if (turned == 0 || (composition() && composition()->wheel(event->position(), doublings, stage())))
        return;
    zoomBy(std::exp2(doublings), event->position());
}

void ImageView::mousePressEvent(QMouseEvent* event)
{
    event->accept();
    if (m_placement.isEmpty() || m_drag != Drag::none)
        return;
    m_pressed = m_previous = event->position();
    m_grip = gripUnder(m_pressed);
    const bool control = event->modifiers().testFlag(Qt::ControlModifier);
    if (event->button() == Qt::LeftButton && !control && m_tool.tool() == Tool::axis) {
        m_drag = Drag::axis;
    } else if (event->button() == Qt::LeftButton && (control || m_tool.isChosen())) {
        pressTool(m_pressed);
    } else if (event->button() == Qt::LeftButton && composition() && !m_grip.isHandle() &&
               composition()->press(m_pressed, stage())) {
        m_drag = Drag::composition;
    } else if (event->button() == Qt::LeftButton && m_grip.id != 0) {
        m_drag = Drag::mark;
        m_shapeAtPress = m_overlay.marks.find(m_grip.id)->shape;
        emit markChosen(m_grip.id);
    } else if (event->button() == Qt::LeftButton || event->button() == Qt::MiddleButton) {
        m_drag = Drag::pan;
        viewport()->setCursor(Qt::ClosedHandCursor);
    } else if (event->button() == Qt::RightButton) {
        m_drag = Drag::window;
    }
}

void ImageView::mouseMoveEvent(QMouseEvent* event)
{
    event->accept();
    const QPointF position = event->position();
    switch (m_drag) {
    case Drag::none:
        showCursorFor(position);
        break;
    case Drag::composition:
        if (composition())
            composition()->drag(position, stage());
        break;
    case Drag::pan:
        panBy(position - m_previous);
        break;
    case Drag::mark:
        dragMark(position, event->modifiers().testFlag(Qt::ShiftModifier));
        break;
    case Drag::axis:
        emit axisMoved((position.x() - m_previous.x()) *
                       (event->modifiers().testFlag(Qt::ShiftModifier) ? fineShare : 1));
        break;
    case Drag::window: {
        const QPointF moved = position - m_previous;
        emit windowDragged({moved.x() / viewport()->width(), moved.y() / viewport()->height()});
        break;
    }
    case Drag::draw:
        drawTo(position, event->modifiers().testFlag(Qt::ShiftModifier));
        break;
    }
    m_previous = position;
    if (!m_tool.polygon().empty())
        viewport()->update();
    emit pointerAt(toSlice(position));
}

void ImageView::mouseReleaseEvent(QMouseEvent* event)
{
    event->accept();
    if (m_drag == Drag::draw) {
        if (!m_tool.hasDrawn() && !m_tool.isChosen()) // a click with Ctrl
            emit areaReset();
        m_tool.release();
    }
    if (m_drag == Drag::composition && composition())
        composition()->release();
    const bool stayed = (event->position() - m_pressed).manhattanLength() < QApplication::startDragDistance();
    if (m_drag == Drag::pan && event->button() == Qt::LeftButton && stayed)
        emit clicked(toSlice(m_pressed));
    if (m_drag == Drag::window && stayed)
        emit menuRequested(event->globalPosition().toPoint());
    if (m_drag == Drag::axis)
        emit axisReleased();
    m_drag = Drag::none;
    showCursorFor(event->position());
}

void ImageView::mouseDoubleClickEvent(QMouseEvent* event)
{
    event->accept();
    if (event->button() == Qt::LeftButton && m_tool.tool() == Tool::polygon)
        m_tool.closePolygon();
    else if (event->button() == Qt::LeftButton)
        emit fitRequested();
}

void ImageView::keyPressEvent(QKeyEvent* event)
{
    if (m_tool.isChosen() && m_tool.key(event->key())) {
        event->accept();
        return;
    }
    if (composition() && composition()->keyPress(*event, stage())) {
        event->accept();
        return;
    }
    if (viewKey(event->key()))
        event->accept();
    else
        QWidget::keyPressEvent(event); // not QGraphicsView, whose scroll bars take keys
}

bool ImageView::viewKey(int key)
{
    const QPointF step(viewport()->width() * panPerKey, viewport()->height() * panPerKey);
    switch (key) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomBy(zoomPerKey);
        return true;
    case Qt::Key_Minus:
        zoomBy(1 / zoomPerKey);
        return true;
    case Qt::Key_Left:
        panBy(QPointF(step.x(), 0));
        return true;
    case Qt::Key_Right:
        panBy(QPointF(-step.x(), 0));
        return true;
    case Qt::Key_Up:
        panBy(QPointF(0, step.y()));
        return true;
    case Qt::Key_Down:
        panBy(QPointF(0, -step.y()));
        return true;
    case Qt::Key_Home:
        emit fitRequested();
        return true;
    default:
        return false;
    }
}

void ImageView::keyReleaseEvent(QKeyEvent* event)
{
    if (composition() && composition()->keyRelease(*event))
        event->accept();
    else
        QGraphicsView::keyReleaseEvent(event);
}

void ImageView::focusInEvent(QFocusEvent* event)
{
    m_focusShown = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    QGraphicsView::focusInEvent(event);
    viewport()->update();
}

void ImageView::focusOutEvent(QFocusEvent* event)
{
    m_focusShown = false;
    QGraphicsView::focusOutEvent(event);
    viewport()->update();
}

bool ImageView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::Leave) {
        if (m_drag == Drag::none && std::exchange(m_grip, Grip{}) != Grip{})
            viewport()->update();
        emit pointerLeft();
    } else if (event->type() == QEvent::NativeGesture) {
        const auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) {
            zoomBy(1 + gesture->value(), gesture->position());
            return true;
        }
    } else if (event->type() == QEvent::Gesture) {
        auto* gestures = static_cast<QGestureEvent*>(event);
        if (auto* pinch = static_cast<QPinchGesture*>(gestures->gesture(Qt::PinchGesture))) {
            m_drag = Drag::none;
            zoomBy(pinch->scaleFactor(), viewport()->mapFromGlobal(pinch->centerPoint().toPoint()));
            gestures->accept();
            return true;
        }
    }
    return QGraphicsView::viewportEvent(event);
}

} // namespace ui
