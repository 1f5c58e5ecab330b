// SPDX-License-Identifier: GPL-3.0-or-later
// The rotation axis in several rows of the detector: its position and its tilt.
#pragma once

#include "engine/axis/find_axis.h"
#include "engine/base/text.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace engine
{

struct AxisOfRow {
    int row = 0;
    AxisFound found;     // in the projections turned back
    double offBins = 0;  // distance from the line through all rows
    bool agrees = false; // lies near that line
};

// Position and tilt of the rotation axis. The position refers to the projections turned back by the tilt (step
// "tilt") about the middle of the detector; it is also where the tilted axis crosses the middle row, up to a few
// thousandths of a bin.
struct AxisTilt {
    double bins = 0;
    double tiltRad = 0;        // positive if the top leans towards higher bins, as in the option axis-tilt
    double uncertaintyRad = 0; // standard deviation: tests/bench/results/tilt-uncertainty.md
    // 0 to 1: the weight of the rows that agree as a share of all, times their mean confidence, reduced by the
    // uncertainty; doubtful below sureAxis.
    double confidence = 0;
    Text doubt = {};          // a sentence if doubtful
    double toleranceBins = 0; // maximum distance of rows that agree from the line
    std::vector<AxisOfRow> rows;
    std::vector<int> emptyProjections = {}; // of the scan, empty in all of these rows (engine/scan/empty_projections.h)
};

inline constexpr int standardTiltRows = 9, fewestTiltRows = 3;

// Finds the axis in `rows` rows spread evenly over the detector, prepared as the request specifies except for the
// tilt. Turns the projections until the line on which most rows agree is upright.
// progress: 0 to 1. Throws Error(badRequest) for other geometries than parallel beams, for fewer than fewestTiltRows
// rows requested or in the scan, for more rows requested than the scan has, and if the axis can be searched for in no
// row; cancelled.
AxisTilt findAxisTilt(const Request& request, int rows = standardTiltRows,
                      const std::function<void(double)>& progress = {}, const std::stop_token& stop = {});

} // namespace engine
