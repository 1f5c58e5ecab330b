// How a scan was taken: angles, rotation axis and detector.
#pragma once

#include <optional>
#include <variant>
#include <vector>

namespace engine
{

// Parallel beam. A ray at angle θ through (x, y) meets the detector at bin
//   h = axis + x·cosθ + y·sinθ      (000, Eq. 1; y points up, bin k is centred at integer k)
struct ParallelBeam {
    int bins = 0;
    std::vector<double> anglesRad;     // one per projection
    std::vector<double> axisBins;      // empty: unknown; one: common to all; else one per projection
    std::optional<double> pixelSizeMm; // of a bin, where the scan says so

    int projections() const { return static_cast<int>(anglesRad.size()); }
    double middleBins() const { return (bins - 1) / 2.0; }
    bool operator==(const ParallelBeam&) const = default;
};

// Other geometries (fan, cone) become alternatives; a method says which it takes.
using Geometry = std::variant<ParallelBeam>;

// Rotation axis in bins, counted from the centre of bin 0, from the count of other programs
// (they count from the left edge of the detector or name the pixel right of the axis).
double axisFromTomopy(double centre);            // tomopy, tomocupy: middle is bins/2
double axisFromSkimage(double centre, int bins); // skimage: middle is bins//2
double axisToTomopy(double axisBins);

// Directions that no projection looks along, anticlockwise from an angle of the scan.
struct MissingWedge {
    double fromRad = 0, widthRad = 0;
};

// How evenly a set of angles fills the half circle, and what follows for the sum.
struct AngularSampling {
    // Of each projection, in radians: half the distance to its neighbours on the half circle, halved once more
    // because the filter is 2·FFT(h); N even angles over 180° or 360° give π/(2N) each. Equal directions share
    // their part.
    std::vector<double> weights;
    // Gaps that nobody measured. They are left out: a projection beside one counts its other gap on both sides.
    // From the angle of the projection before it, as given.
    std::vector<MissingWedge> missingWedges;
    bool uneven = false;                      // the largest share of a direction is more than 1.5 × the smallest
    double leastStepRad = 0, mostStepRad = 0; // between neighbouring directions, wedges aside
};

// Any number of angles, in any order. A gap is a missing wedge when it is wide against the two gaps on either side of
// it and against the half circle; other wide gaps, of random angles for one, count in full. Thresholds:
// tests/bench/results/angular-weights.md.
AngularSampling angularSampling(const std::vector<double>& anglesRad);

// The weights of angularSampling.
std::vector<double> angularWeights(const std::vector<double>& anglesRad);

} // namespace engine
