// SPDX-License-Identifier: GPL-3.0-or-later
// How a scan was taken with parallel rays: angles, rotation axis and detector.
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
    std::optional<double> pixelSizeMm; // of a bin, where the scan says so
    int sliceSize = 0;                 // pixels along each side of a slice; 0: as many as bins need
    double pixelBins = 1;              // a pixel of a slice, in bins; slices stay a row apart
    double rotationRad = 0;            // by which slices are turned anticlockwise: it is part of anglesRad
    // How far each projection lies from where it should, towards higher bins and higher rows: one each, or empty. Those
    // of bins are part of axisBins where these are one per projection; those of rows are undone when rows are prepared.
    std::vector<double> shiftBins = {}, shiftRows = {};

    int projections() const { return static_cast<int>(anglesRad.size()); }
    double middleBins() const { return (bins - 1) / 2.0; }
    bool operator==(const ParallelBeam&) const = default;
};

} // namespace engine
