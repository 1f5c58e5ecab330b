// SPDX-License-Identifier: GPL-3.0-or-later
// Overlay of all images: lines and areas, and a marker at the pointer or at the cursor of the profile.
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

// Line that results from another image: the ray to a place of a projection, or the sinusoid of a point.
struct Guide {
    // place: the guide belongs to a place that is pointed at. selection: it shows which row or projection another image
    // shows.
    enum class Kind { place, selection };
    std::vector<QPolygonF> parts; // a part of one point is drawn as a dot
    Kind kind = Kind::place;
    bool operator==(const Guide&) const = default;
};

// Positions are in pixels of the whole slice.
struct Overlay {
    engine::Marks marks;
    bool visible = true; // whether lines and areas are shown
    std::optional<QPointF> marker = {};
    std::vector<Guide> guides = {};
};

// A mark under the mouse, or one of its handles.
struct Grip {
    int id = 0;      // 0: none
    int handle = -1; // of a chosen mark; -1: the whole mark
    bool isHandle() const { return id != 0 && handle >= 0; }
    bool operator==(const Grip&) const = default;
};

// Returns the mark at a point of the screen. Handles take precedence over outlines, chosen marks over others. size:
// of the slice, in pixels.
Grip gripAt(const QPointF& point, const Overlay& overlay, const QTransform& toScreen, int size);

// Draw with pens that are visible on dark and on bright images.
void drawMarks(QPainter& painter, const Overlay& overlay, const QTransform& toScreen, int size, const Grip& emphasised);
void drawDraft(QPainter& painter, const QPolygonF& points); // an unfinished polygon, in screen coordinates
void drawGuides(QPainter& painter, const std::vector<Guide>& guides, const QTransform& toScreen);
void drawMarker(QPainter& painter, const QPointF& position);

} // namespace ui
