// SPDX-License-Identifier: GPL-3.0-or-later
// What speaks for how far a scan without angles turned (turn_guess.h): two measurements that are independent of the
// position of the axis.
#pragma once

#include "engine/scan/turn_guess.h"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace engine
{

// The even spreads that scans commonly have.
struct TurnHypothesis {
    int halfTurns;
    bool endExcluded;
    double stepRad(int projections) const; // from each projection to the next
    AngleSpread spread() const;
};
inline constexpr std::array<TurnHypothesis, 4> turnHypotheses = {{{1, true}, {1, false}, {2, true}, {2, false}}};

// Steps of the golden angle, of half a turn and of a full one, as they are taken: on and on, or brought back into half
// a turn. Which way round is not to be seen.
// Source: Winkelmann and others 2007 (An optimal radial profile order based on the golden ratio), section II.
std::span<const AngleSteps> goldenSteps();

// Central moments of the projections: the centre of mass moves along a sine, and the n-th moment about it is a
// homogeneous polynomial of degree n in cosθ and sinθ, that is, a sum of the harmonics n, n − 2, … of θ
// (Helgason-Ludwig conditions). Needs all of the object on the detector.
struct TurnMoments {
    bool isUsable = false;            // each projection holds as much of the object as the others
    bool isCut = false;               // the object reaches an end of the detector
    std::array<double, 4> misfit{};   // chi-square of each hypothesis above that of the best angle step
    double stepRad = 0;               // that fits best, of all
    double rangeDeg = 0;              // all arcs that fit about as well, together
    std::optional<AngleSteps> golden; // fits best of all, even steps included
    double evenMisfit = 0;            // likewise: of the best even step above that of the golden one
    bool isUneven = false;            // the object moves as no step explains
    bool isStill = false;             // all projections are the same
    bool isInexact = false;           // the best of the usual steps leaves more than noise of how it moves
    bool givenLeaveMotion = false;    // the angles given leave more of how its centre moves than noise
    double givenMisfit = 0;           // of the angles given, above that of the best even step
    double evenLeft = 0;              // share of how it moves that the best even step leaves
    double goldenLeft = 0;            // share of how it moves that the golden steps leave
};
TurnMoments momentsOf(const TurnLines& lines);

// Projections half a turn apart are mirror images about the axis. How unlike the projections with a distance between
// them are one another's mirror images, at the best axis of each distance: 0 equal, about 1 unrelated.
struct MirrorMatch {
    double usual = 0;            // of most distances
    double best = 0;             // of the most alike
    double bestDistance = 0;     // of these, in projections
    double halfWay = 0;          // of distances of half the scan
    double halfDistance = 0;     // of these, the one where they match best
    double fullWithoutEnd = 0;   // what speaks for a full turn without its end rather than with: a logarithm of odds
    double halfWithoutEnd = 0;   // likewise of half a turn
    bool jumps = false;          // somewhere the projections don't go on as they do elsewhere
    bool isThereAndBack = false; // the second half is the first one, backwards
    double neighbours = 0;       // how unlike neighbours are, not mirrored: noise, and the change in one step
    // The end of the scan, continued by its beginning, mirrored or as it is: how much rougher than the rest.
    double mirroredJoin = 0, plainJoin = 0;
};
MirrorMatch mirrorMatchOf(const TurnLines& lines);

} // namespace engine
