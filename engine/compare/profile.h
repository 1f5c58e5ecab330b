// SPDX-License-Identifier: GPL-3.0-or-later
// Profiles along lines and circles, and difference images.
#pragma once

#include "engine/base/uninitialized.h"

#include <span>
#include <vector>

namespace engine
{

// A line in pixel coordinates: the centre of the top left pixel is (0, 0).
struct Line {
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    bool operator==(const Line&) const = default;
};

struct Circle {
    double x = 0, y = 0, radius = 0;
    bool operator==(const Circle&) const = default;
};

struct Profile {
    std::vector<double> position; // pixels from the line's beginning
    std::vector<double> value;    // bilinear; NaN outside the image
};

// Returns one sample per pixel of length (at least two), both ends included. With several lines, each sample is the
// mean over that many parallel lines, which are one pixel apart and centred on the given line: it is one of them if
// their number is odd, and lies between two of them if it is even. The mean leaves out samples outside the image, but
// not NaN values in the image. Throws Error(badRequest) when the size differs, the ends are more than 10⁶ pixels apart,
// or the number of lines is not 1…1000.
Profile profileAlong(std::span<const float> image, int width, int height, const Line& line, int lines = 1);

// Returns about one sample per pixel of the circumference (at least 8, evenly distributed), from the right-most point
// downwards (clockwise on screen); the first point is not repeated at the end. Positions are lengths of arc. With
// several lines, each sample is the mean over that many concentric circles, whose radii are one pixel apart and centred
// on the given radius; circles without a positive radius are left out. Throws Error(badRequest) when the size differs,
// the radius is not above 0 and up to 10⁵ pixels, or the number of lines is not 1…1000.
Profile profileAround(std::span<const float> image, int width, int height, const Circle& circle, int lines = 1);

// Returns a − b, pixel by pixel. Throws Error(badRequest) when the sizes differ.
Values difference(std::span<const float> a, std::span<const float> b);

} // namespace engine
