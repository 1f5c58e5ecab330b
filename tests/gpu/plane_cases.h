// SPDX-License-Identifier: GPL-3.0-or-later
// Planes, and random projections of them, for tests of planes on a GPU.
#pragma once

#include "tests/gpu/device.h"
#include "tests/plane_gaps.h"

#include "engine/backends/backend.h"
#include "engine/scan/cone_options.h"
#include "engine/stages/stages.h"

#include <cmath>
#include <random>

using namespace engine;

namespace fixtures
{

// Random filtered rows of all slices, and the other arguments of a launch. Numbers of noise: neighbours differ as much
// as the values are large.
struct PlaneCase {
    Geometry geometry;
    VolumeSize volume;
    RowRange rows;
    FilteredSinograms single, twice;
    std::shared_ptr<const Scan> scan = std::make_shared<Scan>(); // for keys

    explicit PlaneCase(const ParallelBeam& beam, int slices) : PlaneCase(Geometry(beam), {beam.bins, slices}) {}
    explicit PlaneCase(const ConeBeam& beam) : PlaneCase(Geometry(beam), {beam.volume.size, beam.volume.slices}) {}

    PlaneCase(Geometry of, VolumeSize size) : geometry(std::move(of)), volume(size)
    {
        rows = rowsFor(geometry, grid());
        const int projections = static_cast<int>(anglesRadOf(geometry).size()), bins = binsOf(geometry);
        std::mt19937 generator(5);
        Values values(std::size_t(rows.count) * projections * bins);
        for (float& value : values)
            value = static_cast<float>(static_cast<int>(generator() >> 8) - (1 << 23)) * 0x1p-23f;
        twice = {rows.count, projections, bins, Buffer<double>(values.begin(), values.end())};
        single = {rows.count, projections, bins, std::move(values)};
    }

    VolumeGrid grid() const { return {{volume.size, 0, 0, volume.size, volume.size, 1}, 0, 1, volume.slices}; }

    FilteredKey key() const { return {{scan, rows}, {}}; }

    Volume run(const std::string& id, const Plane& plane, const Kernel& kernel, Workspace& workspace,
               bool hasKey = true, int step = 1) const
    {
        const Method& method = *findMethod(id, geometry);
        const bool wide = method.filterPrecision == FilterPrecision::float64;
        Volume image(1, plane.height, plane.width);
        std::fill(image.values.begin(), image.values.end(), notANumber);
        launch(method,
               {.sinograms = wide ? twice : single,
                .firstRow = rows.first,
                .geometry = geometry,
                .grid = grid(),
                .plane = &plane,
                .projectionStep = step,
                .filteredKey = hasKey ? std::optional(key()) : std::nullopt,
                .kernel = kernel,
                .image = image},
               workspace);
        return closeGaps(plane, volume.slices, std::move(image));
    }

    void setNotANumber(int row, int projection, int bin)
    {
        const std::size_t place = (std::size_t(row) * single.projections + projection) * single.bins + bin;
        std::get<Values>(single.values)[place] = notANumber;
        std::get<Buffer<double>>(twice.values)[place] = std::nan("");
    }
};

inline ParallelBeam parallelOf(int size, int projections, double axis)
{
    ParallelBeam beam;
    beam.anglesRad = evenAngles(projections, std::numbers::pi);
    beam.axisBins = {axis};
    beam.bins = size;
    return beam;
}

inline ConeBeam coneOf(int size, int projections, double halfConeDeg, double offset = 0, double arcDeg = 360)
{
    ConeOptions options;
    options.sourceAxisMm = size / 2.0 / std::tan(halfConeDeg * degree);
    options.sourceDetectorMm = 1.5 * *options.sourceAxisMm;
    options.pixelUMm = 1.5;
    options.offsetUMm = 1.5 * offset;
    return coneBeamFrom(options, size, size, evenAngles(projections, arcDeg * degree), "test");
}

// As for slices (cone_test.cpp). No bin is the middle between two for all pixels at once: there, rounding decides.
inline double boundOf(const Kernel& kernel)
{
    if (kernel.interpolation == Interpolation::nearest)
        return std::sqrt(2 * 4 * 4e-5) + (kernel.precision == Precision::half ? 3e-4 : 0);
    return 5e-3; // weights of 8 bits
}

// Returns planes of all kinds: level, upright in both ways round, tilted, small, large, and partly outside.
inline std::vector<Plane> planesThrough(const VolumeSize& volume, unsigned seed, int random)
{
    std::vector<Plane> planes;
    const double middle = (volume.size - 1) / 2.0, depth = (volume.slices - 1) / 2.0;
    planes.push_back(planeAcross(PlaneAxis::x, middle + 0.3, volume));
    planes.push_back(planeAcross(PlaneAxis::y, middle - 1.2, volume));
    planes.push_back(planeAcross(PlaneAxis::z, depth + 0.37, volume));
    Plane upright = turned(planeAcross(PlaneAxis::x, middle, volume), {0, 0, 1}, 33);
    upright.width += 7; // partly outside
    upright.height += 5;
    upright.centre[2] += 0.41;
    planes.push_back(upright);
    upright.pixel = 0.37;
    planes.push_back(upright);
    upright.pixel = 1.9;
    planes.push_back(upright);
    std::swap(upright.u, upright.v); // columns of the image are level
    std::swap(upright.width, upright.height);
    planes.push_back(upright);
    upright.pixel = 5; // more than a group of rows from pixel to pixel
    planes.push_back(upright);
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> anywhere(-1, 1);
    for (int k = 0; k < random; ++k) {
        Plane plane = planeAcross(PlaneAxis::z, depth, volume);
        plane.centre = {middle * (1 + 0.4 * anywhere(generator)), middle * (1 + 0.4 * anywhere(generator)),
                        depth * (1 + 0.4 * anywhere(generator))};
        plane = turned(turned(plane, {0, 0, 1}, 180 * anywhere(generator)), {1, 0, 0}, 180 * anywhere(generator));
        plane.width = 7 + 31 * k;
        plane.height = k % 3 == 0 ? 3 : 90 - 11 * k;
        plane.pixel = 1 + 0.4 * anywhere(generator);
        planes.push_back(plane);
    }
    return planes;
}

} // namespace fixtures
