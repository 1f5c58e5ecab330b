// SPDX-License-Identifier: GPL-3.0-or-later
// Evidence for the arc of a scan without angles (turn_guess.h): two measurements that don't depend on the position of
// the axis.
#pragma once

#include "engine/guess/turn_guess.h"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace engine
{

// One of the even spreads that scans commonly have.
struct TurnHypothesis {
    int halfTurns;
    bool endExcluded;
    double stepRad(int projections) const; // from each projection to the next
    AngleSpread spread() const;
};
inline constexpr std::array<TurnHypothesis, 4> turnHypotheses = {{{1, true}, {1, false}, {2, true}, {2, false}}};

// Steps of the golden angle for half a turn and a full one, as they are recorded: increasing, or folded into half a
// turn. The direction of rotation can't be determined.
// Source: Winkelmann and others 2007 (An optimal radial profile order based on the golden ratio), section II.
std::span<const AngleSteps> goldenSteps();

// Evidence from the central moments of the projections: the centre of mass moves along a sine, and the n-th moment
// about it is a homogeneous polynomial of degree n in cosθ and sinθ, that is, a sum of the harmonics n, n − 2, … of θ
// (Helgason-Ludwig conditions). The object must be completely on the detector.
struct TurnMoments {
    bool isUsable = false;            // all projections have the same mass, and nothing is cut off
    bool isCut = false;               // the object reaches an end of the detector
    std::array<double, 4> misfit{};   // chi-square of each hypothesis minus that of the best step
    double stepRad = 0;               // best step of all
    double rangeDeg = 0;              // total range of the arcs that fit about equally well
    std::optional<AngleSteps> golden; // set if it fits better than all even steps
    double evenMisfit = 0;            // then: chi-square of the best even step minus that of `golden`
    bool isUneven = false;            // no step explains the object's motion
    bool isStill = false;             // all projections are the same
    bool isInexact = false;           // with the best usual step, the centre's motion is not explained up to noise
    bool givenLeaveMotion = false;    // with the given angles, the centre's motion is not explained up to noise
    double givenMisfit = 0;           // chi-square of the given angles minus that of the best even step
    double evenLeft = 0;              // share of the motion that the best even step leaves
    double goldenLeft = 0;            // share of the motion that the golden steps leave
};
TurnMoments momentsOf(const TurnLines& lines);

// Returns whether the given angles explain how the centre and the width of the projections change, or nothing can be
// seen of it: far quicker than momentsOf().
bool fitsGiven(const TurnLines& lines);

// Returns whether the given angles explain neither how the centre nor how the width changes: the projections are in
// another order, or the angles are of another scan. False if the width hardly changes.
bool contradictsGiven(const TurnLines& lines);

// Views that are missing between two projections.
struct MissingViews {
    int after = 0;  // index of the last projection before them
    double rad = 0; // angle that they cover
};

// Returns where views seem to be missing if the given angles then explain the motion of the centre and the width much
// better, and no smooth change of the angles or of the axis does.
std::optional<MissingViews> missingViews(const TurnLines& lines);

// Returns the step between given angles, without its sign; nothing if they aren't even.
std::optional<double> evenStepOf(const TurnLines& lines);

// Evidence from mirror images: projections half a turn apart are mirror images about the axis. Unlikeness compares
// projections with the mirror images of those a certain distance later in the scan, about the axis that fits best at
// this distance: 0 for equal ones, about 1 for unrelated ones.
struct MirrorMatch {
    double usual = 0;            // unlikeness at most distances (median)
    double best = 0;             // unlikeness at the best distance
    double bestDistance = 0;     // the best distance, in projections, to within `coarse`
    int coarse = 1;              // projections between two distances that are compared
    double halfWay = 0;          // unlikeness at distances of about half the scan
    double halfDistance = 0;     // the distance near half the scan that matches best
    double fullWithoutEnd = 0;   // log odds of a full turn without its end against one with it
    double halfWithoutEnd = 0;   // log odds of half a turn without its end against one with it
    bool jumps = false;          // projections don't continue smoothly somewhere
    bool isThereAndBack = false; // the second half is the first one in reverse
    double neighbours = 0;       // unlikeness of neighbours, not mirrored: noise and the change in one step
    // Unlikeness of the end of the scan to its beginning, mirrored or as it is.
    double mirroredJoin = 0, plainJoin = 0;
};
MirrorMatch mirrorMatchOf(const TurnLines& lines);

} // namespace engine
