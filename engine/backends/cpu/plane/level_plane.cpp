// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cpu/plane/level_plane.h"

#include "engine/backends/cpu/plane/level_kernel.h"
#include "engine/backends/cpu/plane/plane_parts.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace engine
{

namespace
{

// Lines of pixels of a plane: its rows or its columns. x counts pixels along a line, y lines, both from the middle of
// the whole plane.
struct LevelLines {
    bool areColumns = false;
    int count = 0, pixels = 0;
    double x = 0, y = 0; // of the first pixel and line

    LevelLines(const Plane& plane, bool columns)
        : areColumns(columns), count(columns ? plane.width : plane.height), pixels(columns ? plane.height : plane.width)
    {
        const double right = plane.right - (plane.width - 1) / 2.0, down = plane.down - (plane.height - 1) / 2.0;
        x = columns ? down : right;
        y = columns ? right : down;
    }
    double along(const Affine& a) const { return areColumns ? a.perRow : a.perColumn; }
    double across(const Affine& a) const { return areColumns ? a.perColumn : a.perRow; }
    double reach() const { return std::max(std::abs(x), std::abs(x + pixels)); }

    // Returns whether a parallel beam has rows that the lines lie in, with pixels at most one bin apart.
    bool areLevel(const std::vector<PlaneView>& views) const
    {
        return std::ranges::all_of(views, [&](const PlaneView& view) {
            return std::abs(along(view.r)) * reach() < tolerance && std::abs(along(view.h)) <= 1 + tolerance / pixels;
        });
    }

    // Returns whether all lines meet the same bins, each in a row of its own, one after the other.
    bool areUpright(const std::vector<PlaneView>& views) const
    {
        const auto isNearWhole = [](double value) { return std::abs(value - std::round(value)) < tolerance; };
        const double farthest = std::max(std::abs(y), std::abs(y + count));
        return std::ranges::all_of(views, [&](const PlaneView& view) {
            const double step = across(view.r);
            return std::abs(std::abs(step) - 1) * farthest < tolerance && isNearWhole(view.r.atMiddle + step * y) &&
                   std::abs(across(view.h)) * farthest < tolerance;
        });
    }

    static constexpr double tolerance = 1e-6; // in bins and rows
};

// A plane of a parallel beam with level lines: each is summed from the row of the detector that it lies in, or from the
// two rows around it. Upright planes on the detector's rows need one row per line, and what the kernel finds out about
// a line serves others.
class LevelLaunch
{
  public:
    LevelLaunch(const LaunchArguments& arguments, const std::vector<PlaneView>& views, const LevelLines& lines)
        : m_arguments(arguments), m_views(views), m_data(arguments.sinograms), m_lines(lines),
          m_isUpright(lines.areUpright(views)), m_isLinear(arguments.kernel.interpolation != Interpolation::nearest),
          m_kernel(levelKernel(m_isLinear))
    {
    }

    LaunchReport run()
    {
        if (!m_isUpright)
            return reconstructParts(m_arguments, m_lines.count, [this](int line) { reconstructLine(line); });
        return reconstructParts(m_arguments, (m_lines.count + mostLines - 1) / mostLines, [this](int group) {
            const int first = group * mostLines;
            reconstructUpright(first, std::min(first + mostLines, m_lines.count));
        });
    }

  private:
    static constexpr int mostLines = 16;

    // In rows of the detector.
    double rowOf(int line) const
    {
        const Affine& r = m_views.front().r; // the same for all
        return r.atMiddle + m_lines.across(r) * (m_lines.y + line);
    }
    bool isRead(int row) const { return row >= m_arguments.firstRow && row < m_arguments.firstRow + m_data.slices; }

    std::vector<LevelRay> raysOf(int line) const
    {
        std::vector<LevelRay> rays;
        for (int p = 0; p < m_data.projections; p += m_arguments.projectionStep) {
            const Affine& h = m_views[p].h;
            rays.push_back({static_cast<std::ptrdiff_t>(p) * m_data.bins,
                            h.atMiddle + m_lines.across(h) * (m_lines.y + line), m_lines.along(h)});
        }
        return rays;
    }

    // Calls take(pixel, sums) for blocks of pixels of a line, with the sums of `rows` rows from `row` on, which are
    // `step` apart.
    template <typename Take>
    void sum(std::span<const LevelRay> rays, int row, int step, int rows, const Take& take) const
    {
        const auto size = static_cast<std::ptrdiff_t>(m_data.sliceSize());
        for (int pixel = 0; pixel < m_lines.pixels && !m_arguments.stop.stop_requested(); pixel += levelPixels) {
            alignas(64) float sums[mostLines * levelPixels] = {};
            m_kernel({.rays = rays,
                      .x = m_lines.x + pixel,
                      .pixels = std::min(levelPixels, m_lines.pixels - pixel),
                      .values = m_data.floats.data() + (row - m_arguments.firstRow) * size,
                      .rowStride = step * size,
                      .rows = rows,
                      .bins = m_data.bins,
                      .sums = sums});
            take(pixel, sums);
        }
    }

    float& pixelAt(int line, int pixel) const
    {
        const int column = m_lines.areColumns ? line : pixel, row = m_lines.areColumns ? pixel : line;
        return m_arguments.image.values[static_cast<std::size_t>(row) * m_arguments.image.width + column];
    }

    void reconstructUpright(int line, int end) const
    {
        const auto isRowRead = [&](int of) { return isRead(static_cast<int>(std::lround(rowOf(of)))); };
        const auto clear = [&](int of) {
            for (int pixel = 0; pixel < m_lines.pixels; ++pixel)
                pixelAt(of, pixel) = 0;
        };
        for (; line < end && !isRowRead(line); ++line)
            clear(line);
        for (; line < end && !isRowRead(end - 1); --end)
            clear(end - 1);
        if (line == end)
            return;
        const auto scale = static_cast<float>(m_arguments.projectionStep);
        sum(raysOf(line), static_cast<int>(std::lround(rowOf(line))), m_lines.across(m_views.front().r) > 0 ? 1 : -1,
            end - line, [&](int first, const float* sums) {
                for (int k = line; k < end; ++k)
                    for (int pixel = first; pixel < std::min(first + levelPixels, m_lines.pixels); ++pixel)
                        pixelAt(k, pixel) = scale * sums[(k - line) * levelPixels + pixel - first];
            });
    }

    void reconstructLine(int line) const
    {
        const double held = std::clamp(rowOf(line), 0.0, detectorRowsOf(m_arguments) - 1.0),
                     position = held + (m_isLinear ? 0 : 0.5), row = std::floor(position);
        const auto fraction = static_cast<float>(m_isLinear ? position - row : 0);
        struct Row {
            int row;
            float weight;
        };
        std::vector<Row> rows;
        for (const Row& one : {Row{static_cast<int>(row), 1 - fraction}, Row{static_cast<int>(row) + 1, fraction}})
            if (isRead(one.row) && one.weight > 0)
                rows.push_back({one.row, one.weight * static_cast<float>(m_arguments.projectionStep)});
        if (rows.empty()) {
            for (int pixel = 0; pixel < m_lines.pixels; ++pixel)
                pixelAt(line, pixel) = 0;
            return;
        }
        sum(raysOf(line), rows.front().row, 1, static_cast<int>(rows.size()), [&](int first, const float* sums) {
            for (int pixel = first; pixel < std::min(first + levelPixels, m_lines.pixels); ++pixel) {
                float value = rows.front().weight * sums[pixel - first];
                if (rows.size() > 1)
                    value += rows.back().weight * sums[levelPixels + pixel - first];
                pixelAt(line, pixel) = value;
            }
        });
    }

    const LaunchArguments& m_arguments;
    const std::vector<PlaneView>& m_views;
    const SinogramView& m_data;
    const LevelLines m_lines;
    const bool m_isUpright, m_isLinear;
    const LevelKernel m_kernel;
};

} // namespace

std::optional<LaunchReport> launchLevelPlane(const LaunchArguments& arguments, const std::vector<PlaneView>& views)
{
    if (std::holds_alternative<ParallelBeam>(arguments.geometry) && !views.empty())
        for (const bool areColumns : {false, true})
            if (const LevelLines lines(*arguments.plane, areColumns); lines.areLevel(views))
                return LevelLaunch(arguments, views, lines).run();
    return std::nullopt;
}

} // namespace engine
