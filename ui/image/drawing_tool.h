// SPDX-License-Identifier: GPL-3.0-or-later
// The chosen drawing tool, and what it draws: lines and areas by a drag, polygons corner by corner.
#pragma once

#include "ui/image/shapes.h"

#include <QObject>

#include <vector>

namespace ui
{

// Drawing with a tool. Positions are in pixels of the slice, which has `size` × `size` of them.
class DrawingTool : public QObject
{
    Q_OBJECT
  public:
    Tool tool() const { return m_tool; }
    bool isChosen() const { return m_tool != Tool::none; }
    bool choose(Tool tool);                                           // returns false if it is chosen already
    QString text() const;                                             // instructions for the user
    const std::vector<QPointF>& polygon() const { return m_polygon; } // points of the unfinished polygon

    // Handles a mouse press that begins a drag or sets a point. Without a drawing tool, a rectangle is drawn.
    void press();
    bool isDragged() const { return m_drawing != Tool::polygon; } // the last press began a drag, not a point
    void dragTo(const QPointF& from, const QPointF& position, int size, bool constrained, const engine::Marks& marks);
    bool hasDrawn() const { return m_drawnId != 0; } // since the last press
    void release();
    void addPoint(const QPointF& position); // to the polygon
    void closePolygon();
    bool key(int key); // returns whether it handled the key

  signals:
    // A new shape, emitted as soon as it has an extent. The receiver adds it to the marks and chooses it.
    void shapeDrawn(const engine::Shape& shape);
    void shapeChanged(int id, const engine::Shape& shape);
    void ended();
    void changed(); // the unfinished polygon must be painted again

  private:
    void end();

    Tool m_tool = Tool::none;    // chosen
    Tool m_drawing = Tool::none; // of the current drag
    int m_drawnId = 0;           // mark that the current drag drew; 0: none yet
    std::vector<QPointF> m_polygon;
};

} // namespace ui
