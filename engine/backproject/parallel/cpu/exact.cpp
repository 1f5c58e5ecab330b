// The yardstick: double precision from the filter to the sum, one thread per image row, nothing clever.
#include "engine/backproject/parallel/cpu/double_sums.h"
#include "engine/backproject/parallel/cpu/limits.h"
#include "engine/backproject/parallel/rays.h"
#include "engine/error.h"
#include "engine/half_scale.h"
#include "engine/parallel_for.h"
#include "engine/stopwatch.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <new>

namespace engine
{

namespace
{

constexpr int exactSlices[] = {1, 2, 4, 8};

struct Projection {
    const double* values;
    int bins;

    double at(long long bin) const { return bin >= 0 && bin < bins ? values[bin] : 0.0; }

    double linear(double h) const
    {
        const double left = std::floor(h);
        const double f = h - left;
        const auto bin = static_cast<long long>(left);
        return (1 - f) * at(bin) + f * at(bin + 1);
    }

    double nearest(double h) const { return at(static_cast<long long>(std::floor(h + 0.5))); }

    // Catmull-Rom: Keys' cubic with a = −1/2.
    double cubic(double h) const
    {
        const double left = std::floor(h);
        const double f = h - left;
        const auto bin = static_cast<long long>(left);
        return (-0.5 * f + f * f - 0.5 * f * f * f) * at(bin - 1) + (1 - 2.5 * f * f + 1.5 * f * f * f) * at(bin) +
               (0.5 * f + 2 * f * f - 1.5 * f * f * f) * at(bin + 1) + (-0.5 * f * f + 0.5 * f * f * f) * at(bin + 2);
    }

    double sample(double h, Interpolation interpolation, int oversampling) const
    {
        if (!(h > -3 && h < bins + 2)) // no method reaches further; keeps the conversions in range
            return 0;
        switch (interpolation) {
        case Interpolation::nearest:
            return nearest(h);
        case Interpolation::linear:
            return linear(h);
        case Interpolation::oversampled:
            return linear(std::floor(h * oversampling + 0.5) / oversampling);
        case Interpolation::cubic:
            return cubic(h);
        }
        return 0;
    }
};

// Half precision: the values as halves, in doubles; times the scale.
std::vector<double> roundedToHalf(std::span<const double> values, double scale)
{
    std::vector<double> rounded(values.size());
    for (std::size_t k = 0; k < values.size(); ++k)
        rounded[k] = fromHalf(toHalf(values[k] * scale));
    return rounded;
}

} // namespace

LaunchReport exactSums(const LaunchArguments& arguments, const TakeSums& take)
{
    const Stopwatch watch;
    const Rays rays = raysOf(arguments, FilterPrecision::float64);
    const SinogramView& data = arguments.sinograms;
    const SliceGrid& grid = arguments.grid;
    const std::span<const double> given = data.doubles;
    double scale = 1;
    std::vector<double> halves;
    if (arguments.kernel.precision == Precision::half) {
        scale = halfScale(given);
        halves = roundedToHalf(given, scale);
    }
    const double* values = halves.empty() ? given.data() : halves.data();

    const Stopwatch kernelWatch;
    const int rows = data.slices * grid.height;
    std::atomic<int> done = 0;
    const auto reconstructRow = [&](int row) {
        std::vector<double> sums(grid.width), offsets(grid.width);
        const int slice = row / grid.height;
        for (int p = 0; p < data.projections && !arguments.stop.stop_requested(); ++p) {
            const Projection projection{values + (static_cast<std::size_t>(slice) * data.projections + p) * data.bins,
                                        data.bins};
            double position = 0;
            rowPositions(rays, p, grid, row % grid.height, {&position, 1});
            columnOffsets(rays, p, grid, 0, offsets);
            for (int column = 0; column < grid.width; ++column)
                sums[column] += projection.sample(position + offsets[column], arguments.kernel.interpolation,
                                                  arguments.kernel.oversampling);
        }
        for (double& sum : sums)
            sum /= scale;
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

const Method exactMethod = {
    .id = "exact",
    .label = "Exact",
    .summary = "Double precision from the filter to the sum; slow, and what every other method is measured against.",
    .reference = "Direct evaluation of the back-projection sum",
    .device = DeviceSettings::Kind::cpu,
    .filterPrecision = FilterPrecision::float64,
    .slicesPerPass = {std::begin(exactSlices), std::end(exactSlices)},
    .unsupported = [](const Request& request) { return processorLimits("exact", exactSlices, request); },
    .launch = [](const LaunchArguments& arguments,
                 Workspace&) { return exactSums(arguments, intoImage(arguments.image)); },
    .yardstick = true,
};

} // namespace engine
