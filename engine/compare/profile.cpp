#include "engine/compare/profile.h"

#include "engine/error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace engine
{

namespace
{

// Bilinear; pixels are areas, so that the outer half of a border pixel has the pixel's value.
double valueAt(std::span<const float> image, int width, int height, double x, double y)
{
    if (!(x >= -0.5 && x <= width - 0.5 && y >= -0.5 && y <= height - 0.5))
        return std::numeric_limits<double>::quiet_NaN();
    x = std::clamp(x, 0.0, width - 1.0);
    y = std::clamp(y, 0.0, height - 1.0);
    const int column = std::min(static_cast<int>(x), std::max(width - 2, 0));
    const int row = std::min(static_cast<int>(y), std::max(height - 2, 0));
    const double fx = x - column, fy = y - row;
    double sum = 0;
    const auto add = [&](int r, int c, double weight) {
        if (weight != 0) // a NaN beside the line is not on it
            sum += weight * image[static_cast<std::size_t>(r) * width + c];
    };
    add(row, column, (1 - fx) * (1 - fy));
    add(row, column + 1, fx * (1 - fy));
    add(row + 1, column, (1 - fx) * fy);
    add(row + 1, column + 1, fx * fy);
    return sum;
}

} // namespace

Profile profileAlong(std::span<const float> image, int width, int height, const Line& line)
{
    if (width < 1 || height < 1 || image.size() != static_cast<std::size_t>(width) * height)
        throw Error(ErrorKind::badRequest, "profile of an image of " + std::to_string(width) + " × " +
                                               std::to_string(height) + " pixels that holds " +
                                               std::to_string(image.size()));
    const double length = std::hypot(line.x1 - line.x0, line.y1 - line.y0);
    if (!(length < 1e6))
        throw Error(ErrorKind::badRequest, "the ends of the profile line are not usable positions");
    const int count = std::max(2, static_cast<int>(std::lround(length)) + 1);
    Profile profile;
    for (int k = 0; k < count; ++k) {
        const double part = static_cast<double>(k) / (count - 1);
        profile.position.push_back(part * length);
        profile.value.push_back(
            valueAt(image, width, height, std::lerp(line.x0, line.x1, part), std::lerp(line.y0, line.y1, part)));
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
