// SPDX-License-Identifier: GPL-3.0-or-later
// Geometry of a cone-beam scan: source, rotation axis, detector, trajectory, and the volume to be reconstructed.
#pragma once

#include "engine/base/text.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace engine
{

// Projection matrix, row-major 3×4. A point (x, y, z, 1) is mapped to (h·w, r·w, w): its ray meets the detector at
// bin h and row r; w is the distance of the point from the source along the detector's normal, in units of the
// distance of the rotation axis. FDK weights with 1/w².
// Sources: Chen et al. (IPSJ report), Listing 1; Chen et al. 2019, Eqs. 1 and 2.
using ProjectionMatrix = std::array<double, 12>;

// Cubic voxels: `slices` slices of size × size pixels about the axis; slice 0 is on top.
struct ConeVolume {
    double voxelMm = 0;
    int size = 0;
    int slices = 0;
    double centreMm = 0; // height of the volume's middle above the plane of the source
    // Returns the height of a slice above the plane of the source, in voxels.
    double heightOf(double slice) const { return (slices - 1) / 2.0 - slice + centreMm / voxelMm; }
    bool operator==(const ConeVolume&) const = default;
};

// Cone beam, or fan beam if it has one row. Coordinates are those of the object in mm: x to the right and y up in a
// slice, z up. The source is at sourceAxisMm·(sinθ, −cosθ, 0). With t = x·cosθ + y·sinθ along the bins and s =
// −x·sinθ + y·cosθ along the central ray, the ray through (x, y, z) meets the detector at
//   bin h = axis + m·t/(w·pixelUMm),  row r = centralRow − m·z/(w·pixelVMm),  w = 1 + s/sourceAxisMm,
// where m = sourceDetectorMm/sourceAxisMm. Seen from the source, bins count to the right and rows down; with a
// distant source it becomes the parallel beam (parallel_beam.h). RTK's gantry angle and ASTRA's angle are θ; β of
// Chen et al. 2019 is −θ.
struct ConeBeam {
    static constexpr const char* label = "cone beam";

    int bins = 0, rows = 0;
    std::vector<double> anglesRad; // one per projection, anticlockwise
    std::vector<double> axisBins; // bin of the central ray; empty: unknown; one: common to all; else one per projection
    double sourceAxisMm = 0;      // source to rotation axis
    double sourceDetectorMm = 0;  // source to detector, along its normal
    double pixelUMm = 0;          // distance of neighbouring bins on the detector
    double pixelVMm = 0;          // of neighbouring rows
    double centralRow = 0;        // row of the central ray
    // The axis is tilted in the plane of the central ray, its top towards the detector. Then the detector is turned
    // about the central ray, as if the object were turned clockwise seen from the source. (RTK: OutOfPlaneAngle and
    // InPlaneAngle if rows count up.)
    double tiltRad = 0, rollRad = 0;
    // For trajectories that aren't circles: one matrix per projection, from mm. The distances, pixels, tilt and roll
    // above are then meaningless, and the angles are those of the sources. Empty: a circle.
    std::vector<ProjectionMatrix> matrices;
    // Number of bins at either end, included in `bins`, that count as blank: nothing is recorded in them, or not in all
    // rows, and their weights are 0. They lie on the side where a detector that is off-centre from the axis reaches
    // less far; filtered values are needed in them (`widened` and `upright` in ray_weights.h).
    int blankLeft = 0, blankRight = 0;
    double rotationRad = 0; // rotation of the slices anticlockwise: included in angles and matrices
    ConeVolume volume;

    int projections() const { return static_cast<int>(anglesRad.size()); }
    double middleBins() const { return (bins - 1) / 2.0; }
    double middleRow() const { return (rows - 1) / 2.0; }
    double magnification() const { return sourceDetectorMm / sourceAxisMm; }
    bool isCircle() const { return matrices.empty(); }
    bool operator==(const ConeBeam&) const = default;
};

// Returns the same beam for slices rotated anticlockwise by `rotationRad` from the recorded orientation.
ConeBeam turned(ConeBeam beam, double rotationRad);

// Returns a volume with the pitch of the detector at the axis: as many pixels along each side as bins, and enough
// slices to fill the height. It lies about the plane of the source, or, if the detector's middle is further than 5 %
// of its rows from there, where the detector looks; by a whole number of voxels.
ConeVolume standardVolume(const ConeBeam& beam);

// Throws Error(badRequest), which names `who`, the value, and its fault: distances, pitch, offsets; matrices that are
// singular, too few, or have the volume behind the source; a volume that reaches the source or misses the cone.
void validate(const ConeBeam& beam, const Text& who);

// Returns one matrix per projection, from mm; axisBins must be filled.
std::vector<ProjectionMatrix> projectionMatrices(const ConeBeam& beam);

// Foot of the detector's normal through the source, and its distance from the source.
struct CentralRay {
    double bin = 0, row = 0;
    double lengthBins = 0, lengthRows = 0; // source to detector
    bool operator==(const CentralRay&) const = default;
};
CentralRay centralRayOf(const ProjectionMatrix& matrix);

// Image of the axis on the detector: the position of its middle, its slope in bins per row, and the angle between it
// and the columns (leanRad). An axis that is closer to the rows than to the columns, or that crosses more bins than the
// detector has, is treated as upright, as no other treatment is known.
struct AxisImage {
    double bin = 0, row = 0;
    double binsPerRow = 0, leanRad = 0;

    // Maximum shift of the axis over the rows of a detector, in bins.
    double mostShift(int rows) const;
};
AxisImage axisImageOf(const ProjectionMatrix& matrix, const ConeBeam& beam);

// Returns the distance in mm between the rays of neighbouring bins at the axis: lengthBins times this is the distance
// from the source to the axis.
double binAtAxisMm(const ProjectionMatrix& matrix);

} // namespace engine
