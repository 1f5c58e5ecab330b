// SPDX-License-Identifier: GPL-3.0-or-later
// Noise like that of given projections.
#pragma once

#include "engine/data/sinograms.h"

#include <vector>

namespace engine
{

// Returns noise with the strength of that in prepared projections, and its correlation along the bins; independent from
// projection to projection. anglesRad: one per projection; at least three. The noise is the difference of each
// projection from the mean of its neighbours in angle, with a random sign. Edges of the object move from projection to
// projection, so that each block of bins and projections is scaled to the standard deviation that the median of second
// differences gives (as in Immerkær, Computer Vision and Image Understanding 64, 1996, 300), which edges hardly change.
Sinograms noiseOf(const Sinograms& prepared, const std::vector<double>& anglesRad);

} // namespace engine
