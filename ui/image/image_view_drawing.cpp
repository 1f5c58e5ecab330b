// Drawing lines and areas into ImageView.
#include "ui/image/image_view.h"

#include <QApplication>
#include <QMouseEvent>

#include <utility>

namespace ui
{

namespace
{

constexpr double closingReach = 10; // device-independent pixels around a polygon's first point

} // namespace

void ImageView::setTool(Tool tool)
{
    if (std::exchange(m_tool, tool) == tool)
        return;
    m_polygon.clear();
    if (m_drag == Drag::draw)
        m_drag = Drag::none;
    viewport()->setCursor(tool == Tool::axis ? Qt::SizeHorCursor : Qt::CrossCursor);
    viewport()->update();
}

Grip ImageView::gripUnder(const QPointF& viewportPosition) const
{
    if (!pixels() || m_tool != Tool::none)
        return {};
    return gripAt(viewportPosition, m_overlay, viewportTransform(), m_size);
}

// What one does with the tool that is chosen.
QString ImageView::toolText() const
{
    switch (m_tool) {
    case Tool::line:
        return tr("Drag a line · Esc ends");
    case Tool::ring:
        return tr("Drag a ring from its middle · Esc ends");
    case Tool::circle:
        return tr("Drag a circle from its middle · Esc ends");
    case Tool::rectangle:
        return tr("Drag a rectangle · Esc ends");
    case Tool::ellipse:
        return tr("Drag an ellipse · Esc ends");
    case Tool::polygon:
        return m_polygon.empty() ? tr("Click the corners · Esc ends") : tr("Enter or the first corner closes");
    case Tool::axis:
        return tr("Drag sideways to move the axis · Shift: finely · Esc ends");
    case Tool::none:
        break;
    }
    return {};
}

// Ctrl draws a rectangle without a tool.
void ImageView::pressTool(const QMouseEvent& event)
{
    m_drawing = m_tool == Tool::none || m_tool == Tool::axis ? Tool::rectangle : m_tool;
    m_drawnId = 0;
    if (m_drawing != Tool::polygon) {
        m_drag = Drag::draw;
        return;
    }
    const QPointF position = event.position();
    if (m_polygon.size() > 2 && QLineF(position, toViewport(m_polygon.front())).length() <= closingReach)
        return closePolygon();
    m_polygon.push_back(onSlice(toSlice(position), m_size));
    viewport()->update();
}

void ImageView::drawTo(const QPointF& viewportPosition, bool constrained)
{
    if ((viewportPosition - m_pressed).manhattanLength() < QApplication::startDragDistance() && m_drawnId == 0)
        return;
    const auto shape = drawn(m_drawing, toSlice(m_pressed), toSlice(viewportPosition), m_size, constrained);
    if (!shape)
        return;
    if (m_drawnId != 0) {
        emit shapeChanged(m_drawnId, *shape);
        return;
    }
    emit shapeDrawn(*shape);
    m_drawnId = engine::isArea(*shape) ? m_overlay.marks.areaId : m_overlay.marks.lineId; // as it was taken
}

void ImageView::closePolygon()
{
    // The second press of a double click has added its place again.
    if (m_polygon.size() > 1 && m_polygon.back() == m_polygon[m_polygon.size() - 2])
        m_polygon.pop_back();
    const auto shape = polygonOf(m_polygon);
    m_polygon.clear();
    if (shape)
        emit shapeDrawn(*shape);
    endDrawing();
}

void ImageView::endDrawing()
{
    if (m_tool != Tool::none)
        emit drawingEnded();
}

bool ImageView::toolKey(int key)
{
    if (key == Qt::Key_Escape) {
        endDrawing();
    } else if (m_polygon.empty()) {
        return false;
    } else if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        closePolygon();
    } else if (key == Qt::Key_Backspace) {
        m_polygon.pop_back();
        viewport()->update();
    } else {
        return false;
    }
    return true;
}

} // namespace ui
