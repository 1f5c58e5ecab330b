// SPDX-License-Identifier: GPL-3.0-or-later
// Values along a line or a circle, and difference images.
#pragma once

#include "engine/base/uninitialized.h"

#include <span>
#include <vector>

namespace engine
{

// In pixel coordinates: the centre of the top left pixel is (0, 0).
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

// One sample a pixel of length (at least two), both ends included. With several lines, the mean over as many parallel
// ones, a pixel apart with the given one in their middle: an odd number holds it, an even one has it between two. What
// is outside the image is left out of the mean; a NaN in the image is not. Throws Error(badRequest) when the size
// differs, the ends are not within 10⁶ pixels of each other, or lines are not 1…1000.
Profile profileAlong(std::span<const float> image, int width, int height, const Line& line, int lines = 1);

// One sample a pixel of the circumference, nearly (at least 8, evenly spread), from the right-most point downwards
// (clockwise as the image is shown); the first is not repeated at the end. Positions are lengths of arc. With several
// lines, the mean over as many circles around the same point, a pixel apart with the given one in their middle; those
// of no radius are left out. Throws Error(badRequest) when the size differs, the radius is not above 0 and up to 10⁵
// pixels, or lines are not 1…1000.
Profile profileAround(std::span<const float> image, int width, int height, const Circle& circle, int lines = 1);

// a − b, pixel by pixel. Throws Error(badRequest) when the sizes differ.
Values difference(std::span<const float> a, std::span<const float> b);

} // namespace engine
