// SPDX-License-Identifier: GPL-3.0-or-later
// Filtered noise projections of a cone beam, back-projected by one method with the launch that the program uses
#pragma once

#include "engine/backends/backend.h"
#include "engine/backends/cone/views.h"
#include "engine/backends/cpu/parallel/kernels.h"
#include "engine/backends/method.h"
#include "tests/fixtures.h"

#include <QTest>

#include <random>

namespace conenoise
{

using namespace engine;

// Returns a cone beam with rays far off the middle plane, magnification 1.6, and voxels as large as a pixel scaled to
// the axis.
inline ConeBeam beamOf(int bins, int rows, std::vector<double> anglesRad)
{
    ConeBeam beam;
    beam.bins = bins;
    beam.rows = rows;
    beam.anglesRad = std::move(anglesRad);
    beam.axisBins = {(bins - 1) / 2.0};
    beam.centralRow = (rows - 1) / 2.0;
    beam.sourceAxisMm = 2.5 * std::max(bins, rows);
    beam.sourceDetectorMm = 1.6 * beam.sourceAxisMm;
    beam.pixelUMm = beam.pixelVMm = 1.6;
    beam.volume = {1, bins, rows};
    return beam;
}

struct ConeCase {
    FilteredSinograms single, twice;
    ConeBeam beam;
    VolumeGrid grid; // initially the whole volume
    int firstRow = 0;

    // Uses the detector rows from `first` on: `count` of them, or all if `count` is 0.
    explicit ConeCase(ConeBeam beam_, int first = 0, int count = 0)
        : beam(std::move(beam_)), grid{{beam.volume.size, 0, 0, beam.volume.size, beam.volume.size, 1},
                                       0,
                                       1,
                                       beam.volume.slices},
          firstRow(first)
    {
        const int rows = count > 0 ? count : beam.rows;
        std::mt19937 generator(11);
        std::uniform_real_distribution<float> uniform(-1, 1);
        Values values(static_cast<std::size_t>(rows) * beam.projections() * beam.bins);
        for (float& value : values)
            value = uniform(generator);
        twice = {rows, beam.projections(), beam.bins, Buffer<double>(values.begin(), values.end())};
        single = {rows, beam.projections(), beam.bins, std::move(values)};
    }

    Values& values() { return std::get<Values>(single.values); }

    LaunchReport launch(const char* id, const Kernel& kernel, int threads, Volume& image,
                        std::function<void(double)> progress = {}, std::stop_token stop = {}) const
    {
        const Geometry geometry = beam;
        const Method& method = *findMethod(id, geometry);
        Workspace workspace;
        return engine::launch(method,
                              {.sinograms = method.filterPrecision == FilterPrecision::float64 ? twice : single,
                               .firstRow = firstRow,
                               .geometry = geometry,
                               .grid = grid,
                               .kernel = kernel,
                               .threads = threads,
                               .image = image,
                               .progress = std::move(progress),
                               .stop = stop},
                              workspace);
    }

    Volume run(const char* id, const Kernel& kernel, int threads = 0) const
    {
        Volume image(grid.slices, grid.height, grid.width);
        std::fill(image.values.begin(), image.values.end(), std::numeric_limits<float>::quiet_NaN());
        launch(id, kernel, threads, image);
        return image;
    }
};

} // namespace conenoise
