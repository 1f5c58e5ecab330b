// The rotation axis, found from the projections.
#pragma once

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

} // namespace engine
