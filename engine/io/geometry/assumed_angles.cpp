// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/geometry/assumed_angles.h"

#include "engine/base/number_text.h"
#include "engine/io/geometry/turn_lines.h"

#include <algorithm>
#include <cctype>
#include <numbers>
#include <optional>

namespace engine
{

namespace
{

// Says that the projections don't tell the direction of rotation.
Text directionText(const AngleSpread& spread)
{
    AngleSpread other{-spread.firstRad, -spread.lastRad, spread.endExcluded, spread.steps};
    if (other.steps) {
        other.steps->firstRad *= -1;
        other.steps->stepRad *= -1;
    }
    return " The direction can't be determined: if the scan turned clockwise, its slices are mirror images" +
           aside(optionText(other)) + ".";
}

Text exchangeAdvice(const Scan& scan, const OpenOptions& options)
{
    const bool areStack = std::ranges::count(scan.exchangedAxes, ':') == 2;
    if (areStack && options.sinogram && scan.exchangedAxes == "theta:y:x")
        return "Open it without " + optionName("sinogram") + ".";
    return "Exchange them" +
           aside(optionName("data-axes") + " " + scan.exchangedAxes +
                 (areStack && options.sinogram ? ", without " + optionName("sinogram") : Text())) +
           ".";
}

Text otherEndText(const TurnGuess& guess)
{
    const std::optional<AngleSpread> other = guess.otherEnd();
    return other ? "; if it is " + toText(*other) + ", these" + aside(optionText(*other)) : Text();
}

Text noteOf(const Scan& scan, const OpenOptions& options, const std::string& withoutAngles)
{
    const TurnGuess& guess = *scan.assumedTurn;
    const Text how = guess.alternative ? aside(optionText(*guess.alternative)) : Text();
    Text text = withoutAngles + "; " + toText(guess.spread) + (guess.spread.steps ? " are" : " is") + " assumed (" +
                certaintyText(guess) + "): " + guess.reason + ".";
    if (scan.axesLookExchanged())
        return text + " " + exchangeAdvice(scan, options);
    if (scan.offeredSides)
        return text + " " + sidesText(*scan.offeredSides);
    if (guess.isUneven)
        return text + " Give the angles" + aside(optionName("angles") + " FILE, one per line, or FIRST::STEP") + "." +
               directionText(guess.spread);
    if (guess.spread.steps)
        return text + " Other angles can be given" + hint("angles") + "." + directionText(guess.spread);
    if (!guess.isSure())
        return text + " If it is " + toText(*guess.alternative) + ", give these angles" + how + otherEndText(guess) +
               "; otherwise give the right angles" +
               aside(optionName("angles") + " FIRST:LAST, FIRST::STEP for steps such as the golden angle, or a file") +
               "." + directionText(guess.spread);
    if (!guess.isSureOfEnd())
        return text + " Whether the last projection is at the end of the arc can't be determined: if it is " +
               toText(*guess.alternative) + ", give these angles" + how + "." + directionText(guess.spread);
    return text + " Other angles can be given" + hint("angles") + "." + directionText(guess.spread);
}

void lookForOtherAxes(Scan& scan, const ScanFrames& frames, const OpenOptions& options)
{
    const std::string axes = likelierAxes(scan, frames, options);
    if (axes.empty())
        return;
    scan.exchangedAxes = axes;
    if (axes.starts_with("theta:") && options.sinogram)
        scan.exchangeSign = "each image seems to be a projection, not a sinogram: the sum of every row is the same in "
                            "all images, as in projections";
    else if (axes.starts_with("y:") && options.dataSets.axes.empty())
        scan.exchangeSign = "each frame seems to be the sinogram of a row: its " +
                            std::string(axes == "y:theta:x" ? "lines" : "columns") +
                            " all have the same sum, as projections do";
    else
        scan.exchangeSign =
            "the dimensions seem to be " + axes +
            ": in that order all projections of a row have the same sum; in the current order they don't";
}

Text exchangeText(const Scan& scan, const OpenOptions& options)
{
    std::string text = scan.exchangeSign;
    text[0] = static_cast<char>(std::toupper(text[0]));
    return text + ". " + exchangeAdvice(scan, options);
}

} // namespace

std::vector<double> assumeTurn(Scan& scan, const ScanFrames& frames, const OpenOptions& options,
                               const AngleSpread& fallback, int all, const std::string& withoutAngles)
{
    const std::optional<TurnLines> lines = turnLinesOf(scan, frames, options, all);
    scan.anglesAssumed = true;
    scan.assumedTurn = guessTurn(lines.value_or(TurnLines{.projections = all, .which = {}, .values = {}}), fallback);
    // The sums of the projections tell the dimensions apart only if the whole object is visible.
    if (mayHaveExchangedBins(scan, options) && all == frames.bins && scan.assumedTurn->isCut) {
        scan.assumedTurn->certainty = std::min(scan.assumedTurn->certainty, 0.7);
        scan.assumedTurn->reason += "; as the matrix is square, projections and bins may be exchanged too" +
                                    hint("data-axes", scan.exchangedAxes);
    }
    if (lines && !scan.assumedTurn->isSure())
        lookForOtherAxes(scan, frames, options);
    if (scan.offeredSides) {
        scan.assumedTurn->certainty = scan.assumedTurn->endCertainty = 0.5;
        scan.assumedTurn->reason = "some frames don't seem to be projections";
    }
    if (scan.axesLookExchanged()) {
        scan.assumedTurn->certainty = scan.assumedTurn->endCertainty = 0.5;
        scan.assumedTurn->reason = scan.exchangeSign;
    }
    scan.notes.push_back(noteOf(scan, options, withoutAngles));
    return anglesOf(scan.assumedTurn->spread, all);
}

void checkGivenAngles(Scan& scan, const ScanFrames& frames, const OpenOptions& options, int all,
                      const std::vector<double>& anglesRad)
{
    const std::optional<TurnLines> lines = turnLinesOf(scan, frames, options, all, anglesRad);
    if (!lines)
        return;
    if (scan.offeredSides) {
        scan.notes.push_back(sidesText(*scan.offeredSides));
        return;
    }
    scan.likelierTurn = turnAgainstGiven(*lines);
    if (!scan.likelierTurn)
        lookForOtherAxes(scan, frames, options);
    if (scan.axesLookExchanged())
        scan.notes.push_back(exchangeText(scan, options));
    else if (scan.likelierTurn)
        scan.notes.push_back(likelierText(*scan.likelierTurn) +
                             (scan.likelierTurn->isUneven
                                  ? " Give the right angles" + hint("angles") + "."
                                  : " If so, give these angles" + aside(optionText(scan.likelierTurn->spread)) + "."));
}

} // namespace engine
