// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scan/assumptions.h"

#include "engine/scan/reduction.h"

#include <cmath>

namespace engine
{

std::string certaintyText(const TurnGuess& guess)
{
    const auto percent = [](double certainty) { return std::to_string(std::lround(100 * certainty)) + " %"; };
    if (guess.spread.steps)
        return "the steps are " + percent(guess.certainty) + " certain";
    const std::string arc = "the arc is " + percent(guess.certainty) + " certain";
    if (!guess.isSure()) // an unknown arc has no end
        return arc;
    return arc + ", an " + (guess.spread.endExcluded ? "excluded end " : "included end ") + percent(guess.endCertainty);
}

bool TurnGuess::isSure() const
{
    return certainty >= sureTurn && (spread.steps.has_value() || isUsual(spread));
}

bool TurnGuess::isSureOfEnd() const
{
    return endCertainty >= sureEnd;
}

std::optional<AngleSpread> TurnGuess::otherEnd() const
{
    if (spread.steps || isUneven || (isSure() && isSureOfEnd()))
        return {};
    AngleSpread other = spread;
    other.endExcluded = !other.endExcluded;
    return alternative == other ? std::nullopt : std::optional(other);
}

Text likelierText(const TurnGuess& guess)
{
    const std::string unfit = "The angles don't fit the projections";
    if (guess.isUneven)
        return unfit + ": " + guess.reason + ".";
    return unfit + "; " + toText(guess.spread) +
           (!guess.isSure()      ? " may fit them"
            : guess.spread.steps ? " fit them"
                                 : " fits them") +
           " (" + certaintyText(guess) + "): " + guess.reason + ".";
}

Text sidesText(const SideFrames& sides)
{
    const auto one = [](const std::vector<RowRange>& frames, const char* kind, const char* option) {
        if (frames.empty())
            return Text();
        const bool isOne = frames.size() == 1 && frames[0].count == 1;
        return std::string(isOne ? "Frame " : "Frames ") + rangesInWords(frames) +
               (std::string(kind) == "dark" ? (isOne ? " has no light" : " have no light")
                                            : (isOne ? " shows no object" : " show no object")) +
               ": " + (isOne ? "it may be a " : "they may be ") + kind + (isOne ? " field" : " fields") +
               hint(option, rangesToText(frames)) + ".";
    };
    const Text darks = one(sides.darks, "dark", "dark-frames"), flats = one(sides.flats, "flat", "flat-frames");
    return flats + (flats.empty() || darks.empty() ? "" : " ") + darks;
}

} // namespace engine
