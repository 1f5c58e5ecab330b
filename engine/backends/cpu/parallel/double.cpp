// SPDX-License-Identifier: GPL-3.0-or-later
// Method `double`: the same sum as `exact` in double precision, many times faster, tile by tile in vector registers.
// Each pixel is summed in the order of the projections, so that the image is the same, bit for bit, for any number of
// threads.
#include "engine/backends/cpu/parallel/launches.h"
#include "engine/backends/cpu/parallel/double_kernel.h"
#include "engine/backends/cpu/parallel/stored_bins.h"
#include "engine/backends/parallel/double_sums.h"
#include "engine/backends/parallel/limits.h"
#include "engine/backends/parallel/rays.h"
#include "engine/base/error.h"
#include "engine/base/parallel_for.h"
#include "engine/base/stopwatch.h"
#include "engine/data/half_scale.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>

namespace engine
{

namespace
{

constexpr int doubleSlices[] = {1, 2, 4, 8};

class DoubleLaunch
{
  public:
    DoubleLaunch(const LaunchArguments& arguments, const TakeSums& take)
        : m_arguments(arguments), m_take(take), m_rays(raysOf(arguments, FilterPrecision::float64)),
          m_grid(arguments.grid)
    {
        if (arguments.kernel.interpolation != Interpolation::linear)
            throw Error(ErrorKind::badRequest, "`double` interpolates linearly; use `exact` for others");
        // Kernels read whole blocks of projections.
        for (auto* values : {&m_rays.cosine, &m_rays.sine, &m_rays.axisBins})
            values->insert(values->end(), projectionsPerBlock, 0.0);
        // An odd number of cache lines, so that neighbouring projections don't compete for the same places in the
        // cache.
        const std::ptrdiff_t lines = (arguments.sinograms.bins + 2 * doubleMargin + 7) / 8;
        m_stride = 8 * (lines | 1);
    }

    LaunchReport run()
    {
        const Stopwatch watch;
        const auto& values = m_arguments.sinograms.doubles;
        if (m_arguments.kernel.precision == Precision::half)
            m_scale = halfScale(values);
        double kernelSeconds = 0;
        tbb::task_arena arena = arenaOf(m_arguments.threads);
        arena.execute([&] {
            const int across = (m_grid.width + maxTileEdge - 1) / maxTileEdge;
            const int down = (m_grid.height + maxTileEdge - 1) / maxTileEdge;
            const int slices = m_arguments.sinograms.slices;
            for (int slice = 0; slice < slices && !stopped(); ++slice) {
                store(slice);
                const Stopwatch kernelWatch;
                std::atomic<int> done = 0;
                parallelFor(0, across * down, [&](int tile) {
                    reconstructTile(slice, tile % across * maxTileEdge, tile / across * maxTileEdge);
                    if (m_arguments.progress && !stopped())
                        m_arguments.progress((slice + double(++done) / (across * down)) / slices);
                });
                kernelSeconds += kernelWatch.seconds();
            }
        });
        throwIfStopped(m_arguments.stop);
        return {.kernelSeconds = kernelSeconds, .totalSeconds = watch.seconds()};
    }

  private:
    bool stopped() const { return m_arguments.stop.stop_requested(); }

    double* row(int projection) const
    {
        return reinterpret_cast<double*>(m_bins.data()) + projection * m_stride + doubleMargin;
    }

    // Stores the slice's sinogram, with zeros beside its rows.
    void store(int slice)
    {
        const SinogramView& data = m_arguments.sinograms;
        m_bins.reserve(static_cast<std::size_t>(m_stride) * data.projections * sizeof(double));
        const double* given = data.doubles.data() + static_cast<std::size_t>(slice) * data.projections * data.bins;
        parallelFor(0, data.projections, [&](int p) {
            if (stopped())
                return;
            const double* from = given + static_cast<std::size_t>(p) * data.bins;
            double* to = row(p);
            std::fill(to - doubleMargin, to, 0.0);
            std::fill(to + data.bins, to - doubleMargin + m_stride, 0.0);
            if (m_arguments.kernel.precision == Precision::half)
                std::transform(from, from + data.bins, to,
                               [this](double value) { return fromHalf(toHalf(value * m_scale)); });
            else
                std::copy_n(from, data.bins, to);
        });
    }

    void reconstructTile(int slice, int firstColumn, int firstRow)
    {
        if (stopped())
            return;
        DoubleTile tile;
        tile.columns = std::min(maxTileEdge, m_grid.width - firstColumn);
        tile.rows = std::min(maxTileEdge, m_grid.height - firstRow);
        tile.stride = m_stride;
        tile.binCount = m_arguments.sinograms.bins;
        tile.x = m_grid.x(firstColumn);
        tile.y = m_grid.y(firstRow);
        tile.step = m_grid.step;
        constexpr std::size_t count = maxTileEdge * maxTileEdge;
        static thread_local AlignedMemory sums; // 32 KiB, reused for all tiles of a thread
        sums.reserve(count * sizeof(double));
        tile.sums = reinterpret_cast<double*>(sums.data());
        std::fill_n(tile.sums, count, 0.0);
        const int projections = m_arguments.sinograms.projections;
        for (int first = 0; first < projections && !stopped(); first += projectionsPerBlock) {
            tile.projections = std::min(projectionsPerBlock, projections - first);
            tile.nextProjections = std::clamp(projections - first - projectionsPerBlock, 0, projectionsPerBlock);
            if (m_grid.step > 1) {
                addApart(tile, first, firstColumn, firstRow);
                continue;
            }
            tile.bins = row(first);
            tile.cosine = m_rays.cosine.data() + first;
            tile.sine = m_rays.sine.data() + first;
            tile.axis = m_rays.axisBins.data() + first;
            m_addTile(tile);
        }
        for (int k = 0; k < tile.rows && !stopped(); ++k) {
            const std::span<double> pixels(tile.sums + k * maxTileEdge, tile.columns);
            if (m_scale != 1)
                for (double& value : pixels)
                    value /= m_scale;
            m_take(slice, firstRow + k, firstColumn, pixels);
        }
    }

    // Adds projections to pixels that are more than a bin apart, one pixel at a time.
    void addApart(const DoubleTile& tile, int first, int firstColumn, int firstRow) const
    {
        double rows[maxTileEdge], columns[maxTileEdge];
        for (int p = first; p < first + tile.projections; ++p) {
            rowPositions(m_rays, p, m_grid, firstRow, {rows, static_cast<std::size_t>(tile.rows)});
            columnOffsets(m_rays, p, m_grid, firstColumn, {columns, static_cast<std::size_t>(tile.columns)});
            const double* bins = row(p);
            for (int k = 0; k < tile.rows; ++k)
                for (int column = 0; column < tile.columns; ++column) {
                    const double h = std::clamp(rows[k] + columns[column], -2.0, tile.binCount + 1.0);
                    const double left = std::floor(h);
                    const double* bin = bins + static_cast<std::ptrdiff_t>(left);
                    tile.sums[k * maxTileEdge + column] += bin[0] + (h - left) * (bin[1] - bin[0]);
                }
        }
    }

    const LaunchArguments& m_arguments;
    const TakeSums& m_take;
    const DoubleTileKernel m_addTile = doubleTileKernel();
    Rays m_rays;
    const SliceGrid m_grid;
    AlignedMemory m_bins; // [projection][m_stride]
    std::ptrdiff_t m_stride = 0;
    double m_scale = 1; // scale of halves
};

std::optional<std::string> problem(const Request& request, const Machine&)
{
    if (const auto reason = kernelLimits("double", doubleSlices, request))
        return reason;
    if (request.setting.kernel.interpolation != Interpolation::linear)
        return "`double` interpolates linearly, not " + toText(request.setting.kernel.interpolation) +
               "; `exact` supports it in double precision";
    return std::nullopt;
}

} // namespace

LaunchReport doubleSums(const LaunchArguments& arguments, const TakeSums& take)
{
    return DoubleLaunch(arguments, take).run();
}

LaunchReport launchDouble(const LaunchArguments& arguments)
{
    const ForcedTarget forced(arguments.kernel.variant);
    return doubleSums(arguments, intoImage(arguments.image));
}

TakeSums intoImage(Volume& image)
{
    return [&image](int slice, int row, int firstColumn, std::span<const double> sums) {
        float* out = image.slice(slice).data() + static_cast<std::size_t>(row) * image.width + firstColumn;
        std::transform(sums.begin(), sums.end(), out, [](double value) { return static_cast<float>(value); });
    };
}

const Method doubleMethod = {
    .id = "double",
    .label = "Double precision",
    .summary = "Double precision from the filter to the sum, like `exact`, but in vector registers and much faster; "
               "linear interpolation.",
    .reference =
        "Direct evaluation of the back-projection sum; bins in registers after Chilingaryan et al. 2020 (section 6)",
    .filterPrecision = FilterPrecision::float64,
    .slicesPerPass = {std::begin(doubleSlices), std::end(doubleSlices)},
    .unsupported = problem,
    .planes = PlaneSupport::betweenVoxels,
    .variants = processorVariants,
    .isReference = true,
};

} // namespace engine
