// SPDX-License-Identifier: GPL-3.0-or-later
// What methods are verified with: noise as if it had been recorded and filtered, for every geometry.
#pragma once

#include "engine/backproject/method.h"
#include "engine/data/sinograms.h"
#include "engine/scan/geometry.h"

#include <string>
#include <vector>

namespace engine
{

inline constexpr int verifiedOversampling = 4; // positions a bin

// Filtered sinograms of noise: every bin matters, and no mistake hides behind a smooth object.
struct Noise {
    std::string detail;              // what is out of the ordinary: "tilted"
    FilteredSinograms single, twice; // the same values as float and double
    Geometry geometry;               // axisBins: one
    VolumeGrid grid;                 // all that the sinograms are enough for
};

// Enough slices that even one pixel a slice gives a norm that isn't by chance near zero, and never
// a multiple of the slices a pass, so that the last pass is a partial one.
int slicesToVerify(int slicesPerPass, int size);

Noise parallelNoise(int size, int projections, int slices, unsigned seed);

// Of a detector of size bins, full circles: mirrored about the plane of the source; with the detector aside, both
// ways; tilted and rolled; by matrices that belong to no circle; a part of the volume; and of one row, a fan beam. Of
// more than 200 bins only two of them. A single slice has a detector of one row, which has neither tilt nor roll.
std::vector<Noise> coneNoises(int size, int projections, int slices, unsigned seed);

// All noise that the methods are verified with at this size: every geometry that one of them takes, with enough slices
// for their slice modes up to mostSlicesPerPass. Cones have at least three slices, so that all of their cases occur.
std::vector<Noise> noisesFor(const std::vector<const Method*>& methods, int size, int projections,
                             int mostSlicesPerPass, unsigned seed);

} // namespace engine
