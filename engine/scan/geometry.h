// SPDX-License-Identifier: GPL-3.0-or-later
// How a scan was taken, whatever its geometry; rotation axes; angular weights.
#pragma once

#include "engine/base/note.h"
#include "engine/data/volume.h"
#include "engine/scan/geometries.h"

#include <optional>
#include <string>
#include <vector>

namespace engine
{

// Rows of the detector, or slices of a volume, [first, first + count).
struct RowRange {
    int first = 0;
    int count = 1;
    bool operator==(const RowRange&) const = default;
};

// What every geometry has.
std::string labelOf(const Geometry& geometry); // "parallel beam"
int binsOf(const Geometry& geometry);
double middleBinsOf(const Geometry& geometry);
const std::vector<double>& anglesRadOf(const Geometry& geometry); // one per projection
const std::vector<double>& axisBinsOf(const Geometry& geometry);  // empty: unknown; one: common to all; else one each
std::optional<double> pixelSizeMmOf(const Geometry& geometry);    // of a slice, where the scan says so
int sliceSizeOf(const Geometry& geometry);                        // pixels along each side of a slice
double rotationRadOf(const Geometry& geometry);                   // of the slices, anticlockwise; part of the angles
int slicesOf(const Geometry& geometry, int rows);                 // of the volume, from a detector of so many rows

// The same geometry with the axis there; shifts of projections are added to it.
Geometry withAxis(Geometry geometry, double axisBins);

// Rows of the detector that the voxels of the grid need. Parallel beam: as many as slices, slice k from row z0 + k.
// Cone beam: a band, without what lies beyond the detector; one row, of which nothing comes into the image, for voxels
// that no ray meets. Throws Error(badRequest) for a geometry that nothing is reconstructed from yet.
RowRange rowsFor(const Geometry& geometry, const VolumeGrid& grid);

// The same pixels for a back-projection, whose lengths are bins: of a parallel beam with pixels of another size. Cones
// know theirs.
VolumeGrid gridInBins(VolumeGrid grid, const Geometry& geometry);

// Throws Error(badRequest) that says what `who` takes for any other geometry.
const ParallelBeam& parallelBeamOf(const Geometry& geometry, const Text& who);
const ConeBeam& coneBeamOf(const Geometry& geometry, const Text& who);

// Directions that no projection looks along, anticlockwise from an angle of the scan.
struct MissingWedge {
    double fromRad = 0, widthRad = 0;
};

// How evenly a set of angles fills the half circle, and what follows for the sum.
struct AngularSampling {
    // Of each projection, in radians: half the distance to its neighbours on the half circle, halved once more
    // because the filter is 2·FFT(h), and again on a full circle, which sees all twice; N even angles over 180° or 360°
    // give π/(2N) each. Equal directions share their part.
    std::vector<double> weights;
    // Gaps that nobody measured. They are left out: a projection beside one counts its other gap on both sides.
    // From the angle of the projection before it, as given.
    std::vector<MissingWedge> missingWedges;
    bool uneven = false;                      // the largest share of a direction is more than 1.5 × the smallest
    double leastStepRad = 0, mostStepRad = 0; // between neighbouring directions, wedges aside
};

// After which turn the directions come again: parallel rays see the same from both sides, those of a cone don't.
enum class Turn { half, full };

// Any number of angles, in any order; for a full turn, read "circle" for "half circle". A gap is a missing wedge when
// it is wide against the two gaps on either side of it and against the half circle; other wide gaps, of random angles
// for one, count in full. Thresholds: tests/bench/results/angular-weights.md.
AngularSampling angularSampling(const std::vector<double>& anglesRad, Turn turn = Turn::half);
bool isFullTurn(const std::vector<double>& anglesRad); // no wedge of it is missing

// How the projections are weighted where it isn't the same for all: sentences for the user.
std::vector<Note> notesOf(const AngularSampling& sampling);

// The weights of angularSampling.
std::vector<double> angularWeights(const std::vector<double>& anglesRad);

} // namespace engine
