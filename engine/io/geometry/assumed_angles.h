// SPDX-License-Identifier: GPL-3.0-or-later
// Angles that are assumed from the projections (engine/guess/turn_guess.h) if none are known, and a check of the
// angles that the user gives.
#pragma once

#include "engine/guess/turn_guess.h"
#include "engine/io/frames/frame_source.h"

#include <string>
#include <vector>

namespace engine
{

// Guesses the angles from the middle row of the projections, or of some of them if there are many. Sets
// scan.anglesAssumed and scan.assumedTurn, adds a note, and returns the angles of `all` projections, including
// missing ones. withoutAngles: how the note begins, "No angles are known".
std::vector<double> assumeTurn(Scan& scan, const ScanFrames& frames, const OpenOptions& options,
                               const AngleSpread& fallback, int all, const std::string& withoutAngles);

// Checks the user's angles against the middle row of the projections. Sets scan.likelierTurn and adds a note if these
// angles don't fit the projections and others do; otherwise adds a note if the dimensions seem to be exchanged.
// anglesRad: one per existing projection. all: as above.
void checkGivenAngles(Scan& scan, const ScanFrames& frames, const OpenOptions& options, int all,
                      const std::vector<double>& anglesRad);

} // namespace engine
