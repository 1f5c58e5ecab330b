// SPDX-License-Identifier: GPL-3.0-or-later
// Filtered sinograms of noise, back-projected by one method with the launch that the program uses
#pragma once

#include "engine/backends/backend.h"
#include "engine/backends/cpu/parallel/kernels.h"
#include "engine/backends/method.h"
#include "engine/backends/parallel/double_sums.h"
#include "tests/fixtures.h"

#include <QTest>

#include <random>

namespace noise
{

using namespace engine;

inline constexpr Interpolation allInterpolations[] = {Interpolation::nearest, Interpolation::linear,
                                                      Interpolation::oversampled, Interpolation::cubic};

// Filtered sinograms of noise in both precisions, their geometry and a grid
struct Case {
    FilteredSinograms single, twice;
    ParallelBeam beam;
    SliceGrid grid;

    Case(int bins, const std::vector<double>& anglesRad, int slices, const SliceGrid& grid_) : grid(grid_)
    {
        const int projections = static_cast<int>(anglesRad.size());
        std::mt19937 generator(11);
        std::uniform_real_distribution<float> uniform(-1, 1);
        Values values(static_cast<std::size_t>(slices) * projections * bins);
        for (float& value : values)
            value = uniform(generator);
        twice = {slices, projections, bins, Buffer<double>(values.begin(), values.end())};
        single = {slices, projections, bins, values};
        beam.bins = bins;
        beam.anglesRad = anglesRad;
        beam.axisBins = {(bins - 1) / 2.0};
    }

    const FilteredSinograms& sinogramsFor(const Method& method) const
    {
        return method.filterPrecision == FilterPrecision::float64 ? twice : single;
    }

    Volume run(const Method& method, Interpolation interpolation, Precision precision = Precision::single,
               int slicesPerPass = 1, int threads = 0, int oversampling = 4) const
    {
        const FilteredSinograms& sinograms = sinogramsFor(method);
        Volume image(sinograms.slices, grid.height, grid.width);
        std::fill(image.values.begin(), image.values.end(), std::numeric_limits<float>::quiet_NaN());
        Workspace workspace;
        launch(method,
               {.sinograms = sinograms,
                .geometry = beam,
                .grid = {grid, 0, 1, sinograms.slices},
                .kernel = {.interpolation = interpolation,
                           .oversampling = oversampling,
                           .precision = precision,
                           .slicesPerPass = slicesPerPass},
                .threads = threads,
                .image = image},
               workspace);
        return image;
    }
};

// Returns every sum of a method in double precision before rounding; NaN where the method passed on no sum.
inline std::vector<double> sumsOf(const Case& c, LaunchReport (*sums)(const LaunchArguments&, const TakeSums&),
                                  const Kernel& kernel = {}, int threads = 0)
{
    const SliceGrid& grid = c.grid;
    Volume size(c.twice.slices, grid.height, grid.width);
    std::vector<double> values(size.values.size(), std::numeric_limits<double>::quiet_NaN());
    sums({.sinograms = c.twice,
          .geometry = c.beam,
          .grid = {grid, 0, 1, c.twice.slices},
          .kernel = kernel,
          .threads = threads,
          .image = size},
         [&](int slice, int row, int firstColumn, std::span<const double> some) {
             std::copy(some.begin(), some.end(),
                       values.begin() + (static_cast<std::ptrdiff_t>(slice) * grid.height + row) * grid.width +
                           firstColumn);
         });
    return values;
}

// Adds one test row per instruction set that this processor has.
inline void addTargets()
{
    QTest::addColumn<QString>("target");
    for (const std::string& target : processorTargets())
        QTest::newRow(target.c_str()) << QString::fromStdString(target);
}

} // namespace noise
