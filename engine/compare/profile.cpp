// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/profile.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

namespace engine
{

namespace
{

// Returns whether the point is in the image. Pixels are areas: the outer half of a border pixel belongs to the image.
bool isInImage(int width, int height, double x, double y)
{
    return x >= -0.5 && x <= width - 0.5 && y >= -0.5 && y <= height - 0.5;
}

// Interpolates bilinearly; the outer half of a border pixel has the pixel's value.
double valueAt(std::span<const float> image, int width, int height, double x, double y)
{
    if (!isInImage(width, height, x, y))
        return std::numeric_limits<double>::quiet_NaN();
    x = std::clamp(x, 0.0, width - 1.0);
    y = std::clamp(y, 0.0, height - 1.0);
    const int column = std::min(static_cast<int>(x), std::max(width - 2, 0));
    const int row = std::min(static_cast<int>(y), std::max(height - 2, 0));
    const double fx = x - column, fy = y - row;
    double sum = 0;
    const auto add = [&](int r, int c, double weight) {
        if (weight != 0) // a NaN in a pixel of weight 0 has no effect
            sum += weight * image[static_cast<std::size_t>(r) * width + c];
    };
    add(row, column, (1 - fx) * (1 - fy));
    add(row, column + 1, fx * (1 - fy));
    add(row + 1, column, (1 - fx) * fy);
    add(row + 1, column + 1, fx * fy);
    return sum;
}

void requireImage(std::span<const float> image, int width, int height)
{
    require(width > 0 && height > 0 && image.size() == static_cast<std::size_t>(width) * height,
            "profile of an image of " + std::to_string(width) + " × " + std::to_string(height) + " pixels that holds " +
                std::to_string(image.size()));
}

void requireLines(int lines)
{
    require(lines >= 1 && lines <= 1000, "a profile over " + std::to_string(lines) + " lines; give 1 to 1000");
}

// Mean of values inside the image; NaN if there are none.
struct MeanInImage {
    std::span<const float> image;
    int width, height;
    double sum = 0;
    int inside = 0;

    void add(double x, double y)
    {
        if (!isInImage(width, height, x, y))
            return;
        sum += valueAt(image, width, height, x, y);
        ++inside;
    }
    double value() const { return sum / inside; } // 0/0 is NaN
};

} // namespace

Profile profileAlong(std::span<const float> image, int width, int height, const Line& line, int lines)
{
    requireImage(image, width, height);
    const double length = std::hypot(line.x1 - line.x0, line.y1 - line.y0);
    require(length < 1e6, "the ends of the profile line are not usable positions");
    requireLines(lines);
    const double acrossX = length > 0 ? (line.y0 - line.y1) / length : 0;
    const double acrossY = length > 0 ? (line.x1 - line.x0) / length : 1;
    const int count = std::max(2, static_cast<int>(std::lround(length)) + 1);
    Profile profile;
    for (int k = 0; k < count; ++k) {
        const double part = static_cast<double>(k) / (count - 1);
        const double x = std::lerp(line.x0, line.x1, part), y = std::lerp(line.y0, line.y1, part);
        MeanInImage mean{image, width, height};
        for (int i = 0; i < lines; ++i) {
            const double away = i - (lines - 1) / 2.0;
            mean.add(x + away * acrossX, y + away * acrossY);
        }
        profile.position.push_back(part * length);
        profile.value.push_back(mean.value());
    }
    return profile;
}

Profile profileAround(std::span<const float> image, int width, int height, const Circle& circle, int lines)
{
    requireImage(image, width, height);
    requireLines(lines);
    require(circle.radius > 0 && circle.radius <= 1e5 && std::isfinite(circle.x) && std::isfinite(circle.y),
            "a profile around a circle of radius " + numberToText(circle.radius) +
                " pixels; give one above 0 and up to 100000, and a finite centre");
    const double length = 2 * std::numbers::pi * circle.radius;
    const int count = std::max(8, static_cast<int>(std::lround(length)));
    Profile profile;
    for (int k = 0; k < count; ++k) {
        const double angleRad = 2 * std::numbers::pi * k / count;
        profile.position.push_back(length * k / count);
        MeanInImage mean{image, width, height};
        for (int i = 0; i < lines; ++i) {
            const double radius = circle.radius + i - (lines - 1) / 2.0;
            if (radius > 0)
                mean.add(circle.x + radius * std::cos(angleRad), circle.y + radius * std::sin(angleRad));
        }
        profile.value.push_back(mean.value());
    }
    return profile;
}

Values difference(std::span<const float> a, std::span<const float> b)
{
    if (a.size() != b.size())
        throw Error(ErrorKind::badRequest, "images of " + std::to_string(a.size()) + " and " +
                                               std::to_string(b.size()) + " pixels can't be subtracted");
    Values result(a.size());
    std::transform(a.begin(), a.end(), b.begin(), result.begin(), [](float x, float y) { return x - y; });
    return result;
}

} // namespace engine
