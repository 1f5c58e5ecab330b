// SPDX-License-Identifier: GPL-3.0-or-later
// What is drawn on a slice: lines and circles to see values along, areas to count in. Plain values, so that a step back
// is the value before.
#pragma once

#include "engine/compare/mask.h"
#include "engine/compare/profile.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace engine
{

// In pixels of the whole slice.
using Shape = std::variant<Line, Circle, Area>;

bool isArea(const Shape& shape);   // to count in; others are to see values along
void validate(const Shape& shape); // throws Error(badRequest) that says which number is out of range
// "line X,Y X,Y", "ring X,Y,R", and areas as they are; the same shape comes back.
std::string toText(const Shape& shape);
Shape shapeFromText(const std::string& text); // throws Error(badRequest) that lists the forms
std::string shapeName(const Shape& shape);    // the form's first word

struct Mark {
    int id = 0;            // its own among the marks
    std::string name = {}; // "line 1", or the user's, UTF-8
    Shape shape = {};
    int width = 1;       // of lines and circles: pixels that are averaged across, 1…1000
    bool visible = true; // drawn; lines: with their curves
    bool operator==(const Mark&) const = default;
};

// One line and one area are chosen as long as there are any: the line whose values are shown, and the area that figures
// count.
struct Marks {
    std::vector<Mark> marks;    // in the user's order
    int lineId = 0, areaId = 0; // 0: there is none
    bool operator==(const Marks&) const = default;

    static constexpr double discRadius = 0.9; // of the area that figures count at first
    static Marks standard();                  // that disc; lines depend on the slice's size

    const Mark* find(int id) const; // null when it isn't there
    Mark* find(int id);
    const Mark* line() const; // the chosen one; null: there is none
    const Mark* area() const;
    std::vector<const Mark*> lines() const;
    std::vector<const Mark*> areas() const;

    Mark& add(const Shape& shape, const std::string& name = {}); // chosen; a free name where none is given
    void choose(int id);
    void remove(int id);          // unless it is the last area; then another of its kind is chosen
    bool canRemove(int id) const; // it is there, and not the last area
    Mask mask() const;            // the chosen area's
};

// Of the area alone.
Mask maskOf(const Area& area);

// Values of an image on its grid (a region, a coarse preview) along a line or circle of the whole slice; positions in
// pixels of the whole slice. Throws Error(badRequest): an area has none.
Profile profileOf(std::span<const float> image, const SliceGrid& grid, const Shape& shape, int width);
// Where on the slice a position along it lies, pixels.
Point pointAlong(const Shape& shape, double position);
double positionAlong(const Shape& shape, const Point& point); // of the place on it that is nearest
double lengthOf(const Shape& shape);                          // pixels

} // namespace engine
