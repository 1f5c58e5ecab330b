// SPDX-License-Identifier: GPL-3.0-or-later
// Method `exact`, the yardstick: double precision from the filter to the sum, parallel over image rows, not
// optimised.
#include "engine/backends/parallel/exact.h"
#include "engine/backends/cpu/parallel/launches.h"
#include "engine/backends/parallel/double_sums.h"
#include "engine/backends/parallel/limits.h"
#include "engine/base/error.h"
#include "engine/base/parallel_for.h"
#include "engine/base/stopwatch.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <new>

namespace engine
{

namespace
{

constexpr int exactSlices[] = {1, 2, 4, 8};

} // namespace

LaunchReport exactSums(const LaunchArguments& arguments, const TakeSums& take)
{
    const Stopwatch watch;
    const ExactInput input = exactInputOf(arguments);
    const SinogramView& data = arguments.sinograms;
    const SliceGrid& grid = arguments.grid;

    const Stopwatch kernelWatch;
    const int rows = data.slices * grid.height;
    std::atomic<int> done = 0;
    const auto reconstructRow = [&](int row) {
        std::vector<double> sums(grid.width), offsets(grid.width);
        const int slice = row / grid.height;
        for (int p = 0; p < data.projections && !arguments.stop.stop_requested(); ++p) {
            const ExactProjection projection{input.slice(slice, data) + static_cast<std::size_t>(p) * data.bins,
                                             data.bins};
            double position = 0;
            rowPositions(input.rays, p, grid, row % grid.height, {&position, 1});
            columnOffsets(input.rays, p, grid, 0, offsets);
            for (int column = 0; column < grid.width; ++column)
                sums[column] += projection.sample(position + offsets[column], arguments.kernel.interpolation,
                                                  arguments.kernel.oversampling);
        }
        for (double& sum : sums)
            sum /= input.scale;
        take(slice, row % grid.height, 0, sums);
        const int now = ++done;
        if (arguments.progress)
            arguments.progress(static_cast<double>(now) / rows);
    };
    tbb::task_arena arena = arenaOf(arguments.threads);
    arena.execute([&] {
        parallelFor(0, rows, [&](int row) {
            if (!arguments.stop.stop_requested())
                reconstructRow(row);
        });
    });
    throwIfStopped(arguments.stop);
    const double kernelSeconds = kernelWatch.seconds();
    return {.kernelSeconds = kernelSeconds, .totalSeconds = watch.seconds()};
}

LaunchReport launchExact(const LaunchArguments& arguments)
{
    return exactSums(arguments, intoImage(arguments.image));
}

const Method exactMethod = {
    .id = "exact",
    .label = "Exact",
    .summary = "Double precision from the filter to the sum; slow; the reference for all other methods.",
    .reference = "Direct evaluation of the back-projection sum",
    .filterPrecision = FilterPrecision::float64,
    .slicesPerPass = {std::begin(exactSlices), std::end(exactSlices)},
    .unsupported = [](const Request& request, const Machine&) { return kernelLimits("exact", exactSlices, request); },
    .planes = PlaneSupport::betweenVoxels,
    .yardstick = true,
};

} // namespace engine
