// SPDX-License-Identifier: GPL-3.0-or-later
// Repair of missing or implausible values by interpolation along their row: for the step of dead values, and for
// steps that come before it and need complete rows.
#pragma once

#include "engine/base/note.h"
#include "engine/prepare/steps.h"

#include <span>
#include <string>
#include <vector>

namespace engine
{

// Sets implausibly low transmission to noLight, as the logarithm does.
void markDarkness(std::span<float> light);

// Replaces noValue by linear interpolation between the nearest good values of the row. Short runs of noLight (up to
// longestFault) are interpolated too; longer ones become `darkest`. A line without a good value stays noValue.
void mendLine(LineAtWork& line, float darkest, MendCounts& counts);

// Copies the nearest projection with good values to the projections of a slice that have no good value. Throws
// Error(badFile) if no projection of the slice has one.
void fillEmptyLines(Sinograms& sinograms, const RawRows& raw);

// smallest: the minimum plausible transmission.
std::vector<Note> mendNotes(const MendCounts& counts, double smallest);

} // namespace engine
