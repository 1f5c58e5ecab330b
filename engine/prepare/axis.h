// The rotation axis, found from the projections.
#pragma once

#include "engine/scan/scan.h"
#include "engine/sinograms.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace engine
{

// An axis that was found, and how far it is to be trusted.
struct AxisFound {
    double bins = 0; // from the centre of bin 0
    std::string how; // "opposite views", "centre of mass"
    // 0 to 1: how much worse the next best place is than this one; 1 is sure, below 0.5 is doubtful. Empty: not known.
    std::optional<double> confidence = {};
    std::string doubt = {}; // where it is doubtful, or not by opposite views though these would say another: a sentence
};

// Found over the whole detector and refined to a fraction of a bin. Works for arcs of 180° and 360° and for offset
// axes. Where opposite views match as well elsewhere, and all projections hold as much as each other, so that nothing
// of the object is cut off, it is the centre of mass. sinograms: one or more slices of line integrals (rows with more
// contrast count more). Throws Error(badRequest) for fewer than 3 projections or an arc below 90°; cancelled.
AxisFound searchAxis(const Sinograms& sinograms, const std::vector<double>& anglesRad, int threads,
                     std::stop_token stop = {});

// The same for any geometry, from one row: that of axisRowOf. Cone beams: the bin of the central ray.
// Throws Error(badRequest) for a geometry that it can't be found for.
AxisFound searchAxis(const Sinograms& row, const Geometry& geometry, int threads, std::stop_token stop = {});

// The row of the detector that the axis is found in, of a scan whose axis isn't known.
RowRange axisRowOf(const Scan& scan);

} // namespace engine
