// SPDX-License-Identifier: GPL-3.0-or-later
// Marks on a slice: lines and circles for profiles, areas for statistics. They are plain values, so that undo
// restores the previous value.
#pragma once

#include "engine/compare/mask.h"
#include "engine/compare/profile.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace engine
{

// Shape of a mark, in pixels of the whole slice.
using Shape = std::variant<Line, Circle, Area>;

bool isArea(const Shape& shape);   // for statistics; other shapes are for profiles
void validate(const Shape& shape); // throws Error(badRequest) that tells which number is out of range
// Returns "line X,Y X,Y", "ring X,Y,R", or the text of an area; shapeFromText() converts it back.
std::string toText(const Shape& shape);
Shape shapeFromText(const std::string& text); // throws Error(badRequest) that lists the forms
std::string shapeName(const Shape& shape);    // first word of the form

struct Mark {
    int id = 0;            // unique among the marks
    std::string name = {}; // "line 1", or the user's name, UTF-8
    Shape shape = {};
    int width = 1;       // of lines and circles: number of lines to average over, 1…1000
    bool visible = true; // drawn; lines: also their curves
    bool operator==(const Mark&) const = default;
};

// List of marks. If it has lines, one of them is chosen: its values are shown. If it has areas, one is chosen:
// figures refer to it.
struct Marks {
    std::vector<Mark> marks;    // in the user's order
    int lineId = 0, areaId = 0; // the chosen ones; 0: none
    bool operator==(const Marks&) const = default;

    static constexpr double discRadius = 0.9; // of the initial area
    static Marks standard(); // the initial marks: that disc, hidden; no lines, as these depend on the slice's size

    const Mark* find(int id) const; // null if there is none
    Mark* find(int id);
    const Mark* line() const; // the chosen one; null: there is none
    const Mark* area() const;
    std::vector<const Mark*> lines() const;
    std::vector<const Mark*> areas() const;

    Mark& add(const Shape& shape, const std::string& name = {}); // chooses the new mark; empty: a free name
    void choose(int id);
    void remove(int id);          // except the last area; chooses another mark of the kind
    bool canRemove(int id) const; // the mark exists, and is not the last area
    Mask mask() const;            // of the chosen area
};

// Returns the mask of a single area.
Mask maskOf(const Area& area);

// Returns the values along a line or circle of the whole slice, for an image on its grid (a region, a coarse
// preview). Positions are in pixels of the whole slice. Throws Error(badRequest) for areas, which have no profile.
Profile profileOf(std::span<const float> image, const SliceGrid& grid, const Shape& shape, int width);
// Returns the point at a position along the shape, in pixels of the slice.
Point pointAlong(const Shape& shape, double position);
double positionAlong(const Shape& shape, const Point& point); // of the nearest point on the shape
double lengthOf(const Shape& shape);                          // pixels

} // namespace engine
