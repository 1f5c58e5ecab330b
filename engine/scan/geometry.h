// SPDX-License-Identifier: GPL-3.0-or-later
// Functions for all geometries of a scan, rotation axes, and angular weights.
#pragma once

#include "engine/base/note.h"
#include "engine/data/volume.h"
#include "engine/scan/geometries.h"

#include <numbers>
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

// Properties that every geometry has.
std::string labelOf(const Geometry& geometry); // "parallel beam"
int binsOf(const Geometry& geometry);
double middleBinsOf(const Geometry& geometry);
const std::vector<double>& anglesRadOf(const Geometry& geometry); // one per projection
const std::vector<double>& axisBinsOf(const Geometry& geometry);  // empty: unknown; one: common to all; else one each
std::optional<double> pixelSizeMmOf(const Geometry& geometry);    // of a slice, if the scan specifies it
int sliceSizeOf(const Geometry& geometry);                        // pixels along each side of a slice
double rotationRadOf(const Geometry& geometry);                   // of the slices, anticlockwise; part of the angles
int slicesOf(const Geometry& geometry, int rows);                 // of the volume, given the rows of the detector

// Returns the geometry with the axis at this bin; shifts of projections are added to it.
Geometry withAxis(Geometry geometry, double axisBins);

// Returns the rows of the detector that the voxels of the grid need. Parallel beam: as many as slices, slice k from
// row z0 + k. Cone beam: a range of rows within the detector; if no ray meets the voxels, one row, which doesn't
// contribute to the image. Throws Error(badRequest) for a geometry that can't be reconstructed yet.
RowRange rowsFor(const Geometry& geometry, const VolumeGrid& grid);

// Returns the grid for back-projection, where lengths are in bins, for a parallel beam whose slices have another
// pixel size. Grids of cone beams stay unchanged.
// Returns the geometry as seen from coordinates that are turned by an angle, anticlockwise as seen in a slice: voxel
// (x, y) of the result is voxel (x·cos − y·sin, x·sin + y·cos) of the given one.
Geometry turnedBy(double rad, Geometry geometry);

VolumeGrid gridInBins(VolumeGrid grid, const Geometry& geometry);

// Throws Error(badRequest), which specifies what `who` accepts, for any other geometry.
const ParallelBeam& parallelBeamOf(const Geometry& geometry, const Text& who);
const ConeBeam& coneBeamOf(const Geometry& geometry, const Text& who);

// Range of directions without projections, anticlockwise from an angle of the scan.
struct MissingWedge {
    double fromRad = 0, widthRad = 0;
};

// How evenly a set of angles fills the half circle, and the resulting weights.
struct AngularSampling {
    // Weight of each projection in radians: half the distance between its neighbours on the half circle, halved again
    // because the filter is 2·FFT(h). For Turn::full, where every line is seen twice, it is half the distance on the
    // full circle, halved twice. N even angles over 180° or 360° give π/(2N) each. Equal directions share their weight.
    std::vector<double> weights;
    // Gaps without projections. They are left out: the weight of a projection beside a wedge is that of its other gap,
    // as if that were on both sides. fromRad is the angle of the projection before the wedge, as given.
    std::vector<MissingWedge> missingWedges;
    bool uneven = false;                      // largest weight of a direction is more than 1.5 × the smallest
    double leastStepRad = 0, mostStepRad = 0; // between neighbouring directions, without wedges
};

// Turn after which directions repeat: half for parallel rays, which see the same from both sides; full for a cone.
enum class Turn { half, full };

// Accepts any number of angles, in any order; for a full turn, read "circle" for "half circle" above. A gap is a
// missing wedge if it is wide compared with the two gaps on either side and with the half circle; other wide gaps,
// such as those of random angles, count in full. Thresholds: tests/bench/results/angular-weights.md.
AngularSampling angularSampling(const std::vector<double>& anglesRad, Turn turn = Turn::half);
// Whether the angles cover the circle: with no missing wedge, or with wedges of together at most `mostMissingRad`, and
// no step above 90°.
bool isFullTurn(const std::vector<double>& anglesRad, double mostMissingRad = 0);
// What a detector that reaches further on one side of the axis may miss of a full turn.
inline constexpr double mostGapRad = std::numbers::pi / 2;

// Returns sentences for the user about missing wedges and unequal weights of projections.
std::vector<Note> notesOf(const AngularSampling& sampling);

// Returns the weights of angularSampling.
std::vector<double> angularWeights(const std::vector<double>& anglesRad);

} // namespace engine
