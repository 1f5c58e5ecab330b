// SPDX-License-Identifier: GPL-3.0-or-later
// Geometry of lines and areas on a slice: their outlines, their handles, and the effect of dragging. All positions
// are in pixels of the slice.
#pragma once

#include "engine/compare/marks.h"

#include <QPainterPath>
#include <QPointF>

#include <optional>
#include <vector>

namespace ui
{

// Tools of the mouse. axis: draws nothing, but moves the rotation axis.
enum class Tool { none, line, ring, rectangle, ellipse, circle, polygon, axis };

QPointF toPoint(const engine::Point& point);
QPointF onSlice(const QPointF& position, int size); // the nearest half pixel on the slice
// Returns the outline. size: pixels along each side of the slice, on which a disc depends.
QPainterPath outlineOf(const engine::Shape& shape, int size);
// Returns the ends of a line, points on the rim of round shapes, or corners. A profile begins at the first one.
std::vector<QPointF> handlesOf(const engine::Shape& shape, int size);
bool isOnSlice(const engine::Shape& shape, int size); // whether its middle is

// Returns the shape after one of its handles, or all of it (-1), was dragged from `from` to `position`. Ends and
// corners move in steps of half a pixel, rectangles in whole pixels, and all stay on the slice. Constrained: the end
// of a line keeps to horizontal, vertical or 45° as seen from its other end; a whole shape moves along one axis only;
// a rectangle becomes a square, an ellipse a circle.
engine::Shape dragged(const engine::Shape& shape, int handle, const QPointF& from, const QPointF& position, int size,
                      bool constrained);
// Returns the shape that a drag with a tool draws; nothing while it has no extent, and for polygons. Constrained:
// lines as above, else squares and circles.
std::optional<engine::Shape> drawn(Tool tool, const QPointF& from, const QPointF& position, int size, bool constrained);
// Returns the pixels whose centres lie between two corners, clipped to the slice; nothing if there are none.
std::optional<engine::Region> regionBetween(const QPointF& corner, const QPointF& opposite, int size);
// Returns the polygon through these points; nothing for fewer than three.
std::optional<engine::Shape> polygonOf(const std::vector<QPointF>& points);

engine::Line defaultLine(int size); // top to bottom through the middle

} // namespace ui
