// SPDX-License-Identifier: GPL-3.0-or-later
// Guess of the angles of a parallel-beam scan without angles, from its projections: half a turn, a full turn or
// another arc, with or without the end; or golden angles.
#pragma once

#include "engine/base/text.h"
#include "engine/scan/angle_spread.h"

#include <optional>
#include <string>
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

// Assumed angles of a scan without angles, and their certainty.
struct TurnGuess {
    AngleSpread spread;
    double certainty = 0;                   // 0 to 1: of the arc, or of the steps
    bool isCut = false;                     // the object reaches an end of the detector
    bool isUneven = false;                  // no even steps explain the motion: only the user knows the angles
    double endCertainty = 0;                // 0 to 1: that the last projection is where it is assumed
    Text reason;                            // basis of the guess, or why there is none: a sentence without its end
    std::optional<AngleSpread> alternative; // the next likeliest; nothing for uneven steps

    bool isSure() const; // of the arc
    bool isSureOfEnd() const;
    // Returns the same arc with the end included or excluded, whichever the guess isn't; nothing if arc and end are
    // sure, or if this is the alternative.
    std::optional<AngleSpread> otherEnd() const;
};
inline constexpr double sureTurn = 0.8;      // lower certainties count as doubts
std::string certaintyText(const TurnGuess&); // "the arc is 99 % certain, an included end 57 %"

// fallback: assumed if the projections don't decide.
TurnGuess guessTurn(const TurnLines& lines, const AngleSpread& fallback);

// Returns a guess that fits the projections much better than the given angles, or a guess of uneven steps if the
// given angles don't explain the motion of the object. Returns nothing if the given angles fit, or if nothing
// contradicts them. The direction and the first angle don't matter.
std::optional<TurnGuess> turnAgainstGiven(const TurnLines& lines);
Text likelierText(const TurnGuess&); // a sentence

} // namespace engine
