// SPDX-License-Identifier: GPL-3.0-or-later
// The value of a pixel is the sum of the areas that the ellipses have in common with it, times their densities, in
// closed form. The rotation and stretching that turn an ellipse into the unit circle turn a pixel into a parallelogram.
// The area common to both is computed for pixels that the edge of the ellipse crosses; pixels inside are full.
#include "engine/simulate/phantom_image.h"

#include "engine/base/error.h"
#include "engine/base/parallel_for.h"

#include <tbb/blocked_range.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace engine
{

namespace
{

struct CirclePoint {
    double x, y;
};

double cross(const CirclePoint& p, const CirclePoint& q)
{
    return p.x * q.y - p.y * q.x;
}

// Returns the area of the sector of the unit circle between the directions of two points.
double sector(const CirclePoint& p, const CirclePoint& q)
{
    return std::atan2(cross(p, q), p.x * q.x + p.y * q.y) / 2;
}

// Returns the signed area between the centre of the unit circle and the path from p to q, limited to the circle: a
// triangle where the path is inside, sectors before and after it. The sum over the edges of a polygon is the area
// common to polygon and circle.
double areaSeenFromMiddle(const CirclePoint& p, const CirclePoint& q)
{
    // |p + t·d|² = 1
    const CirclePoint d{q.x - p.x, q.y - p.y};
    const double square = d.x * d.x + d.y * d.y, along = p.x * d.x + p.y * d.y, across = cross(p, d);
    const double discriminant = square - across * across; // along² − |d|²·(|p|² − 1) without cancellation
    if (!(discriminant > 0))
        return sector(p, q);
    const double root = std::sqrt(discriminant);
    const double in = (-along - root) / square, out = (-along + root) / square;
    if (!(out > 0 && in < 1))
        return sector(p, q);
    double area = across * (std::min(out, 1.0) - std::max(in, 0.0)) / 2;
    if (in > 0)
        area += sector(p, {p.x + in * d.x, p.y + in * d.y});
    if (out < 1)
        area += sector({p.x + out * d.x, p.y + out * d.y}, q);
    return area;
}

// Ellipse in pixels of the whole slice: x is the column, y points up from the middle of the slice.
class PixelEllipse
{
  public:
    PixelEllipse(const Ellipse& e, double unitsPerPixel, const SliceGrid& grid)
        : m_a(e.a / unitsPerPixel), m_b(e.b / unitsPerPixel), m_x(e.x / unitsPerPixel + (grid.size - 1) / 2.0),
          m_y(e.y / unitsPerPixel), m_cosine(std::cos(e.angleRad)), m_sine(std::sin(e.angleRad)), m_density(e.density),
          m_halfWidth(std::hypot(m_a * m_cosine, m_b * m_sine)), m_halfHeight(std::hypot(m_a * m_sine, m_b * m_cosine)),
          m_rightmost((m_a * m_a - m_b * m_b) * m_sine * m_cosine / m_halfWidth)
    {
    }

    // Adds density × covered share to every pixel of a row whose centre is at height y.
    void addTo(std::span<double> pixels, double y, const SliceGrid& grid) const
    {
        const double bottom = y - 0.5 - m_y, top = y + 0.5 - m_y; // from the centre of the ellipse
        if (!(m_a > 0 && m_b > 0 && bottom < m_halfHeight && top > -m_halfHeight))
            return;
        const Span below = chord(bottom), above = chord(top);
        Span touched{std::min(below.from, above.from), std::max(below.to, above.to)};
        if (bottom < m_rightmost && m_rightmost < top)
            touched.to = m_x + m_halfWidth;
        if (bottom < -m_rightmost && -m_rightmost < top)
            touched.from = m_x - m_halfWidth;
        // Pixels whose corners all lie in the ellipse are between the ends of both chords.
        const Span inside{std::max(below.from, above.from), std::min(below.to, above.to)};
        const int end = index(std::floor((touched.to + 0.5 - grid.x0) / grid.step) + 1, grid.width);
        const int fullEnd = index(std::floor((inside.to - 0.5 - grid.x0) / grid.step) + 1, end);
        int i = index(std::ceil((touched.from - 0.5 - grid.x0) / grid.step), end);
        const int full = index(std::ceil((inside.from + 0.5 - grid.x0) / grid.step), end);
        if (full < fullEnd) {
            for (; i < full; ++i)
                pixels[i] += m_density * shareOf(grid.x0 + i * grid.step, y);
            for (; i < fullEnd; ++i)
                pixels[i] += m_density;
        }
        for (; i < end; ++i)
            pixels[i] += m_density * shareOf(grid.x0 + i * grid.step, y);
    }

  private:
    struct Span {
        double from, to;
    };

    static int index(double value, int most)
    {
        return static_cast<int>(std::clamp(value, 0.0, static_cast<double>(most)));
    }

    // Returns where the line at this height above the centre cuts the ellipse; empty (from infinity to −infinity) if
    // it doesn't. Follows from u² + v² = 1 with u = (x·cos + y·sin)/a, v = (y·cos − x·sin)/b.
    Span chord(double y) const
    {
        const double rest = 1 - (y / m_halfHeight) * (y / m_halfHeight);
        if (!(rest >= 0)) {
            constexpr double infinity = std::numeric_limits<double>::infinity();
            return {infinity, -infinity};
        }
        const double middle = m_x + y * (m_a * m_a - m_b * m_b) * m_sine * m_cosine / (m_halfHeight * m_halfHeight);
        const double half = m_a * m_b / m_halfHeight * std::sqrt(rest);
        return {middle - half, middle + half};
    }

    // Returns the covered share of the pixel centred at (x, y).
    double shareOf(double x, double y) const
    {
        const auto onCircle = [&](double right, double up) {
            const double dx = x + right - m_x, dy = y + up - m_y;
            return CirclePoint{(dx * m_cosine + dy * m_sine) / m_a, (dy * m_cosine - dx * m_sine) / m_b};
        };
        const CirclePoint corners[] = {onCircle(-0.5, -0.5), onCircle(0.5, -0.5), onCircle(0.5, 0.5),
                                       onCircle(-0.5, 0.5)};
        double area = 0;
        for (int k = 0; k < 4; ++k)
            area += areaSeenFromMiddle(corners[k], corners[(k + 1) % 4]);
        return std::clamp(area * m_a * m_b, 0.0, 1.0);
    }

    double m_a, m_b, m_x, m_y, m_cosine, m_sine, m_density;
    double m_halfWidth, m_halfHeight;
    double m_rightmost; // height of the rightmost point above the centre; the leftmost is as far below it
};

} // namespace

Volume areaAveraged(const std::vector<Ellipse>& ellipses, double unitsPerPixel, double scale, const SliceGrid& grid)
{
    if (grid.width < 1 || grid.height < 1 || !(grid.step > 0))
        throw Error(ErrorKind::badRequest, "An exact image of " + std::to_string(grid.width) + " × " +
                                               std::to_string(grid.height) + " pixels with step " +
                                               std::to_string(grid.step) + " was asked for: all must be above 0.");
    std::vector<PixelEllipse> shapes;
    for (const Ellipse& e : ellipses)
        shapes.emplace_back(e, unitsPerPixel, grid);
    Volume image(1, grid.height, grid.width);
    parallelFor(tbb::blocked_range<int>(0, grid.height, 16), [&](const tbb::blocked_range<int>& rows) {
        std::vector<double> sums(static_cast<std::size_t>(grid.width));
        for (int row = rows.begin(); row < rows.end(); ++row) {
            std::fill(sums.begin(), sums.end(), 0.0);
            for (const PixelEllipse& shape : shapes)
                shape.addTo(sums, grid.y(row), grid);
            std::transform(sums.begin(), sums.end(),
                           image.slice(0).begin() + static_cast<std::ptrdiff_t>(row) * grid.width,
                           [scale](double sum) { return static_cast<float>(sum * scale); });
        }
    });
    return image;
}

} // namespace engine
