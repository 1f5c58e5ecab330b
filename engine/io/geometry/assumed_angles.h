// The angles of a scan that has none: assumed from what its projections show (engine/scan/turn_guess.h).
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

} // namespace engine
