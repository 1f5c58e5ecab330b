// The rotation axis, found from the projections.
#pragma once

#include "engine/scan/scan.h"
#include "engine/sinograms.h"

#include <stop_token>
#include <vector>

namespace engine
{

// Position of the axis in bins from the centre of bin 0, found over the whole detector and refined
// to a fraction of a bin. Works for arcs of 180° and 360° and for offset axes.
// sinograms: one or more slices of line integrals (rows with more contrast count more).
// Throws Error(badRequest) for fewer than 3 projections or an arc below 90°; cancelled.
double findAxis(const Sinograms& sinograms, const std::vector<double>& anglesRad, int threads,
                std::stop_token stop = {});

// The same for any geometry, from one row: that of axisRowOf. Cone beams: the bin of the central ray.
// Throws Error(badRequest) for a geometry that it can't be found for.
double findAxis(const Sinograms& row, const Geometry& geometry, int threads, std::stop_token stop = {});

// The row of the detector that the axis is found in, of a scan whose axis isn't known.
RowRange axisRowOf(const Scan& scan);

} // namespace engine
