// SPDX-License-Identifier: GPL-3.0-or-later
// Method `cpu` for cone beams: uses all cores and sums columns of voxels along the axis, or rows of slices, tile by
// tile. The sums of a tile stay in the caches while blocks of projections are added to them. oneTBB distributes the
// tiles; each voxel is summed in the order of the projections, so that the image is the same, bit for bit, for any
// number of threads.
#include "engine/backends/cpu/cone/cone_kernels.h"
#include "engine/backends/cpu/parallel/launches.h"
#include "engine/backends/cpu/parallel/kernels.h"
#include "engine/base/error.h"
#include "engine/base/parallel_for.h"
#include "engine/base/stopwatch.h"
#include "engine/data/half_scale.h"

#include <algorithm>
#include <atomic>

namespace engine
{

namespace
{

constexpr int coneSlices[] = {1, 2, 4, 8, 16, 32, 64};
constexpr int leastColumn = 8;        // slice mode from which columns are used
constexpr int leastColumnSlices = 26; // slices from which columns are faster than slice after slice (cpu-cones.md)
constexpr int mostTileVoxels = 512;   // limit for a column: a tile's sums and the projections fit a second-level cache

// Returns whether columns are upright and, everywhere in the volume, the columns' kernel can hold their rows.
bool haveShortSteps(const std::vector<ProjectionMatrix>& views, const VolumeGrid& grid)
{
    return haveUprightColumns(views) && std::ranges::all_of(views, [&](const ProjectionMatrix& m) {
               for (const int i : {0, grid.width - 1})
                   for (const int j : {0, grid.height - 1}) {
                       const double step = m[6] / (m[8] * i + m[9] * j + m[11]); // w is extreme at a corner
                       if (!(step >= 0 && step <= mostRowsPerVoxel))
                           return false;
                   }
               return true;
           });
}

class ConeLaunch
{
  public:
    explicit ConeLaunch(const LaunchArguments& arguments)
        : m_arguments(arguments), m_views(viewsOf(arguments, FilterPrecision::float32)), m_grid(arguments.grid),
          m_filtered(arguments.sinograms)
    {
        const Kernel& kernel = arguments.kernel;
        const bool wanted = kernel.slicesPerPass >= leastColumn && m_grid.slices >= leastColumn;
        m_columns = wanted && haveShortSteps(m_views, m_grid);
        m_sharing =
            wanted && !m_columns && kernel.interpolation == Interpolation::linear && haveUprightColumns(m_views);
        m_mirrored = m_columns && kernel.interpolation == Interpolation::linear &&
                     areMirrored(m_views, m_grid.slices, arguments.sinograms.slices);
    }

    LaunchReport run()
    {
        if (m_sharing)
            return bySharing();
        const Stopwatch watch;
        LaunchReport report;
        tbb::task_arena arena = arenaOf(m_arguments.threads);
        arena.execute([&] {
            store();
            const Stopwatch kernelWatch;
            if (m_columns)
                sumColumns();
            else
                sumSlices();
            report.kernelSeconds = kernelWatch.seconds();
        });
        throwIfStopped(m_arguments.stop);
        report.totalSeconds = watch.seconds();
        if (!m_columns && m_grid.slices >= leastColumn && m_arguments.kernel.slicesPerPass >= leastColumn)
            report.notes.push_back(haveUprightColumns(m_views)
                                       ? "neighbouring voxels of a column lie too many detector rows apart, or in "
                                         "reverse order, for the column kernel: the general kernel was used"
                                       : "columns of voxels are not upright on the detector (tilt, roll or matrices): "
                                         "the general kernel was used");
        return report;
    }

  private:
    bool stopped() const { return m_arguments.stop.stop_requested(); }

    // Small volumes, whose voxels lie many detector rows apart: a step of the ladder is twice as fast as the general
    // kernel (512² × 128 to 128³ on two cores: 0.80 and 0.33 GU/s; cpu-ladder.md).
    LaunchReport bySharing() const
    {
        LaunchArguments arguments = m_arguments;
        arguments.kernel.variant = "share"; // the instruction set is forced already
        LaunchReport report = launchLadder(arguments);
        report.notes = {
            "neighbouring voxels of a column lie too many detector rows apart, or in reverse order, for the "
            "column kernel: the kernel `share` of `ladder` was used"};
        return report;
    }

    void store()
    {
        const bool half = m_arguments.kernel.precision == Precision::half;
        const double scale = half ? halfScaleOf(m_arguments.sinograms, m_arguments.stop) : 1;
        m_unscale = static_cast<float>(1 / scale);
        if (m_columns)
            storeColumns(m_arguments.sinograms,
                         {.half = half && readsHalves(),
                          .rounded = half && !readsHalves(),
                          .mirrored = m_mirrored,
                          .scale = scale},
                         m_arguments.stop, m_stored);
        else if (half)
            storeRounded(static_cast<float>(scale));
    }

    void storeRounded(float scale)
    {
        const std::span<const float> from = m_arguments.sinograms.floats;
        m_rounded = Values(from.size());
        m_filtered.floats = m_rounded;
        parallelFor(0, m_filtered.slices, [&](int row) {
            if (stopped())
                return;
            const std::size_t first = row * m_filtered.sliceSize(), end = first + m_filtered.sliceSize();
            for (std::size_t n = first; n < end; ++n)
                m_rounded[n] = fromHalf(toHalf(from[n] * scale));
        });
    }

    // Calls add(tile) for each block of projections, in their order.
    template <class Add>
    void addBlocks(ConeTile& tile, Add add) const
    {
        const int projections = m_arguments.sinograms.projections;
        for (int first = 0; first < projections && !stopped(); first += coneProjectionsPerBlock) {
            tile.firstProjection = first;
            tile.projections = std::min(coneProjectionsPerBlock, projections - first);
            tile.nextProjections =
                std::clamp(projections - first - coneProjectionsPerBlock, 0, coneProjectionsPerBlock);
            tile.views = m_views.data() + first;
            add(tile);
        }
    }

    void finishPart(std::atomic<int>& done, int parts) const
    {
        const int now = ++done;
        if (m_arguments.progress && !stopped())
            m_arguments.progress(static_cast<double>(now) / parts);
    }

    void sumColumns()
    {
        const Kernel& choice = m_arguments.kernel;
        const ConeColumnKernel kernel =
            columnKernel(choice.interpolation, m_stored.half, m_mirrored, choice.slicesPerPass);
        const int half = m_mirrored ? (m_grid.slices + 1) / 2 : m_grid.slices;
        const int most = mostTileVoxels / m_stored.halves;
        const int slabs = (half + most - 1) / most;
        const int across = (m_grid.width + coneTileColumns - 1) / coneTileColumns;
        const int down = (m_grid.height + coneTileRows - 1) / coneTileRows;
        const int parts = slabs * across * down;
        std::atomic<int> done = 0;
        parallelFor(0, parts, [&](int part) {
            if (stopped())
                return;
            ConeTile tile;
            tile.slice = part / (across * down) * most;
            tile.row = part / across % down * coneTileRows;
            tile.column = part % across * coneTileColumns;
            tile.columns = std::min(coneTileColumns, m_grid.width - tile.column);
            tile.rows = std::min(coneTileRows, m_grid.height - tile.row);
            const int present = std::min(most, half - tile.slice);
            tile.voxels = (present + coneVoxelsAtOnce - 1) / coneVoxelsAtOnce * coneVoxelsAtOnce;
            const std::size_t count =
                static_cast<std::size_t>(tile.rows) * coneTileColumns * m_stored.halves * tile.voxels;
            static thread_local AlignedMemory memory;
            memory.reserve(count * sizeof(float));
            tile.sums = reinterpret_cast<float*>(memory.data());
            std::fill_n(tile.sums, count, 0.0f);
            addBlocks(tile, [&](const ConeTile& block) { kernel(m_stored, block); });
            for (int v = 0; v < present; ++v)
                for (int side = 0; side < m_stored.halves; ++side) {
                    const int k = side == 0 ? tile.slice + v : m_grid.slices - 1 - (tile.slice + v);
                    writeSlice(tile, k, tile.sums + side * tile.voxels + v, m_stored.halves * tile.voxels,
                               coneTileColumns * m_stored.halves * tile.voxels);
                }
            finishPart(done, parts);
        });
    }

    void sumSlices()
    {
        const ConeRowKernel kernel = rowKernel(m_arguments.kernel.interpolation);
        const int across = (m_grid.width + rowTileColumns - 1) / rowTileColumns;
        const int down = (m_grid.height + rowTileRows - 1) / rowTileRows;
        const int parts = m_grid.slices * across * down;
        std::atomic<int> done = 0;
        parallelFor(0, parts, [&](int part) {
            if (stopped())
                return;
            alignas(64) float sums[rowTileRows * rowTileColumns] = {};
            ConeTile tile;
            tile.slice = part % m_grid.slices; // neighbouring parts share detector rows
            tile.row = part / m_grid.slices / across * rowTileRows;
            tile.column = part / m_grid.slices % across * rowTileColumns;
            tile.columns = std::min(rowTileColumns, m_grid.width - tile.column);
            tile.rows = std::min(rowTileRows, m_grid.height - tile.row);
            tile.sums = sums;
            addBlocks(tile, [&](const ConeTile& block) { kernel(m_filtered, block); });
            writeSlice(tile, tile.slice, sums, 1, rowTileColumns);
            finishPart(done, parts);
        });
    }

    void writeSlice(const ConeTile& tile, int k, const float* sums, int columnStride, int rowStride)
    {
        float* image = m_arguments.image.slice(k).data();
        for (int j = 0; j < tile.rows; ++j) {
            const float* from = sums + static_cast<std::ptrdiff_t>(j) * rowStride;
            float* to = image + static_cast<std::size_t>(tile.row + j) * m_grid.width + tile.column;
            for (int i = 0; i < tile.columns; ++i)
                to[i] = from[static_cast<std::ptrdiff_t>(i) * columnStride] * m_unscale;
        }
    }

    const LaunchArguments& m_arguments;
    std::vector<ProjectionMatrix> m_views;
    const VolumeGrid& m_grid;
    bool m_columns = false, m_mirrored = false, m_sharing = false;
    StoredColumns m_stored;
    SinogramView m_filtered; // for the row kernel
    Values m_rounded;
    float m_unscale = 1;
};

} // namespace

LaunchReport launchCpuCone(const LaunchArguments& arguments)
{
    const ForcedTarget forced(arguments.kernel.variant);
    return ConeLaunch(arguments).run();
}

const Method cpuConeMethod = {
    .id = "cpu",
    .label = "Processor",
    .summary = "Back-projects columns of voxels along the axis on all cores of the processor, in single precision or "
               "16-bit numbers.",
    .reference = "Chen et al. (IPSJ report): transposed data, shared positions, mirrored halves and sub-lines, in "
                 "vector registers",
    .filterPrecision = FilterPrecision::float32,
    .slicesPerPass = {std::begin(coneSlices), std::end(coneSlices)},
    .unsupported = [](const Request& request, const Machine&) { return coneLimits(cpuConeMethod, request); },
    .takes = takesConeBeam,
    .planes = PlaneSupport::acrossSlices, // slices have faster kernels
    .rank = [](const Request&) { return 1; },
    .worthwhile =
        [](const Request& request) {
            return request.setting.kernel.slicesPerPass < leastColumn ||
                   request.place.slices().count >= leastColumnSlices;
        },
    .variants = processorVariants,
};

} // namespace engine
