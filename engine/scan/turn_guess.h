// SPDX-License-Identifier: GPL-3.0-or-later
// How far a parallel-beam scan without angles turned, told from its projections: half a turn, a full one, or another
// arc, with the end or without; or by golden angles.
#pragma once

#include "engine/base/text.h"
#include "engine/scan/angle_spread.h"

#include <optional>
#include <string>
#include <vector>

namespace engine
{

// Line integrals of one row, in the order they were taken.
struct TurnLines {
    int projections = 0; // of the scan
    int bins = 0;
    std::vector<int> which;            // of these, ascending: all of them, or some
    std::vector<float> values;         // [which][bin]
    std::vector<double> givenRad = {}; // angles to be checked, of `which`; empty: none
    bool hasUnevenBeam = false;        // no flats correct it
};

// What is assumed of a scan without angles, and how sure that is.
struct TurnGuess {
    AngleSpread spread;
    double certainty = 0;                   // 0 to 1: of the arc, or of the steps
    bool isCut = false;                     // the object reaches an end of the detector
    bool isUneven = false;                  // it moves as with no even steps: only the user knows the angles
    double endCertainty = 0;                // likewise that the last projection is where it is assumed
    Text reason;                            // what it rests on, or why nothing tells: a sentence without its end
    std::optional<AngleSpread> alternative; // what else is likeliest; nothing of uneven steps

    bool isSure() const; // of the arc
    bool isSureOfEnd() const;
};
inline constexpr double sureTurn = 0.8;      // a certainty below it is a doubt
std::string certaintyText(const TurnGuess&); // "the arc is 99 % certain, that its end is included 57 %"

// fallback: what is assumed where nothing tells.
TurnGuess guessTurn(const TurnLines& lines, const AngleSpread& fallback);

// A guess that fits the projections much better than the angles given, or of uneven steps where these leave how the
// object moves; nothing where they fit, or nothing shows that they don't. The direction and the first angle don't
// count.
std::optional<TurnGuess> turnAgainstGiven(const TurnLines& lines);
Text likelierText(const TurnGuess&); // a sentence

} // namespace engine
