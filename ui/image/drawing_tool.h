// SPDX-License-Identifier: GPL-3.0-or-later
// The tool that is chosen for the views, and what it draws: lines and areas by a drag, polygons corner by corner.
#pragma once

#include "ui/image/shapes.h"

#include <QObject>

#include <vector>

namespace ui
{

// Positions are pixels of the slice, `size` of them along each of its sides.
class DrawingTool : public QObject
{
    Q_OBJECT
  public:
    Tool tool() const { return m_tool; }
    bool isChosen() const { return m_tool != Tool::none; }
    bool choose(Tool tool);                                           // false: it is the one already
    QString text() const;                                             // what one does with it
    const std::vector<QPointF>& polygon() const { return m_polygon; } // its points so far

    void press(); // of the mouse, before a drag or a point. Without a tool, a rectangle is drawn
    bool isDragged() const { return m_drawing != Tool::polygon; } // draws by a drag, since that press
    void dragTo(const QPointF& from, const QPointF& position, int size, bool constrained, const engine::Marks& marks);
    bool hasDrawn() const { return m_drawnId != 0; } // since that press
    void release();
    void addPoint(const QPointF& position); // to the polygon
    void closePolygon();
    bool key(int key); // whether it means something

  signals:
    void shapeDrawn(const engine::Shape& shape); // a new one, as soon as it has an extent; is then chosen in the marks
    void shapeChanged(int id, const engine::Shape& shape);
    void ended();
    void changed(); // is to be painted again

  private:
    void end();

    Tool m_tool = Tool::none;    // chosen
    Tool m_drawing = Tool::none; // of the drag under way
    int m_drawnId = 0;           // of what it drew; 0: nothing yet
    std::vector<QPointF> m_polygon;
};

} // namespace ui
