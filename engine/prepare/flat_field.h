// SPDX-License-Identifier: GPL-3.0-or-later
// Averaging of dark and flat frames ahead of the correction.
#pragma once

#include "engine/prepare/steps.h"

namespace engine
{

// Returns whether flats of different times are interpolated, or asked to be.
bool interpolatesFlats(const Preparation& preparation);

// Replaces the darks and flats by the few frames that give the same correction: their mean or median, or, for
// interpolated flats, one frame for each group of flats. The preparation must have the flat field switched on; it is
// changed to know the new frames.
void joinFrames(RawRows& raw, Preparation& preparation);

} // namespace engine
