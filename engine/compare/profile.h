// Values along a line, and difference images.
#pragma once

#include "engine/uninitialized.h"

#include <span>
#include <vector>

namespace engine
{

// In pixel coordinates: the centre of the top left pixel is (0, 0).
struct Line {
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    bool operator==(const Line&) const = default;
};

struct Profile {
    std::vector<double> position; // pixels from the line's beginning
    std::vector<double> value;    // bilinear; NaN outside the image
};

// One sample a pixel of length (at least two), both ends included.
Profile profileAlong(std::span<const float> image, int width, int height, const Line& line);

// a − b, pixel by pixel. Throws Error(badRequest) when the sizes differ.
Values difference(std::span<const float> a, std::span<const float> b);

} // namespace engine
