// SPDX-License-Identifier: GPL-3.0-or-later
// Areas of a slice: a rectangle, an ellipse, a polygon, or a disc around the middle.
#pragma once

#include "engine/request/setting.h"

#include <string>
#include <variant>
#include <vector>

namespace engine
{

// A point in pixel coordinates: the centre of the top left pixel is (0, 0), x grows to the right, y downwards.
struct Point {
    double x = 0, y = 0;
    bool operator==(const Point&) const = default;
};

Point pointFromText(const std::string& text, const std::string& what); // "X,Y"; throws Error(badRequest)

// An ellipse with axes along rows and columns. It contains the pixels whose centres are inside or on the rim.
struct EllipseArea {
    double x = 0, y = 0;             // centre
    double radiusX = 0, radiusY = 0; // half axes, above 0
    bool operator==(const EllipseArea&) const = default;
};

// A polygon: straight lines from point to point and back to the first; even-odd rule where they cross. It contains
// the pixels whose centres are inside or on a left or upper side, not those on a right or lower one. So polygons with
// a common side have no common pixel, and the polygon (x, y), (x + w, y), (x + w, y + h), (x, y + h) is the rectangle
// x,y,w,h.
struct PolygonArea {
    std::vector<Point> points; // 3…10000
    static constexpr int mostPoints = 10000;
    bool operator==(const PolygonArea&) const = default;
};

// A disc around the middle of the image.
struct DiscArea {
    double radius = 1; // (0, 1]: fraction of the half width; 1 touches the nearer edges
    bool operator==(const DiscArea&) const = default;
};

// An area of a slice. A Region is a rectangle of whole pixels. Coordinates are within ±10⁶.
using Area = std::variant<Region, EllipseArea, PolygonArea, DiscArea>;

// Throws Error(badRequest) that tells which number is out of range.
void validate(const Area& area);

// Returns whether the area has pixels outside an image of that size, which the image's figures can't include.
bool reachesBeyond(const Area& area, int width, int height);

// Returns the area on a grid (a region, a coarse preview): the pixels of the grid whose centres are in the given area
// of the whole slice.
Area areaOn(const Area& area, const SliceGrid& grid);

// Returns "rectangle X,Y,W,H", "ellipse X,Y,RX,RY", "polygon X,Y X,Y X,Y" or "disc R", which areaFromText() converts
// back.
std::string toText(const Area& area);
Area areaFromText(const std::string& text); // throws Error(badRequest) that lists the forms
std::string areaForms();                    // "rectangle X,Y,W,H; ellipse …", for help and messages

} // namespace engine
