// SPDX-License-Identifier: GPL-3.0-or-later
// Filtered projections of noise from a cone beam, back-projected by one method as the program launches it.
#pragma once

#include "engine/backproject/cone/views.h"
#include "engine/backproject/method.h"
#include "engine/backproject/parallel/cpu/kernels.h"
#include "tests/fixtures.h"

#include <QTest>

#include <random>

namespace conenoise
{

using namespace engine;

// Rays through a volume a good deal off the middle plane; magnified 1.6 times; voxels as large as a pixel at the axis.
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
    VolumeGrid grid; // at first the whole volume
    int firstRow = 0;

    // The rows of the detector from `first` on, all of them where `count` is 0.
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
        return method.launch({.sinograms = method.filterPrecision == FilterPrecision::float64 ? twice : single,
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
