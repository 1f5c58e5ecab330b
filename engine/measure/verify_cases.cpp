// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/measure/verify_cases.h"

#include "engine/backends/support.h"
#include "engine/scan/cone_options.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace engine
{

namespace
{

// Fills [slice][projection][bin]; slices: rows of the detector.
void fill(Noise& noise, int slices, int projections, int bins, unsigned seed)
{
    std::seed_seq sequence{seed, static_cast<unsigned>(bins), static_cast<unsigned>(projections)};
    std::mt19937 generator(sequence);
    // The upper 24 of 32 bits: the same numbers with every standard library.
    const auto uniform = [&] { return static_cast<float>(static_cast<int>(generator() >> 8) - (1 << 23)) * 0x1p-23f; };
    Values values(static_cast<std::size_t>(slices) * projections * bins);
    std::generate(values.begin(), values.end(), uniform);
    noise.twice = {slices, projections, bins, Buffer<double>(values.begin(), values.end())};
    noise.single = {slices, projections, bins, std::move(values)};
}

// Returns an offset of the axis in bins that avoids ties at 0°.
double asideOf(int size)
{
    return 0.3 + 0.01 * size;
}

// Returns a detector at 1.6 times the axis' distance, with voxels a little smaller than its pixels at the axis, so
// that rows and slices don't coincide.
ConeOptions ordinary(int size, int slices)
{
    ConeOptions options;
    options.sourceAxisMm = 3.0 * std::max({size, slices, 4});
    options.sourceDetectorMm = 1.6 * *options.sourceAxisMm;
    options.pixelUMm = 1.6;
    options.voxelMm = 0.93;
    options.size = size;
    options.slices = slices;
    options.offsetUMm = -1.6 * asideOf(size); // a small offset, as the detector has little room
    if (size < 3)
        options.offsetUMm = -0.2;
    return options;
}

Noise coneNoise(const char* detail, const ConeOptions& options, int rows, int projections, unsigned seed)
{
    std::vector<double> angles;
    for (int p = 0; p < projections; ++p)
        angles.push_back(2 * std::numbers::pi * p / projections);
    const int size = *options.size;
    Noise noise;
    noise.detail = detail;
    const ConeBeam beam = coneBeamFrom(options, size, rows, std::move(angles), "verify");
    fill(noise, rows, projections, size, seed);
    noise.grid = {{size, 0, 0, size, size, 1}, 0, 1, beam.volume.slices};
    noise.geometry = beam;
    return noise;
}

// Moves the source by up to a hundredth of its distance, so that columns of voxels are inclined in projections.
void leaveTheCircle(ConeBeam& beam)
{
    beam.matrices = projectionMatrices(beam);
    for (std::size_t p = 0; p < beam.matrices.size(); ++p) {
        const double by = 0.01 * std::cos(3.0 * static_cast<double>(p));
        ProjectionMatrix& m = beam.matrices[p];
        for (int row = 0; row < 3; ++row)
            m[4 * row + 2] += by * m[4 * row];
        m[3] += 0.2 * by * beam.bins;
    }
}

} // namespace

int slicesToVerify(int slicesPerPass, int size)
{
    const int least = std::max(1, 64 / (size * size));
    return slicesPerPass == 1 ? least : (least + slicesPerPass - 1) / slicesPerPass * slicesPerPass + 1;
}

Noise parallelNoise(int size, int projections, int slices, unsigned seed)
{
    Noise noise;
    fill(noise, slices, projections, size, seed);
    ParallelBeam beam;
    beam.bins = size;
    for (int p = 0; p < projections; ++p)
        beam.anglesRad.push_back(std::numbers::pi * p / projections);
    beam.axisBins = {(size - 1) / 2.0 + asideOf(size)}; // off the middle, and without ties at 0°
    noise.geometry = beam;
    noise.grid = {{size, 0, 0, size, size, 1}, 0, 1, slices};
    return noise;
}

std::vector<Noise> coneNoises(int size, int projections, int slices, unsigned seed)
{
    const int rows = slices | 1; // odd: no ties in the middle row
    std::vector<Noise> noises;
    const auto add = [&](const char* detail, const ConeOptions& options, int ofRows) {
        noises.push_back(coneNoise(detail, options, ofRows, projections, seed));
    };
    const ConeOptions plain = ordinary(size, slices);
    add("mirrored", plain, rows);
    ConeOptions aside = plain;
    aside.offsetVMm = 0.37 * std::min(rows, 9);
    aside.pixelVMm = 1.75;
    ConeOptions tilted = aside;
    tilted.tiltRad = 0.02;
    tilted.rollRad = -0.015;
    if (rows > 1)
        add("tilted", tilted, rows);
    if (size > 200) // the other cases don't depend on the size
        return noises;
    add("aside", aside, rows);
    add("matrices", aside, rows);
    leaveTheCircle(std::get<ConeBeam>(noises.back().geometry));
    if (slices > 3) {
        add("a slab", plain, rows);
        VolumeGrid& grid = noises.back().grid;
        grid.z0 = slices / 3;
        grid.slices = slices - slices / 3 - 1;
    }
    add("", ordinary(size, 1), 1);
    return noises;
}

std::vector<Noise> noisesFor(const std::vector<const Method*>& methods, int size, int projections,
                             int mostSlicesPerPass, unsigned seed)
{
    std::vector<Noise> noises;
    for (const GeometryKind& kind : geometryKinds()) {
        int slices = 0; // 0: no method takes this geometry
        for (const Method* method : methods)
            for (const int slicesPerPass : method->slicesPerPass)
                if (slicesPerPass <= mostSlicesPerPass && method->takes(kind.example))
                    slices = std::max(slices, slicesToVerify(slicesPerPass, size));
        if (slices == 0)
            continue;
        if (std::holds_alternative<ParallelBeam>(kind.example)) {
            noises.push_back(parallelNoise(size, projections, slices, seed));
            continue;
        }
        // The exact method takes too long for many slices of a large cone.
        const int most = size > 100 ? 5 : size > 50 ? 17 : std::max(slices, 3);
        for (Noise& noise : coneNoises(size, projections, std::clamp(slices, 3, most), seed))
            noises.push_back(std::move(noise));
    }
    return noises;
}

} // namespace engine
