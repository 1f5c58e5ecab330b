// SPDX-License-Identifier: GPL-3.0-or-later
// Planes in single precision on all cores, in runs of neighbouring pixels.
#include "engine/backends/cpu/parallel/launches.h"
#include "engine/backends/cpu/parallel/kernels.h"
#include "engine/backends/cpu/plane/level_plane.h"
#include "engine/backends/cpu/plane/plane_kernel.h"
#include "engine/backends/cpu/plane/plane_parts.h"
#include "engine/backends/plane/plane_views.h"
#include "engine/base/error.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>

namespace engine
{

namespace
{

constexpr int raysAtOnce = 16, rowsAtOnce = 16; // whose bins stay in the second-level cache

// The nearest bin or row on the detector.
int onDetector(double position, int count)
{
    return static_cast<int>(std::clamp(std::floor(position), 0.0, count - 1.0));
}

class PlaneLaunch
{
  public:
    PlaneLaunch(const LaunchArguments& arguments, const std::vector<PlaneView>& views)
        : m_arguments(arguments), m_views(views), m_data(arguments.sinograms), m_plane(*arguments.plane),
          m_kernel(planeKernel(arguments.kernel.interpolation != Interpolation::nearest,
                               std::holds_alternative<ParallelBeam>(arguments.geometry)))
    {
        require(m_data.sliceSize() < static_cast<std::size_t>(std::numeric_limits<int>::max()) / 4,
                "a plane needs rows of less than 2^29 filtered values");
    }

    LaunchReport run()
    {
        return reconstructParts(m_arguments, (m_plane.height + rowsAtOnce - 1) / rowsAtOnce, [this](int band) {
            for (int i = 0; i < m_plane.width && !m_arguments.stop.stop_requested(); i += m_pixels)
                reconstructRuns(i, band * rowsAtOnce);
        });
    }

  private:
    static double at(const Affine& a, double x, double y) { return a.atMiddle + a.perColumn * x + a.perRow * y; }

    // Returns the most rows that a step of one pixel crosses, with a margin.
    double rowsPerPixel() const
    {
        double most = 0;
        for (const PlaneView& view : m_views)
            for (const double x : {m_plane.right - m_plane.width / 2.0, m_plane.right + m_plane.width / 2.0 - 1})
                for (const double y : {m_plane.down - m_plane.height / 2.0, m_plane.down + m_plane.height / 2.0}) {
                    const auto row = [&](double column) { return at(view.r, column, y) / at(view.w, column, y); };
                    most = std::max(most, std::abs(row(x + 1) - row(x)));
                }
        return 1.5 * most + 1e-6;
    }

    // Returns how many pixels a run has: they meet only rows within reach.
    int pixelsOfRun() const
    {
        return static_cast<int>(std::clamp((m_reach - 2) / rowsPerPixel(), 1.0, 1.0 * planeRunPixels));
    }

    // Reconstructs m_pixels pixels of each of rowsAtOnce rows, which meet the same bins.
    void reconstructRuns(int i, int firstRow)
    {
        const int rows = std::min(rowsAtOnce, m_plane.height - firstRow), count = std::min(m_pixels, m_plane.width - i),
                  step = m_arguments.projectionStep;
        alignas(64) float sums[rowsAtOnce][planeRunPixels] = {};
        PlaneRay rays[raysAtOnce];
        const double x = i - (m_plane.width - 1) / 2.0 + m_plane.right,
                     y = firstRow - (m_plane.height - 1) / 2.0 + m_plane.down;
        for (int first = 0; first < m_data.projections; first += raysAtOnce * step)
            for (int row = 0; row < rows; ++row) {
                PlaneRays all{rays, 0, m_data.slices, m_data.bins, static_cast<int>(m_data.sliceSize()), m_reach};
                for (int p = first; p < std::min(m_data.projections, first + raysAtOnce * step); p += step)
                    rays[all.count++] = rayOf(p, x, y + row);
                m_kernel(all, sums[row]);
            }
        for (int row = 0; row < rows; ++row) {
            float* out = m_arguments.image.values.data() + static_cast<std::size_t>(firstRow + row) * m_plane.width + i;
            for (int k = 0; k < count; ++k)
                out[k] = sums[row][k] * static_cast<float>(step);
        }
    }

    PlaneRay rayOf(int p, double x, double y) const
    {
        const PlaneView& view = m_views[p];
        const double middle = x + m_pixels / 2.0, w = at(view.w, middle, y);
        PlaneRay ray;
        int row = 0; // of the detector, so that floats are rounded alike whichever rows the launch has
        if (w > 0) {
            ray.bin = onDetector(at(view.h, middle, y) / w, m_data.bins);
            row = onDetector(at(view.r, middle, y) / w, m_detectorRows);
        }
        row = std::clamp(row, m_firstRow - m_reach + 1, m_firstRow + m_data.slices + m_reach - 2);
        ray.row = row - m_firstRow;
        const double first = at(view.w, x, y);
        ray.values = m_data.floats.data() + ray.row * static_cast<std::ptrdiff_t>(m_data.sliceSize()) +
                     static_cast<std::ptrdiff_t>(p) * m_data.bins;
        ray.h = static_cast<float>(at(view.h, x, y) - ray.bin * first);
        ray.hStep = static_cast<float>(view.h.perColumn - ray.bin * view.w.perColumn);
        ray.r = static_cast<float>(at(view.r, x, y) - row * first);
        ray.rStep = static_cast<float>(view.r.perColumn - row * view.w.perColumn);
        ray.w = static_cast<float>(first);
        ray.wStep = static_cast<float>(view.w.perColumn);
        return ray;
    }

    const LaunchArguments& m_arguments;
    const std::vector<PlaneView>& m_views;
    const SinogramView& m_data;
    const Plane& m_plane;
    const PlaneKernel m_kernel;
    const int m_reach =
        static_cast<int>(std::numeric_limits<int>::max() / std::max<std::size_t>(m_data.sliceSize(), 8)) - 1; // rows
    const int m_pixels = pixelsOfRun();
    const int m_firstRow = m_arguments.firstRow;
    const int m_detectorRows = detectorRowsOf(m_arguments);
};

} // namespace

LaunchReport launchCpuPlane(const LaunchArguments& arguments)
{
    const ForcedTarget forced(arguments.kernel.variant);
    require(!arguments.sinograms.floats.empty(), "the launch has no floats");
    const std::vector<PlaneView> views = wholePlaneViewsOf(arguments);
    if (std::optional<LaunchReport> level = launchLevelPlane(arguments, views))
        return *level;
    return PlaneLaunch(arguments, views).run();
}

} // namespace engine
