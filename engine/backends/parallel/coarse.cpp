// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/parallel/coarse.h"

#include "engine/base/error.h"
#include "engine/base/parallel_for.h"

#include <algorithm>
#include <numeric>

namespace engine
{

CoarseProblem coarsened(const FilteredSinograms& filtered, const ParallelBeam& beam, const VolumeGrid& grid,
                        int threads, const std::stop_token& stop)
{
    const int step = static_cast<int>(grid.step);
    const int bins = filtered.bins, coarseBins = (bins + step - 1) / step;
    const int rows = filtered.slices * filtered.projections;
    const Values& in = std::get<Values>(filtered.values);
    Values out(static_cast<std::size_t>(rows) * coarseBins);
    tbb::task_arena arena = arenaOf(threads);
    arena.execute([&] {
        parallelFor(0, rows, [&](int row) {
            if (stop.stop_requested())
                return;
            const float* source = in.data() + static_cast<std::size_t>(row) * bins;
            float* target = out.data() + static_cast<std::size_t>(row) * coarseBins;
            for (int bin = 0; bin < coarseBins; ++bin)
                target[bin] = std::accumulate(source + bin * step, source + std::min(bins, (bin + 1) * step), 0.0f) /
                              static_cast<float>(step);
        });
    });
    throwIfStopped(stop);

    CoarseProblem coarse{{filtered.slices, filtered.projections, coarseBins, std::move(out)}, beam, grid};
    coarse.beam.bins = coarseBins;
    for (double& axis : coarse.beam.axisBins)
        axis = (axis - (step - 1) / 2.0) / step; // coarse bin k is centred on the bins k·step … k·step + step − 1
    // x and y of every pixel become step times smaller.
    coarse.grid.step = grid.step / step;
    coarse.grid.size = std::max(1, grid.size / step);
    const double middle = (coarse.grid.size - 1) / 2.0;
    coarse.grid.x0 = grid.x(0) / step + middle;
    coarse.grid.y0 = middle - grid.y(0) / step;
    return coarse;
}

} // namespace engine
