// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/drawing_tool.h"

#include <utility>

namespace ui
{

bool DrawingTool::choose(Tool tool)
{
    if (std::exchange(m_tool, tool) == tool)
        return false;
    m_polygon.clear();
    return true;
}

QString DrawingTool::text() const
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

void DrawingTool::press()
{
    m_drawing = m_tool == Tool::none || m_tool == Tool::axis ? Tool::rectangle : m_tool;
    m_drawnId = 0;
}

void DrawingTool::dragTo(const QPointF& from, const QPointF& position, int size, bool constrained,
                         const engine::Marks& marks)
{
    const auto shape = drawn(m_drawing, from, position, size, constrained);
    if (!shape)
        return;
    if (m_drawnId != 0) {
        emit shapeChanged(m_drawnId, *shape);
        return;
    }
    emit shapeDrawn(*shape);
    m_drawnId = engine::isArea(*shape) ? marks.areaId : marks.lineId; // the shape was added and chosen
}

void DrawingTool::release()
{
    if (hasDrawn())
        end();
}

void DrawingTool::addPoint(const QPointF& position)
{
    m_polygon.push_back(position);
    emit changed();
}

void DrawingTool::closePolygon()
{
    // A double click has added its position twice.
    if (m_polygon.size() > 1 && m_polygon.back() == m_polygon[m_polygon.size() - 2])
        m_polygon.pop_back();
    const auto shape = polygonOf(m_polygon);
    m_polygon.clear();
    if (shape)
        emit shapeDrawn(*shape);
    end();
}

void DrawingTool::end()
{
    if (isChosen())
        emit ended();
}

bool DrawingTool::key(int key)
{
    if (key == Qt::Key_Escape) {
        end();
    } else if (m_polygon.empty()) {
        return false;
    } else if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        closePolygon();
    } else if (key == Qt::Key_Backspace) {
        m_polygon.pop_back();
        emit changed();
    } else {
        return false;
    }
    return true;
}

} // namespace ui
