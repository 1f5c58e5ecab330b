// SPDX-License-Identifier: GPL-3.0-or-later
// Guess of the angles of a parallel-beam scan without angles, from its projections: half a turn, a full turn or
// another arc, with or without the end; or golden angles.
#pragma once

#include "engine/scan/assumptions.h"

#include <optional>
#include <vector>

namespace engine
{

// Line integrals of one row, in the order of recording.
struct TurnLines {
    int projections = 0; // of the scan
    int bins = 0;
    std::vector<int> which;            // indices of the projections, ascending: all or some
    std::vector<float> values;         // [which][bin]
    std::vector<double> givenRad = {}; // given angles of `which`, to be checked; empty: none
    bool hasUnevenBeam = false;        // counts without flats: the beam isn't corrected
};

// fallback: assumed if the projections don't decide.
TurnGuess guessTurn(const TurnLines& lines, const AngleSpread& fallback);

// Returns a guess that fits the projections much better than the given angles, or a guess of uneven steps if the
// given angles don't explain the motion of the object. Returns nothing if the given angles fit, or if nothing
// contradicts them. The direction and the first angle don't matter.
std::optional<TurnGuess> turnAgainstGiven(const TurnLines& lines);

} // namespace engine
