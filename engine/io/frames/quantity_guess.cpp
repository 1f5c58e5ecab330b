// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/frames/quantity_guess.h"

#include "engine/base/error.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace engine
{

namespace
{

constexpr int sampledProjections = 9;
// Highest ratio of the means of two groups of air bins, given noise and an uneven beam.
constexpr double brightestAir = 1.25;

constexpr double unevenAir = 0.12; // relative difference between both sides above which they may not be air
// Relative change between projections above which the outer bins may not be air; beams seldom change so much.
constexpr double unsteadyAir = 0.12;

// Statistics of the middle row of a few projections.
struct Look {
    double low = 0, high = 0;   // nearly the smallest and the largest value
    double left = 0, right = 0; // means over the outer 5 % of the bins
    // The ratio of a projection's brightest part to the brighter one of its two outer parts, averaged over projections;
    // 1: no part is brighter than the outer ones.
    double brighter = 0;
    double unsteady = 0; // relative change of the outer part between projections, beyond noise
    bool any = false;

    double range() const { return high - low; }
    // Return whether the outer bins of both sides are near the lowest or near the highest value, as they are if they
    // show air.
    bool airIsLow() const { return any && range() > 0 && std::max(left, right) - low < 0.12 * range(); }
    bool airIsHigh() const { return any && range() > 0 && high - std::min(left, right) < 0.2 * range(); }
    double air() const { return (left + right) / 2; }
    double uneven() const { return std::abs(left - right) / std::max({left, right, 1e-30}); }
    bool isNegative() const { return low < 0 && (high <= 0 || (airIsHigh() && air() < 0.5)); }
};

// The mean of some bins of a line, and the variance of this mean, estimated from differences of neighbouring bins.
struct LinePart {
    double mean = 0, variance = 0;
};

LinePart partOf(const Samples& line, int first, int bins)
{
    LinePart part;
    for (int bin = first; bin < first + bins; ++bin) {
        const double value = line[static_cast<std::size_t>(bin)];
        const double step = bin > first ? value - line[static_cast<std::size_t>(bin - 1)] : 0;
        part.mean += value / bins;
        part.variance += step * step / 2;
    }
    part.variance /= static_cast<double>(std::max(1, bins - 1)) * bins;
    return part;
}

// Returns the ratio of the brightest part of a line to `air`, the brighter outer part; at least 1. All parts are as
// wide as the outer bins.
double brightestShare(const Samples& line, int bins, int outer, double air)
{
    double most = 0;
    for (int first = 0; first + outer <= bins; first += outer)
        most = std::max(most, partOf(line, first, outer).mean);
    return air > 0 && std::isfinite(most) ? std::max(most, air) / air : 1;
}

Look lookAt(const ScanFrames& frames)
{
    const int bins = frames.bins, outer = std::max(1, bins / 20);
    const int count = std::min(sampledProjections, frames.projections.frames);
    const SampleType& type = *frames.projections.type;
    Samples line(type, static_cast<std::size_t>(bins));
    std::vector<float> all;
    double left = 0, right = 0, brighter = 0, darkestOuter = 0, brightestOuter = 0, variance = 0;
    long long leftCount = 0, rightCount = 0;
    for (int k = 0; k < count; ++k) {
        const int projection = static_cast<int>((2LL * k + 1) * frames.projections.frames / (2 * count));
        try {
            frames.projections.read(projection, 1, {frames.rows / 2, 1}, line.bytes());
        } catch (const Error&) { // reported when the rows are read; then the guess has no values to use
            return {};
        }
        const LinePart leftPart = partOf(line, 0, outer), rightPart = partOf(line, bins - outer, outer);
        const LinePart& part = leftPart.mean < rightPart.mean ? rightPart : leftPart;
        brighter += brightestShare(line, bins, outer, part.mean) / count;
        darkestOuter = k == 0 ? part.mean : std::min(darkestOuter, part.mean);
        brightestOuter = k == 0 ? part.mean : std::max(brightestOuter, part.mean);
        variance = std::max(variance, part.variance);
        for (int bin = 0; bin < bins; ++bin) {
            const float value = line[static_cast<std::size_t>(bin)];
            if (!std::isfinite(value))
                continue;
            all.push_back(value);
            if (bin < outer)
                left += value, ++leftCount;
            if (bin >= bins - outer)
                right += value, ++rightCount;
        }
    }
    Look look;
    if (all.empty() || leftCount == 0 || rightCount == 0)
        return look;
    // Ignores a few hot or dead pixels.
    const std::size_t few = all.size() / 200;
    std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(few), all.end());
    look.low = all[few];
    std::nth_element(all.begin(), all.end() - 1 - static_cast<std::ptrdiff_t>(few), all.end());
    look.high = all[all.size() - 1 - few];
    look.left = left / static_cast<double>(leftCount);
    look.right = right / static_cast<double>(rightCount);
    look.brighter = brighter;
    constexpr double ofNoise = 6; // largest difference that noise causes among a few means, in standard deviations
    if (brightestOuter > 0)
        look.unsteady = (brightestOuter - darkestOuter - ofNoise * std::sqrt(variance)) / brightestOuter;
    look.any = true;
    return look;
}

std::string threeDigits(double value)
{
    std::array<char, 32> text;
    const double noMinus = value == 0 ? 0 : value; // instead of −0
    const auto end = std::to_chars(text.data(), text.data() + text.size(), noMinus, std::chars_format::general, 3).ptr;
    return {text.data(), end};
}

std::string airText(const Look& look)
{
    return "the outer bins hold about " + threeDigits(look.air()) + ", all bins " + threeDigits(look.low) + " to " +
           threeDigits(look.high);
}

struct Guess {
    Quantity quantity;
    std::string reason;
    Text doubt;
    std::optional<Quantity> alternative = {}; // set only with a doubt
};

Guess guess(const Scan& scan, const Look& look)
{
    const bool whole = !scan.sampleType.starts_with("float");
    const std::string type = (whole ? "whole numbers" : "real numbers");
    if (scan.flatFrames > 0)
        return {Quantity::counts, type + " with flat fields", {}};
    if (!look.any || !(look.range() > 0))
        return {Quantity::counts, type + " without flat fields", "All sampled numbers are equal, or can't be read."};
    const std::string seen = type + " without flat fields, " + airText(look);
    if (look.airIsLow())
        return {Quantity::attenuation, seen, {}};
    if (!whole && look.isNegative())
        return {Quantity::attenuation, seen,
                "The numbers are negative in the object. Are these line integrals with the opposite sign? Then the "
                "image is inverted too: bright is dark.",
                Quantity::negatedAttenuation};
    const bool hasNoAir = look.brighter > brightestAir;
    if (whole)
        return {
            Quantity::counts, seen,
            hasNoAir ? "No air is visible beside the object: parts of the projections are brighter than the outer "
                       "bins, which are used as the flat field, so that the image is too dark. Flat fields would help" +
                           hint("flats") + "."
            : look.unsteady > unsteadyAir && !scan.axesLookExchanged()
                ? "The outer bins, which are used as the flat field, change from projection to projection by " +
                      threeDigits(100 * look.unsteady) +
                      " %. Is the object wider than the detector? Then the values are wrong, and flats are needed" +
                      hint("flats") + ". Or is the beam unsteady?"
            : look.uneven() > unevenAir && !scan.axesLookExchanged()
                ? "The outer bins, which are used as the flat field, differ by " + threeDigits(100 * look.uneven()) +
                      " % from side to side. Is the beam uneven, or does the object reach one side? Then the "
                      "values are wrong, and flats are needed" +
                      hint("flats") + "."
                : Text()};
    if (look.airIsHigh()) {
        if (look.air() > 0.5 && look.air() < 1.5)
            return {Quantity::transmission, seen, {}};
        if (look.high > 1.2)
            return {Quantity::counts, seen, {}};
        return {
            Quantity::transmission, seen,
            "No number is close to 1, the transmission of air. Is there no air beside the object, or are these counts?",
            Quantity::counts};
    }
    const std::string filled =
        type + " without flat fields, from " + threeDigits(look.low) + " to " + threeDigits(look.high);
    const std::string doubt = "No air is visible beside the object, so this can't be checked.";
    if (look.low < 0 || (look.high > 1.2 && look.high < 30))
        return {Quantity::attenuation, filled, doubt, Quantity::counts};
    return {look.high <= 1.2 ? Quantity::transmission : Quantity::counts, filled, doubt, Quantity::attenuation};
}

} // namespace

void decideQuantity(Scan& scan, const ScanFrames& frames, std::optional<Quantity> given)
{
    if (given) {
        scan.signTurned = *given == Quantity::negatedAttenuation;
        scan.quantity = scan.signTurned ? Quantity::attenuation : *given;
        scan.quantitySource = QuantitySource::given;
    }
    const bool guessed = scan.quantitySource == QuantitySource::guessed;
    const bool isGiven = scan.quantitySource == QuantitySource::given;
    if (!guessed && (scan.quantity == Quantity::attenuation ? !isGiven : frames.flats.frames > 0))
        return;
    if (guessed && frames.flats.frames > 0) { // raw detector data: there is nothing to look for
        const Guess plain = guess(scan, {});
        scan.quantity = plain.quantity;
        scan.quantityReason = plain.reason;
        return;
    }
    const Look look = lookAt(frames);
    if (guessed) {
        const Guess made = guess(scan, look);
        scan.quantity = made.quantity;
        scan.quantityReason = made.reason;
        scan.quantityDoubt = made.doubt;
        scan.quantityAlternative = made.alternative;
    } else if (scan.signTurned) {
        if (look.any && !look.isNegative()) {
            scan.quantityDoubt = "The numbers are positive in the object: interpreted as " +
                                 toText(scan.storedQuantity()) + ", the image is inverted. Are these line integrals?";
            scan.quantityAlternative = Quantity::attenuation;
            scan.notes.push_back(scan.quantityDoubt);
        }
        return;
    } else if (scan.quantity == Quantity::attenuation) {
        constexpr double mostInAir = 30; // a line integral that no light would pass
        if (look.airIsHigh() && look.air() > mostInAir) {
            scan.quantityDoubt = "The brightest numbers are at the ends of the projections, at " +
                                 threeDigits(look.air()) +
                                 ": interpreted as line integrals, the image is inverted. Are these counts?";
            scan.quantityAlternative = Quantity::counts;
            scan.notes.push_back(scan.quantityDoubt);
        }
        return;
    } else if (look.airIsLow()) {
        scan.quantityDoubt = "The air beside the object is at " + threeDigits(look.air()) + " of " +
                             threeDigits(look.low) + " to " + threeDigits(look.high) + ": interpreted as " +
                             toText(scan.quantity) + ", the image is inverted. Are these line integrals?";
        scan.quantityAlternative = Quantity::attenuation;
        scan.notes.push_back(scan.quantityDoubt);
        return;
    } else {
        return;
    }
    const bool raw = scan.quantity == Quantity::counts && !scan.sampleType.starts_with("float");
    if (raw && scan.quantityDoubt.empty()) // the usual case, which needs no note
        return;
    const Text doubt = scan.quantityDoubt.empty() ? Text() : " " + scan.quantityDoubt;
    const std::string other = scan.quantityAlternative ? toText(*scan.quantityAlternative) : "";
    scan.notes.push_back("The numbers are interpreted as " + toText(scan.quantity) +
                         ", a guess: " + scan.quantityReason + "." + doubt +
                         " If that is wrong, choose the right kind" + hint("values", other) + ".");
}

} // namespace engine
