// SPDX-License-Identifier: GPL-3.0-or-later
// Geometry of a parallel-beam scan: angles, rotation axis and detector.
#pragma once

#include <optional>
#include <vector>

namespace engine
{

// Parallel beam. A ray at angle θ through (x, y) meets the detector at bin
//   h = axis + x·cosθ + y·sinθ      (Chilingaryan et al. 2020, Eq. 1; y points up, bin k is centred at integer k)
struct ParallelBeam {
    static constexpr const char* label = "parallel beam";

    int bins = 0;
    std::vector<double> anglesRad;     // one per projection
    std::vector<double> axisBins;      // empty: unknown; one: common to all; else one per projection
    std::optional<double> pixelSizeMm; // of a bin, if the scan specifies it
    int sliceSize = 0;                 // pixels along each side of a slice; 0: enough for all bins
    double pixelBins = 1;              // pixel of a slice, in bins; the distance of slices stays one row
    double rotationRad = 0;            // rotation of the slices anticlockwise: included in anglesRad
    // Displacement of each projection from its nominal position, towards higher bins and higher rows: one each, or
    // empty. shiftBins are included in axisBins if these are one per projection; shiftRows are corrected when rows
    // are prepared.
    std::vector<double> shiftBins = {}, shiftRows = {};

    int projections() const { return static_cast<int>(anglesRad.size()); }
    double middleBins() const { return (bins - 1) / 2.0; }
    bool operator==(const ParallelBeam&) const = default;
};

} // namespace engine
