// All cores: the image in tiles whose sums stay in the first-level cache while every projection is
// added to them. Tiles are shared out by oneTBB; each pixel is summed in the order of the
// projections, so that the image is the same, bit for bit, for any number of threads.
#include "engine/backproject/cpu/limits.h"
#include "engine/backproject/cpu/tile_kernel.h"
#include "engine/backproject/half_scale.h"
#include "engine/backproject/rays.h"
#include "engine/error.h"
#include "engine/parallel_for.h"

#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <new>

namespace engine
{

namespace
{

constexpr int slicesPerPass[] = {1, 2, 4, 8};

// Rows of a tile: its sums take 16 KiB whatever the number of slices, half of a first-level cache.
constexpr int tileRows(int slices)
{
    return 64 / slices;
}

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Slices that are reconstructed together, [projection][bin][slice]; missing slices of the last group are 0.
struct Pass {
    int firstSlice = 0;
    int slices = 0;                // of the layout
    int present = 0;               // of the data
    const float* floats = nullptr; // one of the two
    const std::uint16_t* halves = nullptr;
    std::vector<float> floatLayout;
    std::vector<std::uint16_t> halfLayout;
};

class CpuLaunch
{
  public:
    explicit CpuLaunch(const LaunchArguments& arguments)
        : m_arguments(arguments), m_rays(raysOf(arguments, FilterPrecision::float32)), m_grid(arguments.grid),
          m_bins(arguments.sinograms.bins), m_values(std::get<std::vector<float>>(arguments.sinograms.values)),
          m_slices(std::min(arguments.slicesPerPass, 8)), m_kernel(tileKernel(arguments.interpolation, m_slices)),
          m_passes((arguments.sinograms.slices + m_slices - 1) / m_slices),
          m_tilesAcross((m_grid.width + maxTileColumns - 1) / maxTileColumns),
          m_tilesDown((m_grid.height + tileRows(m_slices) - 1) / tileRows(m_slices))
    {
    }

    LaunchTimes run()
    {
        const auto begin = Clock::now();
        double kernelSeconds = 0;
        tbb::task_arena arena(m_arguments.threads > 0 ? std::min(m_arguments.threads, tbb::info::default_concurrency())
                                                      : tbb::task_arena::automatic);
        arena.execute([&] {
            if (m_arguments.precision == Precision::half)
                m_scale = halfScale(std::span<const float>(m_values));
            for (int k = 0; k < m_passes && !stopped(); ++k) {
                const Pass pass = layOut(k);
                const auto kernelBegin = Clock::now();
                parallelFor(0, m_tilesAcross * m_tilesDown, [&](int tile) { reconstructTile(pass, tile); });
                kernelSeconds += secondsSince(kernelBegin);
            }
        });
        if (stopped())
            throw Error(ErrorKind::cancelled, "stopped while back-projecting");
        return {kernelSeconds, secondsSince(begin)};
    }

  private:
    bool stopped() const { return m_arguments.stop.stop_requested(); }

    Pass layOut(int index) const
    {
        Pass pass;
        pass.firstSlice = index * m_slices;
        pass.slices = m_slices;
        pass.present = std::min(m_slices, m_arguments.sinograms.slices - pass.firstSlice);
        if (m_arguments.precision == Precision::half) {
            const float scale = static_cast<float>(m_scale);
            interleave(pass, pass.halfLayout, [scale](float value) { return toHalf(value * scale); });
            pass.halves = pass.halfLayout.data();
        } else if (m_slices == 1) {
            pass.floats = sinogram(pass.firstSlice); // as it is
        } else {
            interleave(pass, pass.floatLayout, [](float value) { return value; });
            pass.floats = pass.floatLayout.data();
        }
        return pass;
    }

    const float* sinogram(int slice) const
    {
        return m_values.data() + static_cast<std::size_t>(slice) * m_rays.projections() * m_bins;
    }

    template <typename Stored, typename Convert>
    void interleave(const Pass& pass, std::vector<Stored>& layout, Convert convert) const
    {
        const std::size_t perProjection = static_cast<std::size_t>(m_bins) * pass.slices;
        layout.resize(perProjection * m_rays.projections());
        parallelFor(0, m_rays.projections(), [&](int p) {
            if (stopped())
                return;
            for (int s = 0; s < pass.present; ++s) {
                const float* source = sinogram(pass.firstSlice + s) + static_cast<std::size_t>(p) * m_bins;
                Stored* target = layout.data() + p * perProjection + s;
                for (int bin = 0; bin < m_bins; ++bin)
                    target[static_cast<std::size_t>(bin) * pass.slices] = convert(source[bin]);
            }
        });
    }

    void reconstructTile(const Pass& pass, int tile)
    {
        if (stopped())
            return;
        const int firstRow = tile / m_tilesAcross * tileRows(m_slices);
        const int firstColumn = tile % m_tilesAcross * maxTileColumns;
        const int rows = std::min(tileRows(m_slices), m_grid.height - firstRow);
        const int columns = std::min(maxTileColumns, m_grid.width - firstColumn);
        const int padded = (columns + columnMultiple - 1) / columnMultiple * columnMultiple;

        std::vector<float> sums(static_cast<std::size_t>(rows) * padded * m_slices);
        std::vector<float> window;
        double positions[tileRows(1)], offsets[maxTileColumns];
        TileProjection view;
        view.rowPositions = positions;
        view.columnOffsets = offsets;
        view.rows = rows;
        view.columns = padded;
        view.oversampling = m_arguments.oversampling;
        view.sums = sums.data();
        for (int p = 0; p < m_rays.projections() && !stopped(); ++p) {
            rowPositions(m_rays, p, m_grid, firstRow, {positions, static_cast<std::size_t>(rows)});
            columnOffsets(m_rays, p, m_grid, firstColumn, {offsets, static_cast<std::size_t>(padded)});
            if (lookAt(pass, p, view, window))
                m_kernel(view);
        }
        write(pass, firstRow, firstColumn, rows, columns, padded, sums.data());
        const int now = ++m_tilesDone;
        if (m_arguments.progress)
            m_arguments.progress(static_cast<double>(now) / (m_passes * m_tilesAcross * m_tilesDown));
    }

    // The bins that the tile can reach; false when none of them is on the detector.
    bool lookAt(const Pass& pass, int p, TileProjection& view, std::vector<float>& window) const
    {
        const auto [rowLow, rowHigh] = std::minmax(view.rowPositions[0], view.rowPositions[view.rows - 1]);
        const auto [low, high] = std::minmax(view.columnOffsets[0], view.columnOffsets[view.columns - 1]);
        // `nearest` and `cubic` reach one bin left of floor(h) and two right of it; one more for rounding.
        const double first = std::floor(rowLow + low) - 2, last = std::floor(rowHigh + high) + 4;
        if (!(last >= 0 && first < m_bins))
            return false;
        view.base = static_cast<long long>(first);
        const long long end = static_cast<long long>(last);
        const std::size_t source = static_cast<std::size_t>(p) * m_bins * pass.slices;
        if (pass.floats && view.base >= 0 && end + windowSlack <= m_bins) {
            view.window = pass.floats + source + view.base * pass.slices;
            return true;
        }
        window.assign(static_cast<std::size_t>(end - view.base) * pass.slices + windowSlack, 0.0f);
        const long long from = std::max(view.base, 0LL), to = std::min<long long>(end, m_bins);
        float* target = window.data() + (from - view.base) * pass.slices;
        const std::size_t count = to > from ? static_cast<std::size_t>(to - from) * pass.slices : 0;
        if (pass.floats)
            std::copy_n(pass.floats + source + from * pass.slices, count, target);
        else
            std::transform(pass.halves + source + from * pass.slices, pass.halves + source + from * pass.slices + count,
                           target, fromHalf);
        view.window = window.data();
        return true;
    }

    void write(const Pass& pass, int firstRow, int firstColumn, int rows, int columns, int padded, const float* sums)
    {
        const float unscale = static_cast<float>(1 / m_scale);
        for (int s = 0; s < pass.present; ++s) {
            float* image = m_arguments.image.slice(pass.firstSlice + s).data();
            for (int row = 0; row < rows; ++row) {
                const float* source = sums + static_cast<std::size_t>(row) * padded * m_slices + s;
                float* target = image + static_cast<std::size_t>(firstRow + row) * m_grid.width + firstColumn;
                for (int column = 0; column < columns; ++column)
                    target[column] = source[static_cast<std::size_t>(column) * m_slices] * unscale;
            }
        }
    }

    const LaunchArguments& m_arguments;
    const Rays m_rays;
    const SliceGrid m_grid;
    const int m_bins;
    const std::vector<float>& m_values;
    const int m_slices;
    const TileKernel m_kernel;
    const int m_passes;
    const int m_tilesAcross;
    const int m_tilesDown;
    double m_scale = 1; // of the halves
    std::atomic<int> m_tilesDone = 0;
};

} // namespace

const Method cpuMethod = {
    "cpu",
    "Processor",
    "All cores of the processor, tile by tile, in single precision.",
    "Tiles in cache with slices interleaved, after section 7 of 000",
    DeviceSettings::Kind::cpu,
    FilterPrecision::float32,
    {std::begin(slicesPerPass), std::end(slicesPerPass)},
    [](const Request& request) { return processorLimits("cpu", slicesPerPass, request); },
    [](const LaunchArguments& arguments) { return CpuLaunch(arguments).run(); },
};

} // namespace engine
