// SPDX-License-Identifier: GPL-3.0-or-later
// Missing or implausible values, interpolated along their row: for the step of dead values, and for steps that
// can't wait for it.
#pragma once

#include "engine/base/note.h"
#include "engine/prepare/steps.h"

#include <span>
#include <string>
#include <vector>

namespace engine
{

// Transmission that isn't believed becomes noLight, as the logarithm makes it.
void markDarkness(std::span<float> light);

// noValue becomes the straight line between the nearest good values of the row. noLight does so too where few bins
// have none (longestFault); elsewhere it becomes `darkest`. A line without a good value stays noValue.
void mendLine(LineAtWork& line, float darkest, MendCounts& counts);

// Projections of a slice without a single good value take those of the nearest projection that has. Throws
// Error(badFile) when none has.
void fillEmptyLines(Sinograms& sinograms, const RawRows& raw);

// smallest: transmission that is believed.
std::vector<Note> mendNotes(const MendCounts& counts, double smallest);

} // namespace engine
