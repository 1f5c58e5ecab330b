// SPDX-License-Identifier: GPL-3.0-or-later
// Method `exact` for cone beams, the yardstick: Chen et al. (IPSJ report), Listing 1 (as in RTK), in double
// precision, not optimised, parallel over rows of voxels. Each voxel is summed in the order of the projections.
#include "engine/backends/cone/views.h"
#include "engine/backends/cpu/cone/detector_image.h"
#include "engine/backends/cpu/parallel/launches.h"
#include "engine/base/error.h"
#include "engine/base/parallel_for.h"
#include "engine/base/stopwatch.h"
#include "engine/data/half_scale.h"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace engine
{

namespace
{

constexpr int exactConeSlices[] = {1, 2, 4, 8, 16, 32, 64};

std::vector<double> asHalves(std::span<const double> values, double scale)
{
    std::vector<double> halves(values.size());
    std::transform(values.begin(), values.end(), halves.begin(),
                   [scale](double value) { return fromHalf(toHalf(value * scale)); });
    return halves;
}

} // namespace

LaunchReport launchExactCone(const LaunchArguments& arguments)
{
    const Stopwatch watch;
    const std::vector<ProjectionMatrix> views = viewsOf(arguments, FilterPrecision::float64);
    const SinogramView& data = arguments.sinograms;
    const VolumeGrid& grid = arguments.grid;
    std::span<const double> values = data.doubles;
    std::vector<double> halves;
    double scale = 1;
    if (arguments.kernel.precision == Precision::half) {
        scale = halfScale(values);
        halves = asHalves(values, scale);
        values = halves;
    }

    const Stopwatch kernelWatch;
    const int lines = grid.slices * grid.height;
    std::atomic<int> done = 0;
    const auto reconstructLine = [&](int line) {
        const int k = line / grid.height, j = line % grid.height;
        std::vector<double> sums(grid.width);
        for (int p = 0; p < data.projections && !arguments.stop.stop_requested(); ++p) {
            const DetectorImage image{values.data() + static_cast<std::size_t>(p) * data.bins, data.sliceSize(),
                                      data.slices, data.bins};
            const ProjectionMatrix& m = views[p];
            for (int i = 0; i < grid.width; ++i) {
                const Meeting at = meetingOf(m, i, j, k);
                sums[i] += image.sample(at.r, at.h, arguments.kernel.interpolation) / (at.w * at.w);
            }
        }
        float* out = arguments.image.slice(k).data() + static_cast<std::size_t>(j) * grid.width;
        for (int i = 0; i < grid.width; ++i)
            out[i] = static_cast<float>(sums[i] / scale);
        const int now = ++done;
        if (arguments.progress)
            arguments.progress(static_cast<double>(now) / lines);
    };
    tbb::task_arena arena = arenaOf(arguments.threads);
    arena.execute([&] {
        parallelFor(0, lines, [&](int line) {
            if (!arguments.stop.stop_requested())
                reconstructLine(line);
        });
    });
    throwIfStopped(arguments.stop);
    return {.kernelSeconds = kernelWatch.seconds(), .totalSeconds = watch.seconds()};
}

const Method exactConeMethod = {
    .id = "exact",
    .label = "Exact",
    .summary = "Double precision from the filter to the sum; slow; the reference for all other methods.",
    .reference = "Chen et al. (IPSJ report), Listing 1, in double precision",
    .filterPrecision = FilterPrecision::float64,
    .slicesPerPass = {std::begin(exactConeSlices), std::end(exactConeSlices)},
    .unsupported = [](const Request& request, const Machine&) { return coneLimits(exactConeMethod, request); },
    .takes = takesConeBeam,
    .planes = PlaneSupport::betweenVoxels,
    .yardstick = true,
    .isReference = true,
};

} // namespace engine
