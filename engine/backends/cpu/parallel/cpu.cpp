// SPDX-License-Identifier: GPL-3.0-or-later
// Method `cpu`: uses all cores; divides the image into tiles whose sums stay in the caches while blocks of
// projections are added to them. oneTBB distributes the tiles; each pixel is summed in the order of the projections,
// so that the image is the same, bit for bit, for any number of threads.
#include "engine/backends/cpu/parallel/launches.h"
#include "engine/backends/cpu/parallel/kernels.h"
#include "engine/backends/cpu/parallel/stored_bins.h"
#include "engine/backends/parallel/limits.h"
#include "engine/backends/parallel/rays.h"
#include "engine/base/error.h"
#include "engine/base/parallel_for.h"
#include "engine/base/stopwatch.h"
#include "engine/data/half_scale.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <new>

namespace engine
{

namespace
{

constexpr int cpuSlices[] = {1, 2, 4, 8, 16, 32, 64};

struct TileSize {
    int columns, rows;
};

// Returns the size of tiles. Their sums of 16 KiB (one slice) to 256 KiB, and the bins that a block's rays meet, fit
// a second-level cache.
TileSize tileSizeFor(int slices)
{
    if (slices <= 8)
        return {64, 64};
    return slices == 16 ? TileSize{64, 32} : TileSize{32, 32};
}

// Returns how many of `slices` slices to reconstruct together, for the best speed. Lanes are always full; slices that
// are left are reconstructed one by one.
int slicesInLanes(int slices, Interpolation interpolation, BinStorage storage)
{
    for (const int lanes : {64, 32, 16, 8})
        if (lanes <= slices && lanes >= leastSlicesInLanes(interpolation, storage))
            return lanes;
    return 1;
}

// One pass: slices that are stored together and reconstructed tile by tile.
struct Pass {
    int firstSlice = 0;
    int present = 0; // slices of the data in this pass
    double unscale = 1;
    StoredBins bins;
    TileKernel kernel = nullptr;
    TileSize tile{};
    bool positions = false; // the kernel needs the positions of rays.h
};

class CpuLaunch
{
  public:
    explicit CpuLaunch(const LaunchArguments& arguments)
        : m_arguments(arguments), m_rays(raysOf(arguments, FilterPrecision::float32)), m_grid(arguments.grid)
    {
        // Kernels read whole blocks of projections.
        for (auto* values : {&m_rays.cosine, &m_rays.sine, &m_rays.axisBins})
            values->insert(values->end(), projectionsPerBlock, 0.0);
        if (arguments.kernel.precision == Precision::half)
            m_scale = 0; // computed when it is needed
    }

    LaunchReport run()
    {
        const Stopwatch watch;
        double kernelSeconds = 0;
        tbb::task_arena arena = arenaOf(m_arguments.threads);
        arena.execute([&] {
            const int slices = m_arguments.sinograms.slices;
            Pass pass;
            while (pass.firstSlice < slices && !stopped()) {
                store(pass);
                const Stopwatch kernelWatch;
                const int across = (m_grid.width + pass.tile.columns - 1) / pass.tile.columns;
                const int down = (m_grid.height + pass.tile.rows - 1) / pass.tile.rows;
                std::atomic<int> done = 0;
                parallelFor(0, across * down, [&](int tile) {
                    reconstructTile(pass, tile % across * pass.tile.columns, tile / across * pass.tile.rows);
                    if (m_arguments.progress && !stopped())
                        m_arguments.progress((pass.firstSlice + double(++done) * pass.present / (across * down)) /
                                             slices);
                });
                kernelSeconds += kernelWatch.seconds();
                pass.firstSlice += pass.present;
            }
        });
        throwIfStopped(m_arguments.stop);
        return {.kernelSeconds = kernelSeconds, .totalSeconds = watch.seconds()};
    }

  private:
    bool stopped() const { return m_arguments.stop.stop_requested(); }

    int stepsPerBin() const
    {
        return m_arguments.kernel.interpolation == Interpolation::nearest ? 1 : m_arguments.kernel.oversampling;
    }

    double halfScaleOfAll()
    {
        if (m_scale != 0)
            return m_scale;
        const auto& values = m_arguments.sinograms.floats;
        const std::size_t rows =
            static_cast<std::size_t>(m_arguments.sinograms.slices) * m_arguments.sinograms.projections;
        std::mutex mutex;
        double largest = 0;
        parallelFor(tbb::blocked_range<std::size_t>(0, rows, 64), [&](const auto& range) {
            if (stopped())
                return;
            const std::size_t bins = m_arguments.sinograms.bins;
            const double here =
                largestFinite(std::span<const float>(values).subspan(range.begin() * bins, range.size() * bins));
            const std::lock_guard lock(mutex);
            largest = std::max(largest, here);
        });
        m_scale = halfScaleFor(largest);
        return m_scale;
    }

    // Chooses the kernel for the slices from pass.firstSlice on, and stores their bins for it.
    void store(Pass& pass)
    {
        const int left = m_arguments.sinograms.slices - pass.firstSlice;
        const bool half = m_arguments.kernel.precision == Precision::half;
        StoreOptions options;
        pass.unscale = 1;
        pass.present = m_grid.step > 1 ? 1
                                       : slicesInLanes(std::min(left, m_arguments.kernel.slicesPerPass),
                                                       m_arguments.kernel.interpolation,
                                                       half ? BinStorage::fixedPairs : BinStorage::float32);
        if (m_grid.step > 1) {
            options.margin = gatherMargin;
            pass.kernel = gatherKernel(m_arguments.kernel.interpolation);
        } else if (pass.present == 1) {
            options.margin = shuffleMargin;
            options.storage = half && readsHalves() ? BinStorage::half : BinStorage::float32;
            pass.kernel =
                stepped(m_arguments.kernel.interpolation) ? stepsKernel(options.storage, stepsPerBin()) : nullptr;
            if (!pass.kernel)
                pass.kernel = shuffleKernel(m_arguments.kernel.interpolation, options.storage);
        } else {
            options.slices = pass.present;
            options.margin = lanesMargin;
            if (half && allFinite(m_arguments.sinograms, pass.firstSlice, pass.present))
                options.storage = BinStorage::fixedPairs;
            pass.kernel = lanesKernel(m_arguments.kernel.interpolation, options.storage, options.slices);
        }
        pass.positions = m_grid.step > 1;
        pass.tile = tileSizeFor(options.slices);
        if (half && options.storage != BinStorage::fixedPairs) {
            options.scale = halfScaleOfAll();
            options.rounded = true;
            pass.unscale = 1 / options.scale;
        }
        storeBins(m_arguments.sinograms, pass.firstSlice, options, m_arguments.stop, pass.bins);
    }

    void reconstructTile(const Pass& pass, int firstColumn, int firstRow)
    {
        if (stopped())
            return;
        TileArguments tile;
        tile.columns = std::min(pass.tile.columns, m_grid.width - firstColumn);
        tile.rows = std::min(pass.tile.rows, m_grid.height - firstRow);
        tile.binCount = pass.bins.bins;
        tile.stride = pass.bins.stride();
        tile.oversampling = stepsPerBin();
        tile.x = m_grid.x(firstColumn);
        tile.y = m_grid.y(firstRow);
        tile.step = m_grid.step;
        // Kernels work on whole squares of pixels.
        const int wholeRows = (tile.rows + 15) / 16 * 16;
        const std::size_t count = static_cast<std::size_t>(wholeRows) * maxTileEdge * pass.bins.slices;
        static thread_local AlignedMemory sums; // at most 512 KiB, reused for all tiles of a thread
        sums.reserve(count * sizeof(float));
        tile.sums = reinterpret_cast<float*>(sums.data());
        std::fill_n(tile.sums, count, 0.0f);
        std::vector<double> rows, columns;
        if (pass.positions) {
            rows.resize(projectionsPerBlock * maxTileEdge);
            columns.resize(projectionsPerBlock * maxTileEdge);
            tile.rowPositions = rows.data();
            tile.columnOffsets = columns.data();
        }
        for (int first = 0; first < m_arguments.sinograms.projections && !stopped(); first += projectionsPerBlock) {
            const int left = m_arguments.sinograms.projections - first;
            tile.projections = std::min(projectionsPerBlock, left);
            tile.nextProjections = std::clamp(left - projectionsPerBlock, 0, projectionsPerBlock);
            tile.bins = pass.bins.row(first);
            tile.cosine = m_rays.cosine.data() + first;
            tile.sine = m_rays.sine.data() + first;
            tile.axis = m_rays.axisBins.data() + first;
            if (pass.bins.storage == BinStorage::fixedPairs)
                tile.scales =
                    pass.bins.scales.data() + static_cast<std::size_t>(first / projectionsPerBlock) * pass.bins.slices;
            for (int p = 0; pass.positions && p < tile.projections; ++p) {
                rowPositions(m_rays, first + p, m_grid, firstRow,
                             {rows.data() + p * maxTileEdge, static_cast<std::size_t>(maxTileEdge)});
                columnOffsets(m_rays, first + p, m_grid, firstColumn,
                              {columns.data() + p * maxTileEdge, static_cast<std::size_t>(maxTileEdge)});
            }
            pass.kernel(tile);
        }
        write(pass, tile, firstColumn, firstRow);
    }

    void write(const Pass& pass, const TileArguments& tile, int firstColumn, int firstRow)
    {
        const int slices = pass.bins.slices;
        // The weights of pairs add up to 4096 (cubic: 2048); their scales don't include this factor.
        const bool pairs = pass.bins.storage == BinStorage::fixedPairs;
        const float unscale = pairs ? (m_arguments.kernel.interpolation == Interpolation::cubic ? 0x1p-11f : 0x1p-12f)
                                    : static_cast<float>(pass.unscale);
        for (int s = 0; s < pass.present; ++s) {
            float* image = m_arguments.image.slice(pass.firstSlice + s).data();
            for (int row = 0; row < tile.rows; ++row) {
                const float* source = tile.sums + static_cast<std::size_t>(row) * maxTileEdge * slices + s;
                float* target = image + static_cast<std::size_t>(firstRow + row) * m_grid.width + firstColumn;
                for (int column = 0; column < tile.columns; ++column)
                    target[column] = source[static_cast<std::size_t>(column) * slices] * unscale;
            }
        }
    }

    const LaunchArguments& m_arguments;
    Rays m_rays;
    const SliceGrid m_grid;
    double m_scale = 1; // scale of halves
};

} // namespace

LaunchReport launchCpu(const LaunchArguments& arguments)
{
    const ForcedTarget forced(arguments.kernel.variant);
    return CpuLaunch(arguments).run();
}

const Method cpuMethod = {
    .id = "cpu",
    .label = "Processor",
    .summary = "Back-projects tile by tile on all cores of the processor, in single precision or 16-bit numbers.",
    .reference = "Shared-memory caching of Chilingaryan et al. 2020 (section 6) in vector registers; transposed data "
                 "after Chen et al. (IPSJ report)",
    .filterPrecision = FilterPrecision::float32,
    .slicesPerPass = {std::begin(cpuSlices), std::end(cpuSlices)},
    .unsupported = [](const Request& request, const Machine&) { return kernelLimits("cpu", cpuSlices, request); },
    .planes = PlaneSupport::acrossSlices, // slices have faster kernels
    .rank = [](const Request&) { return 1; },
    // In single precision 64 slices per pass are no faster than 32 and need twice the memory (measured for slices of
    // 512², cpu-limits.md).
    .worthwhile =
        [](const Request& r) {
            return r.setting.kernel.slicesPerPass <= 32 || r.setting.kernel.precision == Precision::half;
        },
    .variants = processorVariants,
};

} // namespace engine
