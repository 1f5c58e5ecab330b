// SPDX-License-Identifier: GPL-3.0-or-later
// Projections that lie aside of where they should.
#pragma once

#include "engine/data/sinograms.h"

#include <span>

namespace engine
{

// As they would lie without: each line read from between its bins (Catmull-Rom), its ends going on beyond them. For
// looking at them and for finding the axis; images are made of the lines as they are. shiftBins: one a projection.
Sinograms withoutShifts(const Sinograms& sinograms, std::span<const double> shiftBins);

} // namespace engine
