// SPDX-License-Identifier: GPL-3.0-or-later
// What may be assumed about a scan that doesn't record it: angles, darks and flats.
#pragma once

#include "engine/base/text.h"
#include "engine/scan/angle_spread.h"
#include "engine/scan/geometry.h"

#include <optional>
#include <string>
#include <vector>

namespace engine
{

// Assumed angles of a scan without angles, and their certainty.
struct TurnGuess {
    AngleSpread spread;
    double certainty = 0;                   // 0 to 1: of the arc, or of the steps
    bool isCut = false;                     // the object reaches an end of the detector
    bool isUneven = false;                  // no even steps explain the motion: only the user knows the angles
    double endCertainty = 0;                // 0 to 1: that the last projection is where it is assumed
    Text reason;                            // basis of the guess, or why there is none: a sentence without its end
    std::optional<AngleSpread> alternative; // the next likeliest; nothing for uneven steps

    bool isSure() const; // of the arc; never of an unusual one, which has to be seen
    bool isSureOfEnd() const;
    // Returns the same arc with the end included or excluded, whichever the guess isn't; nothing if arc and end are
    // sure, or if this is the alternative.
    std::optional<AngleSpread> otherEnd() const;
};
inline constexpr double sureTurn = 0.8, sureEnd = 0.92; // lower certainties of arc and end count as doubts
std::string certaintyText(const TurnGuess&);            // "the arc is 99 % certain, an included end 57 %"
Text likelierText(const TurnGuess&);                    // a sentence

// Frames among the projections that show no object, counted from 0.
struct SideFrames {
    std::vector<RowRange> darks, flats;
};
// "Frames 0 to 9 show no object: they may be flat fields (flat-frames 0:9)."
Text sidesText(const SideFrames&);

} // namespace engine
