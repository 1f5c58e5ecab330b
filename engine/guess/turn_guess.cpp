// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/guess/turn_guess.h"

#include "engine/base/number_text.h"
#include "engine/guess/turn_evidence.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace engine
{

namespace
{

using std::numbers::pi;

constexpr int leastOfTurn = 12;
constexpr double fitting = 12; // misfit up to which a hypothesis equals the best step
// The arc is not certain if the arcs that fit about equally well cover a range of more degrees than this; for a full
// turn, more than twice this.
constexpr double widestRange = 40;
constexpr double goldenShare = 0.03; // share of the motion that golden angles may leave as noise
constexpr double unexplained = 0.6;  // share of the motion left by the best even steps if none explain it
// The best arc is used only if the arcs that fit about equally well cover a range of at most this many degrees.
constexpr double knownArc = 20;

// Returns the certainty from how much worse the other hypothesis fits. This and the other certainties hold for random
// scans (tests/engine/examine/random_scans_test.cpp). Thresholds were determined in
// tests/engine/io/geometry/assumed_angles_test.cpp, with objects that look alike from four sides, noise and offset
// axes.
double certaintyOf(double worse, double scale)
{
    return std::min(0.99, 1 - 0.5 * std::exp(-worse / scale));
}

bool isFull(const AngleSpread& spread)
{
    return std::abs(spread.lastRad - spread.firstRad) > 1.5 * pi;
}

std::string turnInWords(const AngleSpread& spread)
{
    return isFull(spread) ? "a full turn" : "half a turn";
}

AngleSpread withOtherEnd(AngleSpread spread)
{
    spread.endExcluded = !spread.endExcluded;
    return spread;
}

AngleSpread withOtherTurn(AngleSpread spread)
{
    spread.lastRad = spread.firstRad + (isFull(spread) ? pi : 2 * pi);
    return spread;
}

void setAlternative(TurnGuess& guess)
{
    guess.alternative =
        guess.isSure() && !guess.isSureOfEnd() ? withOtherEnd(guess.spread) : withOtherTurn(guess.spread);
}

// Returns the index of a usual spread in turnHypotheses.
std::size_t hypothesisOf(const AngleSpread& spread)
{
    return (isFull(spread) ? 2 : 0) + (spread.endExcluded ? 0 : 1);
}

// Returns the hypothesis of half or full turn, with or without the end, that fits better.
std::size_t betterEnd(const TurnMoments& moments, bool full)
{
    const std::size_t first = full ? 2 : 0;
    return moments.misfit[first] <= moments.misfit[first + 1] ? first : first + 1;
}

// Returns the arc of the best even step from the first projection to the last, rounded to a tenth of a degree.
double roundedArc(const TurnLines& lines, const TurnMoments& moments)
{
    constexpr double tenth = pi / 1800;
    return std::round(moments.stepRad * (lines.projections - 1) / tenth) * tenth;
}

// Returns the best arc if it is none of the usual ones, such as more than a full turn.
std::optional<TurnGuess> otherArc(const TurnLines& lines, const TurnMoments& moments)
{
    constexpr double clearMisfit = 40, clearRange = 6; // then arcs closer to a usual one are told from it
    const std::size_t best =
        static_cast<std::size_t>(std::ranges::min_element(moments.misfit) - moments.misfit.begin());
    const double usual = turnHypotheses[best].stepRad(lines.projections);
    const bool isClear = moments.misfit[best] > clearMisfit && moments.rangeDeg <= clearRange && !lines.hasUnevenBeam;
    if (moments.misfit[best] < fitting || std::abs(moments.stepRad / usual - 1) < (isClear ? 0.025 : 0.04))
        return {};
    if (moments.rangeDeg > knownArc) // many arcs fit about equally well, but none of the usual ones
        return TurnGuess{.spread = turnHypotheses[best].spread(),
                         .certainty = 0.2,
                         .endCertainty = 0.5,
                         .reason = "the projections fit neither half a turn nor a full one",
                         .alternative = {}};
    const double last = roundedArc(lines, moments);
    return TurnGuess{.spread = {0, last, false},
                     .certainty = isClear ? 0.95 : 0.9,
                     .endCertainty = isClear ? 0.95 : 0.6,
                     .reason = "the centre and the width of the projections change as expected over " +
                               numberToText(std::round(last * 180 / pi)) +
                               "°, which is neither half a turn nor a full one",
                     .alternative = turnHypotheses[best].spread()};
}

// Returns golden angles if no even step fits nearly as well. The alternative is the best usual spread.
std::optional<TurnGuess> goldenOf(const TurnMoments& moments)
{
    if (!moments.golden)
        return {};
    const double certainty = certaintyOf(moments.evenMisfit, 20);
    if (certainty < 0.95)
        return {};
    if (moments.goldenLeft > goldenShare)
        return TurnGuess{.spread = {.steps = moments.golden},
                         .certainty = 0.6,
                         .isUneven = true,
                         .endCertainty = 1,
                         .reason = "golden angles fit better than even steps, but not well: projections may be missing",
                         .alternative = {}};
    const std::size_t best =
        static_cast<std::size_t>(std::ranges::min_element(moments.misfit) - moments.misfit.begin());
    return TurnGuess{.spread = {.steps = moments.golden},
                     .certainty = certainty,
                     .endCertainty = 1,
                     .reason = "the centre and the width of the projections change as expected for golden angles, and "
                               "not as for even steps",
                     .alternative = turnHypotheses[best].spread()};
}

// Returns the largest relative deviation of an arc that can't be distinguished from the usual one; it is larger for
// an uneven beam, which also changes moments.
double nearestArc(const TurnLines& lines)
{
    return lines.hasUnevenBeam ? 0.012 : 0.004;
}

// Returns text such as "half a turn, give or take 2°".
std::string arcText(const AngleSpread& spread, const TurnLines& lines, const TurnMoments& moments)
{
    const double off = std::max(nearestArc(lines) * (isFull(spread) ? 360 : 180), moments.rangeDeg / 2);
    return turnInWords(spread) + ", give or take " + numberToText(std::ceil(off)) + "°";
}

// Sets whether the last projection is at the end of the arc, as the evidence says, or as in the fallback if there is
// hardly any evidence.
void chooseEnd(TurnGuess& guess, double withoutEnd, const AngleSpread& fallback)
{
    constexpr double oddsPerEvidence = 0.53; // as random scans have it
    guess.endCertainty = std::min(0.99, 1 / (1 + std::exp(-oddsPerEvidence * std::abs(withoutEnd))));
    guess.spread.endExcluded = std::abs(withoutEnd) > 0.25 ? withoutEnd > 0 : fallback.endExcluded;
}

// Returns the evidence from mirror images about the end of a full turn. It is nearly always right where moments leave
// a doubt, but it doesn't suffice alone, so its magnitude is limited.
double fromMirrors(const MirrorMatch& match)
{
    return std::clamp(match.fullWithoutEnd, -2.5, 2.5);
}

TurnGuess ofUneven(const AngleSpread& fallback, const std::string& reason)
{
    return {.spread = fallback,
            .certainty = 0.2,
            .isUneven = true,
            .endCertainty = 0.5,
            .reason = reason,
            .alternative = {}};
}

// Adds a doubt if an arc that differs by some degrees from the usual one fits better. The usual one is kept, as more
// scans have it.
void doubtNearArc(TurnGuess& guess, const TurnLines& lines, const TurnMoments& moments)
{
    constexpr double clearlyWorse = 10;
    const double nearest = nearestArc(lines);
    const std::size_t chosen = hypothesisOf(guess.spread);
    const double ratio = moments.stepRad / turnHypotheses[chosen].stepRad(lines.projections);
    if (moments.misfit[chosen] < clearlyWorse || std::abs(ratio - 1) < nearest || moments.rangeDeg > knownArc)
        return;
    guess.certainty = 0.6;
    guess.alternative = AngleSpread{0, roundedArc(lines, moments), false};
    guess.reason +=
        ", and fit even better over " + numberToText(std::round(guess.alternative->lastRad * 180 / pi)) + "°";
}

TurnGuess byMoments(const TurnLines& lines, const TurnMoments& moments, const MirrorMatch& match,
                    const AngleSpread& fallback)
{
    if (auto golden = goldenOf(moments))
        return *std::move(golden);
    if (auto other = otherArc(lines, moments))
        return *std::move(other);
    const std::size_t half = betterEnd(moments, false), full = betterEnd(moments, true);
    const double misfitHalf = moments.misfit[half], misfitFull = moments.misfit[full];
    const bool saysFull = misfitFull < misfitHalf;
    // Misfits that remain with the better usual step aren't noise, so differences are scaled by them.
    const double scale = 1 + std::min(misfitHalf, misfitFull);
    TurnGuess guess;
    guess.certainty = certaintyOf(std::abs(misfitHalf - misfitFull) / scale, 20);
    if (moments.rangeDeg > widestRange * (saysFull ? 2 : 1))
        guess.certainty = std::min(guess.certainty, 0.7);
    const bool takesFull = guess.certainty >= sureTurn ? saysFull : isFull(fallback);
    const std::size_t without = takesFull ? 2 : 0;
    guess.spread = turnHypotheses[without].spread();
    chooseEnd(guess,
              (moments.misfit[without + 1] - moments.misfit[without]) / (1 + (scale - 1) / 4) +
                  (takesFull ? fromMirrors(match) : 0),
              fallback);
    if (guess.isSure()) {
        guess.reason = "the centre and the width of the projections change as expected over " +
                       arcText(guess.spread, lines, moments);
        doubtNearArc(guess, lines, moments);
        return guess;
    }
    if (moments.rangeDeg > widestRange * (saysFull ? 2 : 1)) {
        guess.certainty = 0.5;
        guess.reason = "no even steps fit the projections better than others: they look too much alike, or the steps "
                       "aren't even";
        return guess;
    }
    guess.certainty = saysFull == takesFull ? guess.certainty : 1 - guess.certainty;
    guess.reason = "the projections look too much alike to tell half a turn from a full one";
    return guess;
}

// Guesses from mirror images, if moments can't be used: the object is cut off, or its mass changes, for example
// because it grows.
TurnGuess byMirrors(const TurnLines& lines, const MirrorMatch& match, const AngleSpread& fallback, bool isCut)
{
    const std::string why =
        isCut ? "the object seems to be cut off, or the air beside it uneven"
              : "the sums of the projections differ (an unsteady beam, noise, or an object that changes)";
    TurnGuess guess{
        .spread = fallback, .certainty = 0.4, .endCertainty = 0.5, .reason = "no evidence", .alternative = {}};
    const double count = lines.projections;
    const bool hasMatch = match.best < 0.35 * match.usual;
    const bool isHalfWay = match.halfWay < 0.35 * match.usual && match.halfWay < 2 * match.best + 0.05 * match.usual &&
                           std::abs(match.halfDistance - count / 2) < 1.2;
    if (isHalfWay) {
        guess.spread.lastRad = 2 * pi;
        chooseEnd(guess, fromMirrors(match), fallback);
        guess.certainty = 0.78; // half a turn about an object that looks alike from four sides would match as well
        guess.reason = why + ", and projections half the scan apart are mirror images of each other";
    } else if (hasMatch && (match.bestDistance < 0.85 * count || match.best < 0.6 * match.mirroredJoin)) {
        const bool isTurn = std::abs(match.bestDistance - count / 2) <= match.coarse;
        const double arc = isTurn ? 360 : std::round(180 * (count - 1) / match.bestDistance);
        guess.certainty = 0.7;
        guess.spread = {0, arc * pi / 180, isTurn && fallback.endExcluded};
        guess.alternative = fallback;
        guess.reason = why + ", and projections about " + numberToText(match.bestDistance) +
                       " apart are mirror images of each other, as over " + numberToText(arc) + "°";
    } else if (match.mirroredJoin < 0.2 * match.usual && match.plainJoin > 4 * match.mirroredJoin) {
        guess.spread.lastRad = pi;
        chooseEnd(guess, match.halfWithoutEnd, fallback);
        guess.certainty = 0.75; // arcs a few degrees off look the same
        guess.reason = "the last projection is nearly the mirror image of the first";
    } else {
        guess.reason = why + ", and no projections are mirror images of each other";
    }
    return guess;
}

// Adds a doubt about the steps: they may change slowly or have a gap.
void doubtSteps(TurnGuess& guess)
{
    guess.certainty = 0.5;
    guess.isUneven = true;
    guess.alternative.reset();
    guess.reason += ", but not exactly: the steps may be uneven, or projections missing";
}

// Lowers the certainty if the two measurements contradict each other.
void compare(TurnGuess& guess, const TurnLines& lines, const TurnMoments& moments, const MirrorMatch& match)
{
    const double halfIsWorse = std::min(moments.misfit[0], moments.misfit[1]);
    if (guess.isSure() && isFull(guess.spread) && halfIsWorse < 200 && match.mirroredJoin < 8 * match.plainJoin) {
        guess.certainty = 0.6;
        guess.reason += ", but the last projection may be the mirror image of the first as well";
    }
    if (guess.spread.steps || !guess.isSure() || match.usual < 0.1 || match.neighbours > 0.5 * match.usual)
        return;
    const bool isMirrored = match.halfWay < 0.3 * match.usual;
    const bool isNot = match.halfWay > 0.7 * match.usual && match.bestDistance < 0.85 * lines.projections;
    if (isFull(guess.spread) ? !isNot : !isMirrored)
        return;
    guess.certainty = 0.6;
    guess.reason += ", but projections half the scan apart are " + std::string(isMirrored ? "" : "no ") +
                    "mirror images of each other";
}

bool areEnough(const TurnLines& lines)
{
    return lines.projections >= leastOfTurn && lines.which.size() >= leastOfTurn;
}

TurnGuess guessBy(const TurnLines& lines, const TurnMoments& moments, const AngleSpread& fallback)
{
    TurnGuess guess;
    const MirrorMatch match = mirrorMatchOf(lines);
    if (moments.isUsable) {
        guess = byMoments(lines, moments, match, fallback);
        compare(guess, lines, moments, match);
        if (moments.isStill)
            guess = {.spread = fallback,
                     .certainty = 0.5,
                     .endCertainty = 0.5,
                     .reason = "all projections are the same",
                     .alternative = {}};
        else if (!guess.isSure() && (moments.isUneven || moments.evenLeft > unexplained) && lines.hasUnevenBeam)
            guess.reason = "no even steps explain how the object moves: noise may hide it, or an uneven beam "
                           "without flat fields";
        else if (!guess.isSure() && (moments.isUneven || moments.evenLeft > unexplained))
            guess =
                ofUneven(fallback, "neither even steps nor golden angles explain how the object moves, unless noise "
                                   "hides it");
        else if (moments.isInexact && !guess.spread.steps && guess.isSure())
            doubtSteps(guess);
    } else {
        guess = byMirrors(lines, match, fallback, moments.isCut);
    }
    if (match.jumps && guess.isSure()) {
        guess.certainty = 0.5;
        guess.isUneven = true;
        guess.alternative.reset();
        guess.reason += ", but there is a jump: projections may be missing or out of order";
    }
    if (match.isThereAndBack && !moments.isStill)
        guess = ofUneven(
            fallback,
            "the object seems to turn back and forth: the second half of the projections is the first one in reverse");
    guess.isCut = moments.isCut;
    // Whether the end is included is a difference of a single step, which an uneven beam hides.
    if (lines.hasUnevenBeam && guess.isSure() && !guess.spread.steps)
        guess.endCertainty = std::min(guess.endCertainty, 0.75);
    if (!guess.alternative && !guess.isUneven)
        setAlternative(guess);
    return guess;
}

// Checks the given angles by mirror images if the object is cut off. Returns a guess if projections that are opposite
// according to the angles aren't mirror images and others are.
std::optional<TurnGuess> cutAgainstGiven(const TurnLines& lines, const TurnMoments& moments)
{
    const std::optional<double> step = evenStepOf(lines);
    if (!step || !(*step > 0))
        return {};
    const MirrorMatch match = mirrorMatchOf(lines);
    const TurnGuess guess = byMirrors(lines, match, {0, pi, true}, moments.isCut);
    const bool isHalf = guess.certainty > 0.7 && !isFull(guess.spread),
               isTurn = guess.certainty > 0.7 && isFull(guess.spread);
    const double givenArc = *step * lines.projections;
    if (!(isHalf && givenArc > 1.15 * pi) && !(isTurn && (givenArc < 1.7 * pi || givenArc > 2.3 * pi)))
        return {};
    return guess;
}

} // namespace

std::optional<double> evenStepOf(const TurnLines& lines)
{
    const std::vector<double>& given = lines.givenRad;
    if (given.size() != lines.which.size() || given.size() < 2)
        return {};
    const double step = (given.back() - given.front()) / (lines.which.back() - lines.which.front());
    for (std::size_t k = 0; k < given.size(); ++k)
        if (std::abs(given[k] - given.front() - step * (lines.which[k] - lines.which.front())) > 0.5 * std::abs(step))
            return {};
    return std::abs(step);
}

TurnGuess guessTurn(const TurnLines& lines, const AngleSpread& fallback)
{
    if (!areEnough(lines))
        return {.spread = fallback,
                .certainty = 0.5,
                .endCertainty = 0.5,
                .reason = "there are too few projections to tell",
                .alternative = withOtherTurn(fallback)};
    return guessBy(lines, momentsOf(lines), fallback);
}

std::optional<TurnGuess> turnAgainstGiven(const TurnLines& lines)
{
    if (!areEnough(lines))
        return {};
    const TurnMoments moments = momentsOf(lines);
    if (!moments.isUsable)
        return cutAgainstGiven(lines, moments);
    TurnGuess guess = guessBy(lines, moments, {0, pi, true});
    if (!guess.isSure() || guess.isUneven) {
        const bool isOtherArc = !guess.isUneven && !isUsual(guess.spread) && !guess.spread.steps;
        if (isOtherArc ? certaintyOf(moments.givenMisfit, 20) < 0.95 : !moments.givenLeaveMotion)
            return {};
        guess.isUneven |= !isOtherArc;
        return guess;
    }
    if (const auto step = evenStepOf(lines);
        step && !guess.spread.steps &&
        std::abs(*step / turnHypotheses[hypothesisOf(guess.spread)].stepRad(lines.projections) - 1) < 0.02)
        return {}; // only the end or some degrees differ: the guess isn't more precise
    const double misfit = guess.spread.steps ? -moments.evenMisfit : moments.misfit[hypothesisOf(guess.spread)];
    if (certaintyOf((moments.givenMisfit - misfit) / (1 + std::max(0.0, misfit)), 20) < 0.95)
        return {};
    return guess;
}

} // namespace engine
