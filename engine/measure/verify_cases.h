// SPDX-License-Identifier: GPL-3.0-or-later
// Test data for the verification of methods: noise in place of recorded and filtered sinograms, for every geometry.
#pragma once

#include "engine/backends/method.h"
#include "engine/data/sinograms.h"
#include "engine/scan/geometry.h"

#include <string>
#include <vector>

namespace engine
{

inline constexpr int verifiedOversampling = 4; // samples per bin

// Filtered sinograms of noise: every bin matters, and no error is hidden by a smooth object.
struct Noise {
    std::string detail;              // the special property of the case: "tilted"
    FilteredSinograms single, twice; // the same values as float and double
    Geometry geometry;               // with one position in axisBins
    VolumeGrid grid;                 // all voxels that the sinograms determine
};

// Returns the number of slices for a test: enough that even with one pixel per slice the norm isn't near zero by
// chance, and no multiple of the slices per pass, so that the last pass is a partial one.
int slicesToVerify(int slicesPerPass, int size);

Noise parallelNoise(int size, int projections, int slices, unsigned seed);

// Returns cases for a detector of `size` bins, with full circles: a volume that is symmetric about the plane of the
// source; the detector offset in both directions; tilted and rolled; matrices that belong to no circle; a part of the
// volume, if it has more than three slices; and a single row, a fan beam. For more than 200 bins only the symmetric and
// the tilted case. A single slice has a detector of one row, which has neither tilt nor roll.
std::vector<Noise> coneNoises(int size, int projections, int slices, unsigned seed);

// Returns all cases of this size: every geometry that one of the methods takes, with enough slices for their slices
// per pass, up to mostSlicesPerPass. Cones have at least three slices, so that tilted and rolled detectors occur.
std::vector<Noise> noisesFor(const std::vector<const Method*>& methods, int size, int projections,
                             int mostSlicesPerPass, unsigned seed);

} // namespace engine
