// SPDX-License-Identifier: GPL-3.0-or-later
// The rotation axis in several rows of the detector: where it is, and how it leans.
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
    double offBins = 0;  // from the line through all
    bool agrees = false; // with it
};

// Where the axis stands in the projections turned back by the tilt (step "tilt"), about the middle of the detector:
// there it crosses the middle row, but for a few thousandths of a bin.
struct AxisTilt {
    double bins = 0;
    double tiltRad = 0;        // its top towards higher bins, as the option axis-tilt has it
    double uncertaintyRad = 0; // standard deviation: tests/bench/results/tilt-uncertainty.md
    // 0 to 1: of the rows that agree, by their number and their own, less the less it is certain; doubtful below
    // sureAxis.
    double confidence = 0;
    Text doubt = {};          // then, a sentence
    double toleranceBins = 0; // as near rows agree
    std::vector<AxisOfRow> rows;
    std::vector<int> emptyProjections = {}; // of the scan's, in all of these rows (engine/scan/empty_projections.h)
};

inline constexpr int standardTiltRows = 9, fewestTiltRows = 3;

// In so many rows, evenly over the detector, of the request's scan, prepared as it asks but for its tilt: turned until
// the line that most rows agree on stands upright.
// progress: 0 to 1. Throws Error(badRequest) for other geometries than parallel beams, for scans of fewer rows than
// that and than fewestTiltRows, and where the axis of no row can be looked for; cancelled.
AxisTilt findAxisTilt(const Request& request, int rows = standardTiltRows,
                      const std::function<void(double)>& progress = {}, const std::stop_token& stop = {});

} // namespace engine
