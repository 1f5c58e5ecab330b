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
constexpr double panPerKey = 0.1;             // of the view

// The ends of the line are small: they come before what a composition has there, its middle after.
bool isEnd(LinePart part)
{
    return part == LinePart::begin || part == LinePart::end;
}

} // namespace

LinePart ImageView::linePartAt(const QPointF& viewportPosition) const
{
    if (!m_overlay.lineVisible || !pixels())
        return LinePart::none;
    const engine::Line& line = m_overlay.line;
    return partAt(viewportPosition, toViewport({line.x0, line.y0}), toViewport({line.x1, line.y1}));
}

void ImageView::showCursorFor(const QPointF& viewportPosition)
{
    LinePart part = linePartAt(viewportPosition);
    const std::optional<Qt::CursorShape> composed =
        m_composition && !isEnd(part) ? m_composition->cursorAt(viewportPosition, placeOfStage()) : std::nullopt;
    if (composed)
        part = LinePart::none;
    if (std::exchange(m_part, part) != part)
        viewport()->update();
    viewport()->setCursor(composed                   ? *composed
                          : part == LinePart::none   ? Qt::CrossCursor
                          : part == LinePart::middle ? Qt::SizeAllCursor
                                                     : Qt::PointingHandCursor);
}

void ImageView::wheelEvent(QWheelEvent* event)
{
    event->accept();
    const double turned = event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x();
    const double doublings = turned / wheelUnitsPerDoubling;
    if (turned == 0 || (m_composition && m_composition->wheel(event->position(), doublings, placeOfStage())))
        return;
    zoomBy(std::exp2(doublings), event->position());
}

void ImageView::mousePressEvent(QMouseEvent* event)
{
    event->accept();
    if (m_size <= 0 || m_drag != Drag::none)
        return;
    m_pressed = m_previous = event->position();
    m_part = linePartAt(m_pressed);
    const bool control = event->modifiers().testFlag(Qt::ControlModifier);
    if (event->button() == Qt::LeftButton && control) {
        m_drag = Drag::region;
    } else if (event->button() == Qt::LeftButton && m_composition && !isEnd(m_part) &&
               m_composition->press(m_pressed, placeOfStage())) {
        m_drag = Drag::composition;
    } else if (event->button() == Qt::LeftButton && m_part != LinePart::none) {
        m_drag = Drag::line;
        m_lineAtPress = m_overlay.line;
    } else if (event->button() == Qt::LeftButton || event->button() == Qt::MiddleButton) {
        m_drag = Drag::pan;
        viewport()->setCursor(Qt::ClosedHandCursor);
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
        if (m_composition)
            m_composition->drag(position, placeOfStage());
        break;
    case Drag::pan:
        panBy(position - m_previous);
        break;
    case Drag::line: {
        const engine::Line line = dragged(m_lineAtPress, m_part, toSlice(m_pressed), toSlice(position), m_size,
                                          event->modifiers().testFlag(Qt::ShiftModifier));
        if (line != m_overlay.line)
            emit lineDragged(line);
        break;
    }
    case Drag::region:
        if ((position - m_pressed).manhattanLength() >= QApplication::startDragDistance())
            emit regionDrawn(regionBetween(toSlice(m_pressed), toSlice(position), m_size));
        break;
    }
    m_previous = position;
    emit pointerAt(toSlice(position));
}

void ImageView::mouseReleaseEvent(QMouseEvent* event)
{
    event->accept();
    if (m_drag == Drag::region && (event->position() - m_pressed).manhattanLength() < QApplication::startDragDistance())
        emit regionDrawn(std::nullopt);
    if (m_drag == Drag::composition && m_composition)
        m_composition->release();
    m_drag = Drag::none;
    showCursorFor(event->position());
}

void ImageView::mouseDoubleClickEvent(QMouseEvent* event)
{
    event->accept();
    if (event->button() == Qt::LeftButton)
        emit fitRequested();
}

void ImageView::keyPressEvent(QKeyEvent* event)
{
    if (m_composition && m_composition->keyPress(*event, placeOfStage())) {
        event->accept();
        return;
    }
    const QPointF step(viewport()->width() * panPerKey, viewport()->height() * panPerKey);
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomBy(zoomPerKey);
        break;
    case Qt::Key_Minus:
        zoomBy(1 / zoomPerKey);
        break;
    case Qt::Key_Left:
        panBy(QPointF(step.x(), 0));
        break;
    case Qt::Key_Right:
        panBy(QPointF(-step.x(), 0));
        break;
    case Qt::Key_Up:
        panBy(QPointF(0, step.y()));
        break;
    case Qt::Key_Down:
        panBy(QPointF(0, -step.y()));
        break;
    case Qt::Key_Home:
        emit fitRequested();
        break;
    default:
        QWidget::keyPressEvent(event); // not the scroll bars' keys
        return;
    }
    event->accept();
}

void ImageView::keyReleaseEvent(QKeyEvent* event)
{
    if (m_composition && m_composition->keyRelease(*event))
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
        if (m_drag == Drag::none && std::exchange(m_part, LinePart::none) != LinePart::none)
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
