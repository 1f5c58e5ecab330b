// SPDX-License-Identifier: GPL-3.0-or-later
// Averaging of dark and flat frames ahead of the correction.
#pragma once

#include "engine/prepare/steps.h"

namespace engine
{

// Replaces the darks and flats by the few frames that give the same correction: their mean or median, or, for
// interpolated flats, one frame for each half of the flats.
void joinFrames(RawRows& raw, const PlannedStep& flatField);

} // namespace engine
