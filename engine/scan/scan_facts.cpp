// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scan/scan_facts.h"

#include "engine/base/number_text.h"
#include "engine/scan/geometry_facts.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

namespace engine
{

namespace
{

FactState stateOf(const PartSource& source)
{
    return source.given ? FactState::given : source.guessed ? FactState::guessed : FactState::found;
}

std::string framesOf(int count)
{
    return std::to_string(count) + (count == 1 ? " frame" : " frames");
}

// Rounds to seven digits.
std::string shortNumber(double value)
{
    constexpr double least = 1e-300; // below it, the unit overflows
    if (std::abs(value) < least || !std::isfinite(value))
        return numberToText(value);
    const double unit = std::pow(10.0, 6 - std::floor(std::log10(std::abs(value))));
    return numberToText(std::round(value * unit) / unit);
}

ScanFact projectionsFact(const Scan& scan)
{
    std::string value = std::to_string(scan.projections()) + ", of " + std::to_string(scan.rows) +
                        (scan.rows == 1 ? " row" : " rows") + " and " + std::to_string(scan.bins()) + " bins, " +
                        scan.sampleType;
    if (scan.reduced)
        value += "; recorded: " + std::to_string(scan.reduced->projections) + ", of " +
                 std::to_string(scan.reduced->rows) + " rows and " + std::to_string(scan.reduced->bins) + " bins";
    // If the guess was a data set (a path from '/'), it is corrected by naming another one. In a file that holds a
    // matrix (MATLAB, NumPy, TIFF), only the meaning of the dimensions was guessed and can be corrected.
    const bool isMatrix = scan.sources.projections.guessed && !scan.sources.projections.where.starts_with('/');
    return {.id = "projections",
            .label = "Projections",
            .state = scan.path.empty() ? FactState::found : stateOf(scan.sources.projections),
            .value = value,
            .where = scan.path.empty() ? "simulated" : scan.sources.projections.where,
            .option = isMatrix ? "data-axes" : "data",
            .place = "Reading: Data sets, Bin"};
}

ScanFact valuesFact(const Scan& scan)
{
    const FactState state = scan.quantitySource == QuantitySource::given      ? FactState::given
                            : scan.quantitySource == QuantitySource::recorded ? FactState::found
                                                                              : FactState::guessed;
    std::string value = scan.signTurned                           ? "line integrals, whose sign is inverted"
                        : scan.quantity == Quantity::attenuation  ? "line integrals, used as they are"
                        : scan.quantity == Quantity::transmission ? "transmission, of which the logarithm is taken"
                                                                  : "detector counts";
    if (state == FactState::guessed && !scan.quantityReason.empty())
        value += " (" + scan.quantityReason + ")";
    return {.id = "values",
            .label = "Values",
            .state = state,
            .value = value,
            .where = {},
            .option = "values",
            .place = "Over the images: Values"};
}

// Returns text such as "; the arc is 64 % certain; it may be 0 to 360° without the end".
std::string certaintyOf(const Scan& scan)
{
    if (!scan.assumedTurn)
        return {};
    const TurnGuess& guess = *scan.assumedTurn;
    std::string text = "; " + certaintyText(guess);
    if (guess.alternative && !(guess.isSure() && guess.isSureOfEnd()))
        text += "; it may be " + toText(*guess.alternative);
    if (const std::optional<AngleSpread> other = guess.otherEnd())
        text += " or " + toText(*other);
    return text;
}

ScanFact anglesFact(const Scan& scan)
{
    std::vector<double> angles = recordedAnglesRad(scan.geometry);
    constexpr double degrees = 180 / std::numbers::pi;
    std::string value = "none";
    if (scan.assumedTurn && scan.assumedTurn->spread.steps)
        value = std::to_string(angles.size());
    else if (!angles.empty())
        value = std::to_string(angles.size()) + ", " + shortNumber(angles.front() * degrees) + "° to " +
                shortNumber(angles.back() * degrees) + "°";
    if (scan.anglesAssumed)
        value += ": none are known, " +
                 (scan.assumedTurn && scan.assumedTurn->spread.steps ? toText(scan.assumedTurn->spread) + " are"
                                                                     : std::string("an even spread is")) +
                 " assumed" + certaintyOf(scan);
    else if (scan.likelierTurn)
        value += ": they don't fit the projections" +
                 (scan.likelierTurn->isUneven
                      ? std::string()
                      : "; " + toText(scan.likelierTurn->spread) + " may (" + certaintyText(*scan.likelierTurn) + ")");
    return {.id = "angles",
            .label = "Angles",
            .state = scan.anglesAssumed ? FactState::guessed : stateOf(scan.sources.angles),
            .value = value,
            .where = scan.anglesAssumed ? std::string() : scan.sources.angles.where,
            .option = "angles",
            .place = "Reading: Angles"};
}

ScanFact sideFact(const Scan& scan, int frames, const PartSource& source, bool isFlat)
{
    ScanFact fact{.id = isFlat ? "flats" : "darks",
                  .label = isFlat ? "Flats" : "Darks",
                  .state = stateOf(source),
                  .value = framesOf(frames),
                  .where = source.where,
                  .option = isFlat ? "flats" : "darks",
                  .place = isFlat ? "Reading: Flats" : "Reading: Darks"};
    if (const std::set<double> times(scan.flatPlaces.begin(), scan.flatPlaces.end()); isFlat && times.size() > 1)
        fact.value += " of " + std::to_string(times.size()) + " times";
    if (scan.quantity != Quantity::counts) {
        fact.state = FactState::notNeeded;
        fact.value = frames > 0 ? framesOf(frames) + " (not needed for " + toText(scan.quantity) + ")" : "none";
    } else if (frames == 0) {
        fact.state = FactState::missing;
        fact.value = isFlat ? "none: the air beside the object is used as the flat field"
                            : "none: the dark level is assumed to be 0";
        fact.where.clear();
    }
    return fact;
}

ScanFact keyFact(const Scan& scan)
{
    const PartSource& key = scan.sources.key;
    return {.id = "imageKey",
            .label = "Image key",
            .state = key.where.empty() ? FactState::notNeeded : stateOf(key),
            .value = key.where.empty() ? "none: separate data sets, no key needed" : "sorts the frames",
            .where = key.where,
            .option = "data-key",
            .place = "Reading: Data sets"};
}

ScanFact pixelFact(const Scan& scan)
{
    const auto* cone = std::get_if<ConeBeam>(&scan.geometry);
    ScanFact fact{.id = "pixelSize",
                  .label = "Pixel size",
                  .state = stateOf(scan.sources.pixelSize),
                  .value = {},
                  .where = scan.sources.pixelSize.where,
                  .option = "pixel",
                  .place = "Reading: Pixel"};
    if (cone && cone->isCircle()) {
        fact.value = shortNumber(cone->pixelUMm) + " × " + shortNumber(cone->pixelVMm) + " mm";
    } else if (scan.pixelSizeMm()) {
        fact.value = shortNumber(*scan.pixelSizeMm()) + (cone ? " mm per voxel" : " mm");
    } else {
        fact.state = FactState::missing;
        fact.value = "not known: values are per pixel";
        fact.where.clear();
    }
    return fact;
}

ScanFact axisFact(const Scan& scan)
{
    ScanFact fact{.id = "axis",
                  .label = "Axis",
                  .state = FactState::found,
                  .value = {},
                  .where = {},
                  .option = "axis",
                  .place = "Settings: Axis"};
    const std::vector<double>& bins = scan.axisBins();
    if (bins.empty()) {
        fact.state = FactState::guessed;
        fact.value = "not recorded: found from the projections during reconstruction (the detector's middle is " +
                     shortNumber(scan.middleBins()) + ")";
        return fact;
    }
    const auto [least, most] = std::ranges::minmax(bins);
    fact.value =
        shortNumber(least) + (least == most ? "" : " to " + shortNumber(most)) + " bins from the centre of bin 0";
    if (!scan.axisAssumption.empty())
        fact.state = FactState::guessed;
    return fact;
}

ScanFact geometryFact(const Scan& scan)
{
    const bool isCone = std::holds_alternative<ConeBeam>(scan.geometry);
    return {.id = "geometry",
            .label = "Geometry",
            .state = stateOf(scan.sources.geometry),
            .value = labelOf(scan.geometry) + (scan.sources.geometry.guessed ? " (default)" : ""),
            .where = scan.geometryFile.filename().string(),
            .option = "geometry",
            .place = isCone ? "Settings: Geometry" : "Reading: Geometry"};
}

} // namespace

std::string toText(FactState state)
{
    switch (state) {
    case FactState::found:
        return "found";
    case FactState::given:
        return "given";
    case FactState::guessed:
        return "guessed";
    case FactState::missing:
        return "missing";
    case FactState::notNeeded:
        break;
    }
    return "not needed";
}

std::vector<ScanFact> scanFacts(const Scan& scan)
{
    std::vector<ScanFact> facts = {projectionsFact(scan),
                                   valuesFact(scan),
                                   anglesFact(scan),
                                   sideFact(scan, scan.flatFrames, scan.sources.flats, true),
                                   sideFact(scan, scan.darkFrames, scan.sources.darks, false),
                                   keyFact(scan),
                                   pixelFact(scan),
                                   axisFact(scan),
                                   geometryFact(scan)};
    if (scan.path.empty()) // a simulated scan needs no search and no correction
        for (ScanFact& fact : facts) {
            if (fact.state == FactState::guessed)
                fact.state = FactState::found;
            fact.option = fact.place = "";
        }
    return facts;
}

Text correctionText(const ScanFact& fact)
{
    if ((fact.state != FactState::guessed && fact.state != FactState::missing) || !*fact.option)
        return {};
    return toText(fact.state) + "; " + optionName(fact.option) + " " +
           (fact.state == FactState::guessed ? "overrides it" : "sets it");
}

} // namespace engine
