// SPDX-License-Identifier: GPL-3.0-or-later
// How a scan was taken with a cone of rays: source, rotation axis, detector, trajectory, and the volume made of it.
#pragma once

#include "engine/base/text.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace engine
{

// Row-major 3×4. A point (x, y, z, 1) goes to (h·w, r·w, w): its ray meets the detector at bin h and row r, and w is
// its distance from the source along the detector's normal, in distances of the rotation axis: FDK weighs with 1/w².
// Sources: Chen et al. (IPSJ report), Listing 1; Chen et al. 2019, Eqs. 1 and 2.
using ProjectionMatrix = std::array<double, 12>;

// Cubes: `slices` slices of size × size pixels around the middle of the axis, slice 0 on top.
struct ConeVolume {
    double voxelMm = 0;
    int size = 0;
    int slices = 0;
    bool operator==(const ConeVolume&) const = default;
};

// Cone beam; with one row a fan beam. In the frame of the object, in mm, x to the right and y up in a slice, z up:
// the source is at sourceAxisMm·(sinθ, −cosθ, 0), and through (x, y, z), with t = x·cosθ + y·sinθ along the bins and
// s = −x·sinθ + y·cosθ along the central ray, goes the ray that meets
//   bin h = axis + m·t/(w·pixelUMm),  row r = centralRow − m·z/(w·pixelVMm),  w = 1 + s/sourceAxisMm,
// m = sourceDetectorMm/sourceAxisMm. So bins count to the right and rows down as the source sees them, and with a
// far source it is the parallel beam (parallel_beam.h). RTK's gantry angle and ASTRA's angle are θ; 004's β is −θ.
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
    // The axis leans in the plane of the central ray, its top towards the detector, then the detector is turned about
    // the central ray, as if the object were turned clockwise as the source sees it. (RTK: OutOfPlaneAngle and
    // InPlaneAngle where rows count up.)
    double tiltRad = 0, rollRad = 0;
    // For trajectories that aren't circles: one per projection, from mm; the distances, pixels, tilt and roll above
    // mean nothing then, and the angles are those of the sources. Empty: a circle.
    std::vector<ProjectionMatrix> matrices;
    // Bins at either end, of those above, that record nothing and are zero: filtered values go on there, which a
    // detector aside of the axis lacks (`widened` in ray_weights.h).
    int blankLeft = 0, blankRight = 0;
    double rotationRad = 0; // by which slices are turned anticlockwise: it is part of angles and matrices
    ConeVolume volume;

    int projections() const { return static_cast<int>(anglesRad.size()); }
    double middleBins() const { return (bins - 1) / 2.0; }
    double middleRow() const { return (rows - 1) / 2.0; }
    double magnification() const { return sourceDetectorMm / sourceAxisMm; }
    bool isCircle() const { return matrices.empty(); }
    bool operator==(const ConeBeam&) const = default;
};

// The same beam around an object that is turned anticlockwise, by so much from how it was recorded.
ConeBeam turned(ConeBeam beam, double rotationRad);

// As many voxels as the detector has pixels, of its pitch at the axis: size = bins, and slices to fill the height.
ConeVolume standardVolume(const ConeBeam& beam);

// Throws Error(badRequest) that names `who`, the value, and what is wrong with it: distances, pitch, offsets, matrices
// that are singular, too few or have the volume behind the source, a volume that reaches the source or misses the cone.
void validate(const ConeBeam& beam, const Text& who);

// One per projection, from mm; axisBins are filled.
std::vector<ProjectionMatrix> projectionMatrices(const ConeBeam& beam);

// Where the detector's normal through the source meets it, and how far away that is.
struct CentralRay {
    double bin = 0, row = 0;
    double lengthBins = 0, lengthRows = 0; // source to detector
    bool operator==(const CentralRay&) const = default;
};
CentralRay centralRayOf(const ProjectionMatrix& matrix);

// Where the middle of the axis is seen, and how the axis lies there: at so many bins more for each row, which is an
// angle to the columns. An axis that lies across more than it stands, or crosses more bins than there are, counts as
// upright: nothing is known of what should follow it.
struct AxisImage {
    double bin = 0, row = 0;
    double binsPerRow = 0, leanRad = 0;

    // How far the axis moves over a detector's rows, in bins.
    double mostShift(int rows) const;
};
AxisImage axisImageOf(const ProjectionMatrix& matrix, const ConeBeam& beam);

// Millimetres between rays of neighbouring bins where the axis is: lengthBins of them are the way from the source to
// it.
double binAtAxisMm(const ProjectionMatrix& matrix);

} // namespace engine
