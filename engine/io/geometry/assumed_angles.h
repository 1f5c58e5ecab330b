// SPDX-License-Identifier: GPL-3.0-or-later
// What the projections show of a scan's angles (engine/scan/turn_guess.h): they are assumed where there are none, and
// those that the user gives are checked.
#pragma once

#include "engine/io/frames/frame_source.h"
#include "engine/scan/turn_guess.h"

#include <string>
#include <vector>

namespace engine
{

// Reads the middle row of the projections, or of some where there are many. Sets scan.anglesAssumed and
// scan.assumedTurn, leaves a note, and returns the angles of `all` projections, those that are missing included.
// withoutAngles: how the note begins, "No angles are known".
std::vector<double> assumeTurn(Scan& scan, const ScanFrames& frames, const OpenOptions& options,
                               const AngleSpread& fallback, int all, const std::string& withoutAngles);

// Reads as much. Sets scan.likelierTurn and leaves a note where the angles that the user gives don't fit the
// projections, and others do; or a note where the dimensions seem to be exchanged. anglesRad: of each projection that
// is there. all: as above.
void checkGivenAngles(Scan& scan, const ScanFrames& frames, const OpenOptions& options, int all,
                      const std::vector<double>& anglesRad);

} // namespace engine
