#include "engine/scan/phantom_image.h"

#include "engine/error.h"
#include "engine/parallel_for.h"

#include <tbb/blocked_range.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

namespace engine
{

namespace
{

constexpr int samples = 8; // along each side of a pixel
// Sample j of a pixel lies (j − 3.5)/8 of a pixel from its centre.
constexpr double sampleOffset(int j)
{
    return (j - (samples - 1) / 2.0) / samples;
}

struct Interval {
    double from, to;
};

// Where the line at height y cuts the ellipse: with (u, v) the point turned into the ellipse's own
// axes, (u/a)² + (v/b)² ≤ 1 is quadratic in x.
std::optional<Interval> cut(const Ellipse& e, double y)
{
    const double c = std::cos(e.angleRad), s = std::sin(e.angleRad);
    const double dy = y - e.y;
    const double uSlope = c / e.a, uAtZero = dy * s / e.a;
    const double vSlope = -s / e.b, vAtZero = dy * c / e.b;
    const double square = uSlope * uSlope + vSlope * vSlope;
    const double half = uSlope * uAtZero + vSlope * vAtZero;
    const double root = half * half - square * (uAtZero * uAtZero + vAtZero * vAtZero - 1);
    if (!(root > 0))
        return std::nullopt;
    return Interval{e.x + (-half - std::sqrt(root)) / square, e.x + (-half + std::sqrt(root)) / square};
}

// Adds `density` for every sample at or right of `column` (of the whole slice, in pixels) as steps
// whose running sum along the row is the value of each pixel.
void addStep(double column, double density, const SliceGrid& grid, std::span<double> steps)
{
    const double firstTouched = std::ceil((column - sampleOffset(samples - 1) - grid.x0) / grid.step);
    int before = 0;
    for (int i = static_cast<int>(std::clamp(firstTouched, 0.0, static_cast<double>(grid.width)));
         i < grid.width && before < samples; ++i) {
        const double position = column - (grid.x0 + i * grid.step);
        int count = 0;
        for (int j = 0; j < samples; ++j)
            count += sampleOffset(j) >= position;
        steps[static_cast<std::size_t>(i)] += density * (count - before);
        before = count;
    }
}

void fillRow(const std::vector<Ellipse>& ellipses, double unitsPerPixel, double scale, const SliceGrid& grid, int row,
             std::span<double> steps, std::span<float> pixels)
{
    std::fill(steps.begin(), steps.end(), 0.0);
    const double middle = (grid.size - 1) / 2.0;
    for (int j = 0; j < samples; ++j) {
        const double y = (grid.y(row) + sampleOffset(j)) * unitsPerPixel;
        for (const Ellipse& e : ellipses) {
            if (std::abs(y - e.y) > std::max(e.a, e.b))
                continue;
            if (const auto inside = cut(e, y)) {
                addStep(inside->from / unitsPerPixel + middle, e.density, grid, steps);
                addStep(inside->to / unitsPerPixel + middle, -e.density, grid, steps);
            }
        }
    }
    double sum = 0;
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        sum += steps[i];
        pixels[i] = static_cast<float>(sum * scale / (samples * samples));
    }
}

} // namespace

Volume areaAveraged(const std::vector<Ellipse>& ellipses, double unitsPerPixel, double scale, const SliceGrid& grid)
{
    if (grid.width < 1 || grid.height < 1 || !(grid.step > 0))
        throw Error(ErrorKind::badRequest, "An exact image of " + std::to_string(grid.width) + " × " +
                                               std::to_string(grid.height) + " pixels with step " +
                                               std::to_string(grid.step) + " was asked for: all must be above 0.");
    Volume image(1, grid.height, grid.width);
    parallelFor(tbb::blocked_range<int>(0, grid.height, 16), [&](const tbb::blocked_range<int>& rows) {
        std::vector<double> steps(static_cast<std::size_t>(grid.width));
        for (int row = rows.begin(); row < rows.end(); ++row)
            fillRow(ellipses, unitsPerPixel, scale, grid, row, steps,
                    image.slice(0).subspan(static_cast<std::size_t>(row) * grid.width, steps.size()));
    });
    return image;
}

} // namespace engine
