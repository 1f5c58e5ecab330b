// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/mask.h"

#include "engine/base/error.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace engine
{

namespace
{

Run common(const Run& a, const Run& b)
{
    return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}

// Returns the first of `count` pixels whose centre is at or behind the place; `count` if there is none.
int firstFrom(double place, int count)
{
    return static_cast<int>(std::clamp(std::ceil(place), 0.0, static_cast<double>(count)));
}

// Determines the columns of each row whose pixel centres an area contains. Its runs may be empty.
class AreaRows
{
  public:
    AreaRows(const Area& area, int width, int height) : m_area(area), m_width(width), m_height(height)
    {
        if (const auto* polygon = std::get_if<PolygonArea>(&area))
            findCrossings(*polygon);
    }

    void appendRuns(int row, std::vector<Run>& runs)
    {
        std::visit([&](const auto& area) { append(area, row, runs); }, m_area);
    }

  private:
    void append(const Region& area, int row, std::vector<Run>& runs) const
    {
        // Far outside an image, column + width may exceed an int.
        const long long end = static_cast<long long>(area.column) + area.width;
        const long long bottom = static_cast<long long>(area.row) + area.height;
        if (row >= area.row && row < bottom)
            runs.push_back({std::max(area.column, 0), static_cast<int>(std::clamp<long long>(end, 0, m_width))});
    }

    void append(const EllipseArea& area, int row, std::vector<Run>& runs) const
    {
        // Tests (dx·ry)² + (dy·rx)² ≤ (rx·ry)², which is exact for whole numbers; the root only tells where to start.
        const double dy = row - area.y;
        const double limit = area.radiusX * area.radiusY * area.radiusX * area.radiusY;
        const auto inside = [&](int column) {
            const double a = (column - area.x) * area.radiusY, b = dy * area.radiusX;
            return a * a + b * b <= limit;
        };
        const double part = dy / area.radiusY;
        const double half = area.radiusX * std::sqrt(std::max(0.0, 1 - part * part));
        int begin = columnFrom(area.x - half - 1), end = columnFrom(area.x + half + 2);
        while (begin < end && !inside(begin))
            ++begin;
        while (end > begin && !inside(end - 1))
            --end;
        runs.push_back({begin, end});
    }

    void append(const DiscArea& area, int row, std::vector<Run>& runs) const
    {
        const double radius = area.radius * std::min(m_width, m_height) / 2.0;
        const double middle = (m_width - 1) / 2.0, y = row - (m_height - 1) / 2.0;
        const double half = radius >= std::abs(y) ? std::sqrt(radius * radius - y * y) : -1;
        runs.push_back({static_cast<int>(std::ceil(middle - half)), static_cast<int>(std::floor(middle + half)) + 1});
    }

    void append(const PolygonArea&, int row, std::vector<Run>& runs)
    {
        std::vector<double>& crossings = m_crossings[row];
        std::sort(crossings.begin(), crossings.end());
        for (std::size_t k = 0; k + 1 < crossings.size(); k += 2)
            runs.push_back({columnFrom(crossings[k]), columnFrom(crossings[k + 1])});
    }

    // Finds where each side crosses the centre lines of the rows, for y0 ≤ row < y1, so that a corner on a row counts
    // once. A side is computed from its upper end, whatever its direction, so that polygons with a common side have
    // the same crossings.
    void findCrossings(const PolygonArea& polygon)
    {
        m_crossings.resize(m_height);
        for (std::size_t k = 0; k < polygon.points.size(); ++k) {
            const Point& from = polygon.points[k];
            const Point& to = polygon.points[(k + 1) % polygon.points.size()];
            const Point &top = from.y <= to.y ? from : to, &bottom = from.y <= to.y ? to : from;
            for (int row = firstFrom(top.y, m_height); row < firstFrom(bottom.y, m_height); ++row)
                m_crossings[row].push_back(top.x + (bottom.x - top.x) * ((row - top.y) / (bottom.y - top.y)));
        }
    }

    int columnFrom(double x) const { return firstFrom(x, m_width); }

    const Area& m_area;
    int m_width, m_height;
    std::vector<std::vector<double>> m_crossings; // of a polygon: x where its sides cross each row
};

std::vector<Area> areasOf(const Mask& mask)
{
    std::vector<Area> areas;
    if (mask.discRadius)
        areas.emplace_back(DiscArea{*mask.discRadius});
    if (mask.region)
        areas.emplace_back(*mask.region);
    if (mask.area)
        areas.push_back(*mask.area);
    return areas;
}

// Returns the intersection of two lists of runs, in order.
std::vector<Run> commonRuns(std::span<const Run> a, std::span<const Run> b)
{
    std::vector<Run> runs;
    for (const Run& one : a)
        for (const Run& other : b)
            if (const Run both = common(one, other); both.begin < both.end)
                runs.push_back(both);
    return runs;
}

} // namespace

MaskRows::MaskRows(const Mask& mask, int width, int height) : m_first(height + 1)
{
    const std::vector<Area> areas = areasOf(mask);
    std::vector<AreaRows> rows;
    for (const Area& area : areas) {
        if (!std::holds_alternative<Region>(area)) // empty rectangles are reported below
            validate(area);
        rows.emplace_back(area, width, height);
    }
    int left = width, right = 0, top = height, bottom = 0;
    std::vector<Run> runs, other;
    for (int row = 0; row < height; ++row) {
        runs.assign(1, {0, width});
        for (AreaRows& area : rows) {
            other.clear();
            area.appendRuns(row, other);
            runs = commonRuns(runs, other);
        }
        for (const Run& run : runs) {
            if (m_runs.size() > m_first[row] && m_runs.back().end == run.begin)
                m_runs.back().end = run.end;
            else
                m_runs.push_back(run);
            m_pixels += run.end - run.begin;
        }
        m_first[row + 1] = m_runs.size();
        if (runs.empty())
            continue;
        left = std::min(left, runs.front().begin);
        right = std::max(right, runs.back().end);
        top = std::min(top, row);
        bottom = row + 1;
    }
    require(m_pixels > 0, "the mask holds no pixel of the " + std::to_string(width) + " × " + std::to_string(height) +
                              " image; choose a larger one");
    m_bounds = {left, top, right - left, bottom - top};
}

} // namespace engine
