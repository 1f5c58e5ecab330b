// SPDX-License-Identifier: GPL-3.0-or-later
// Darks and flats in fewer frames.
#pragma once

#include "engine/prepare/steps.h"

namespace engine
{

// In place of its darks and flats the few that the step makes the same of: their mean or median, or one of each half
// of the flats that an interpolation goes between.
void joinFrames(RawRows& raw, const PlannedStep& flatField);

} // namespace engine
