// SPDX-License-Identifier: GPL-3.0-or-later
// Correction of shifted projections.
#pragma once

#include "engine/data/sinograms.h"

#include <span>

namespace engine
{

// Returns the sinograms without their horizontal shifts: each line is resampled between its bins (Catmull-Rom), its
// end values repeated beyond its ends. For display and for finding the axis; images are reconstructed from the lines
// as they are. shiftBins: one per projection.
Sinograms withoutShifts(const Sinograms& sinograms, std::span<const double> shiftBins);

} // namespace engine
