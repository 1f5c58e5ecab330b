// SPDX-License-Identifier: GPL-3.0-or-later
// What lies over all images: lines and areas, the pointer's marker, the place that the profile's cursor is at.
#pragma once

#include "engine/compare/marks.h"

#include <QPointF>
#include <QPolygonF>
#include <QTransform>

#include <optional>
#include <vector>

class QPainter;

namespace ui
{

// A line of another image's making: the ray that a place of a projection saw, the sine of a point.
struct Guide {
    enum class Kind { place, selection }; // of a point, or of what other images show
    std::vector<QPolygonF> parts;         // those of one point are dots
    Kind kind = Kind::place;
    bool operator==(const Guide&) const = default;
};

// In pixels of the whole slice.
struct Overlay {
    engine::Marks marks;
    bool visible = true; // lines and areas are
    std::optional<QPointF> marker = {};
    std::vector<Guide> guides = {};
};

// A mark under the mouse, or a part of it.
struct Grip {
    int id = 0;      // 0: none
    int handle = -1; // of the chosen ones; -1: the whole
    bool isHandle() const { return id != 0 && handle >= 0; }
    bool operator==(const Grip&) const = default;
};

// What a point of the screen meets; handles win over outlines, the chosen ones over others. size: of the slice.
Grip gripAt(const QPointF& point, const Overlay& overlay, const QTransform& toScreen, int size);

// With pens that stand out on dark and on bright.
void drawMarks(QPainter& painter, const Overlay& overlay, const QTransform& toScreen, int size, const Grip& emphasised);
void drawDraft(QPainter& painter, const QPolygonF& points); // a polygon that isn't closed yet, on screen
void drawGuides(QPainter& painter, const std::vector<Guide>& guides, const QTransform& toScreen);
void drawMarker(QPainter& painter, const QPointF& position);

} // namespace ui
