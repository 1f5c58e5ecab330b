// SPDX-License-Identifier: GPL-3.0-or-later
// A part of a slice: a rectangle, an ellipse, a polygon or a disc around the middle.
#pragma once

#include "engine/request/setting.h"

#include <string>
#include <variant>
#include <vector>

namespace engine
{

// In pixel coordinates: the centre of the top left pixel is (0, 0), x grows to the right, y downwards.
struct Point {
    double x = 0, y = 0;
    bool operator==(const Point&) const = default;
};

Point pointFromText(const std::string& text, const std::string& what); // "X,Y"; throws Error(badRequest)

// Axes along rows and columns. A pixel counts when its centre is inside or on the rim.
struct EllipseArea {
    double x = 0, y = 0;             // centre
    double radiusX = 0, radiusY = 0; // half axes, above 0
    bool operator==(const EllipseArea&) const = default;
};

// Straight lines from point to point and back to the first; even-odd where they cross. A pixel counts when its centre
// is inside, and on a left or upper side, not on a right or lower one: polygons that share a side share no pixel,
// and the one through the corners (x, y), (x + w, y), (x + w, y + h), (x, y + h) is the rectangle x,y,w,h.
struct PolygonArea {
    std::vector<Point> points; // 3…10000
    static constexpr int mostPoints = 10000;
    bool operator==(const PolygonArea&) const = default;
};

// Around the middle of the image.
struct DiscArea {
    double radius = 1; // (0, 1]: fraction of the half width; 1 touches the nearer edges
    bool operator==(const DiscArea&) const = default;
};

// A Region is a rectangle of whole pixels. Coordinates are up to ±10⁶.
using Area = std::variant<Region, EllipseArea, PolygonArea, DiscArea>;

// Throws Error(badRequest) that says which number is out of range.
void validate(const Area& area);

// Whether it would have pixels beyond an image of that size, which no figure of that image counts.
bool reachesBeyond(const Area& area, int width, int height);

// The pixels of a grid (a region, a coarse preview) whose centres the area of the whole slice has.
Area areaOn(const Area& area, const SliceGrid& grid);

// "rectangle X,Y,W,H", "ellipse X,Y,RX,RY", "polygon X,Y X,Y X,Y", "disc R"; the same area comes back.
std::string toText(const Area& area);
Area areaFromText(const std::string& text); // throws Error(badRequest) that lists the forms
std::string areaForms();                    // "rectangle X,Y,W,H; ellipse …", for help and messages

} // namespace engine
