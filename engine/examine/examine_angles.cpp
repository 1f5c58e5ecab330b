// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the angles: whether they fit the projections, and the direction of a cone's turn.
#include "engine/base/parallel_for.h"
#include "engine/examine/examined_row.h"
#include "engine/guess/line_integrals.h"
#include "engine/guess/turn_evidence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <variant>

namespace engine
{

namespace
{

// Unlikeness of opposite rays of a fan for a turn in one direction: 0 for equal ones, about 1 for unrelated ones. The
// ray at the angle γ beside the central one comes back, mirrored, half a turn minus 2γ later.
double unlikeOpposites(const ConeBeam& beam, const std::vector<float>& values, double axis, double direction)
{
    constexpr int mostViews = 64, mostBins = 128;
    const int views = beam.projections(), bins = beam.bins;
    const double turn = direction * (beam.anglesRad[1] > beam.anglesRad[0] ? 1 : -1) * views / (2 * std::numbers::pi);
    double apart = 0, both = 0;
    const int stepBins = std::max(1, bins / mostBins);
    for (const int view : spreadOver(views, mostViews))
        for (int bin = 0; bin < bins; bin += stepBins) {
            const double mirrored = 2 * axis - bin;
            if (mirrored < 0 || mirrored > bins - 1)
                continue;
            const double gamma = std::atan((bin - axis) * beam.pixelUMm / beam.sourceDetectorMm);
            const double at = std::fmod(view + turn * (std::numbers::pi - 2 * gamma) + 2.0 * views, views);
            const int k = static_cast<int>(at), i = std::min(static_cast<int>(mirrored), bins - 2);
            const auto line = [&](int number) {
                const float* numbers = values.data() + static_cast<std::size_t>(number % views) * bins + i;
                return numbers[0] + (mirrored - i) * (numbers[1] - numbers[0]);
            };
            const double there = line(k) + (at - k) * (line(k + 1) - line(k));
            const double here = values[static_cast<std::size_t>(view) * bins + bin];
            apart += (here - there) * (here - there);
            both += here * here + there * there;
        }
    return both > 0 ? apart / both : 0;
}

Doubt orderDoubt()
{
    return {.about = Doubt::About::angles,
            .text =
                "The angles don't fit how the centre and the width of the projections change, and no even steps do: "
                "the projections are in another order than the angles, some are missing, or the angles are of "
                "another scan. Give the right angles" +
                hint("angles", "FILE") + "."};
}

} // namespace

// Tests the angles that the scan's own files have.
std::optional<Doubt> unfitAngles(const ExaminedRow& row)
{
    constexpr int mostLines = 400, fewLines = 100;
    constexpr std::size_t fewBins = 256;
    const Scan& scan = row.scan();
    const auto* beam = std::get_if<ParallelBeam>(&scan.geometry);
    if (!beam || scan.anglesAssumed || scan.likelierTurn || scan.axesLookExchanged() || !beam->shiftBins.empty() ||
        !row.isWhole())
        return {};
    const auto linesOf = [&](int most, std::size_t step) {
        TurnLines lines{.projections = scan.projections(), .bins = 0, .which = {}, .values = {}};
        lines.bins = static_cast<int>((row.bins() + step - 1) / step);
        lines.which = spreadOver(lines.projections, most);
        lines.hasUnevenBeam = row.isCounts() && scan.flatFrames == 0;
        for (const int k : lines.which)
            lines.givenRad.push_back(beam->anglesRad[static_cast<std::size_t>(k)]);
        lines.values = integralsOf(row.values(lines.which, step), scan.quantity, row.someOf(row.darks(), step),
                                   row.someOf(row.flats(), step), static_cast<std::size_t>(lines.bins));
        return lines;
    };
    if (fitsGiven(linesOf(fewLines, std::max<std::size_t>(1, row.bins() / fewBins)))) // nearly always
        return {};
    const TurnLines lines = linesOf(mostLines, 1);
    if (fitsGiven(lines))
        return {};
    const std::optional<TurnGuess> likelier = // given angles were compared to it when the scan was opened
        scan.sources.angles.given ? std::nullopt : turnAgainstGiven(lines);
    if (!likelier || likelier->isUneven || !likelier->isSure())
        return contradictsGiven(lines) ? std::optional(orderDoubt()) : std::nullopt;
    return Doubt{.about = Doubt::About::angles,
                 .text =
                     likelierText(*likelier) + " If so, give these angles" + aside(optionText(likelier->spread)) + ".",
                 .spread = likelier->spread};
}

// Tests the direction of a full turn of a cone or fan by opposite rays of the central row. It can't be seen where the
// fan is narrower than a step.
std::optional<Doubt> otherDirection(const ExaminedRow& row)
{
    constexpr double clearly = 4, least = 0.001, widestRad = 0.03, mostOff = 0.08;
    constexpr int offsets = 16; // of the axis, to either side
    const Scan& scan = row.scan();
    const auto* beam = std::get_if<ConeBeam>(&scan.geometry);
    if (!beam || !beam->isCircle() || !row.isWhole() || beam->axisBins.size() > 1 || beam->bins < 2 ||
        std::abs(row.number() - beam->centralRow) * beam->pixelVMm > widestRad * beam->sourceDetectorMm)
        return {};
    const std::vector<double>& angles = beam->anglesRad;
    const int views = beam->projections();
    const double step = (angles.back() - angles.front()) / (views - 1);
    if (std::abs(std::abs(step) * views - 2 * std::numbers::pi) > 1.5 * std::abs(step) ||
        beam->bins * beam->pixelUMm / beam->sourceDetectorMm < 2 * std::abs(step))
        return {};
    for (int k = 0; k < views; ++k)
        if (std::abs(angles[k] - angles[0] - k * step) > 0.5 * std::abs(step))
            return {};
    const std::vector<float> values =
        integralsOf(row.values(spreadOver(views, views)), scan.quantity, row.darks(), row.flats(), row.bins());
    std::array<double, 2> unlike{1, 1}; // as the angles say, and the other way round
    parallelFor(0, 2, [&](int way) {
        for (int k = -offsets; k <= offsets; ++k) {
            const double middle = beam->axisBins.empty() ? beam->middleBins() : beam->axisBins.front();
            const double axis = middle + k * mostOff * beam->bins / offsets;
            unlike[way] = std::min(unlike[way], unlikeOpposites(*beam, values, axis, way == 0 ? 1 : -1));
        }
    });
    if (unlike[0] < least || unlike[0] < clearly * unlike[1])
        return {};
    const auto percent = [](double share) { return std::to_string(std::lround(100 * std::sqrt(share))) + " %"; };
    const std::string other = scan.anglesReversed ? "anticlockwise" : "clockwise";
    return Doubt{.about = Doubt::About::direction,
                 .text = "Opposite rays agree if the scan turned " + other + " (they differ by " + percent(unlike[1]) +
                         "), but not as it is read (" + percent(unlike[0]) +
                         "): the scan turned the other way, its "
                         "columns are mirrored, or the detector's offset has the wrong sign. The slices are wrong then; give the direction" +
                         hint("direction", other) + "."};
}

} // namespace engine
