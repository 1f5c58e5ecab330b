// How a scan was taken: angles, rotation axis and detector.
#pragma once

#include <optional>
#include <variant>
#include <vector>

namespace engine {

// Parallel beam. A ray at angle θ through (x, y) meets the detector at bin
//   h = axis + x·cosθ + y·sinθ      (000, Eq. 1; y points up, bin k is centred at integer k)
struct ParallelBeam {
    int bins = 0;
    std::vector<double> anglesRad;         // one per projection
    std::vector<double> axisBins;          // empty: unknown; one: common to all; else one per projection
    std::optional<double> pixelSizeMm;     // of a bin, where the scan says so

    int projections() const { return static_cast<int>(anglesRad.size()); }
    double middleBins() const { return (bins - 1) / 2.0; }
    bool operator==(const ParallelBeam&) const = default;
};

// Other geometries (fan, cone) become alternatives; a method says which it takes.
using Geometry = std::variant<ParallelBeam>;

// Rotation axis in bins, counted from the centre of bin 0, from the count of other programs
// (they count from the left edge of the detector or name the pixel right of the axis).
double axisFromTomopy(double centre);   // tomopy, tomocupy: middle is bins/2
double axisFromSkimage(double centre, int bins); // skimage: middle is bins//2
double axisToTomopy(double axisBins);

// Weight of each projection in the sum, in radians: half the distance to its neighbours on the
// half circle, halved once more because the filter is 2·FFT(h); N even angles over 180° or 360°
// give π/(2N) each. The gap of a missing wedge is not credited to the angles beside it: a gap
// wider than three times the median counts as the median. Equal directions share their part.
// Any number of angles, in any order.
std::vector<double> angularWeights(const std::vector<double>& anglesRad);

} // namespace engine
