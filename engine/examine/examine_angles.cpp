// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the angles: whether they fit the projections, and the direction of a cone's turn.
#include "engine/base/number_text.h"
#include "engine/base/parallel_for.h"
#include "engine/examine/examined_row.h"
#include "engine/guess/line_integrals.h"
#include "engine/guess/turn_evidence.h"
#include "engine/scan/geometry.h"

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

using std::numbers::pi;

// The views of a fan in the order of their angles, to find the one that is opposite a ray.
class Views
{
  public:
    explicit Views(const std::vector<double>& anglesRad)
    {
        for (std::size_t k = 0; k < anglesRad.size(); ++k)
            m_views.emplace_back(folded(anglesRad[k]), static_cast<int>(k));
        std::ranges::sort(m_views);
        std::vector<double> gaps;
        for (std::size_t k = 1; k < m_views.size(); ++k)
            gaps.push_back(m_views[k].first - m_views[k - 1].first);
        const auto wide = gaps.begin() + static_cast<std::ptrdiff_t>(9 * gaps.size() / 10);
        std::ranges::nth_element(gaps, wide);
        m_widest = std::max(1e-6, 2 * *wide);
    }

    // Calls take(one, other, share) for the views beside an angle, unless they are too far from each other.
    template <typename Take>
    void around(double angleRad, const Take& take) const
    {
        const double at = folded(angleRad);
        const auto next = std::ranges::upper_bound(m_views, std::pair(at, 0));
        const auto& after = next == m_views.end() ? m_views.front() : *next;
        const auto& before = next == m_views.begin() ? m_views.back() : *std::prev(next);
        const double gap = folded(after.first - before.first);
        if (gap <= m_widest)
            take(before.second, after.second, gap > 0 ? folded(at - before.first) / gap : 0);
    }

  private:
    static double folded(double angle) { return angle - 2 * pi * std::floor(angle / (2 * pi)); }

    std::vector<std::pair<double, int>> m_views;
    double m_widest = 0;
};

// The row of a fan, in steps of some bins.
struct FanRow {
    const ConeBeam& beam;
    const std::vector<float>& values; // line integrals
    int bins, step;

    // Unlikeness of opposite rays: 0 for equal ones, about 1 for unrelated ones. The ray at the angle γ beside the
    // central one comes back, mirrored, half a turn minus 2γ later. 1 if hardly any rays are met twice.
    double unlikeness(const std::vector<double>& anglesRad, const Views& views, double axis) const
    {
        constexpr int mostViews = 64, mostBins = 64;
        constexpr double fewestRays = 0.25;
        const int all = beam.projections(), every = std::max(1, bins / mostBins);
        double apart = 0, both = 0;
        int rays = 0, met = 0;
        for (const int view : spreadOver(all, mostViews))
            for (int bin = 0; bin < bins; bin += every) {
                const double mirrored = 2 * axis - bin;
                if (mirrored < 0 || mirrored > bins - 1)
                    continue;
                ++rays;
                const double gamma = std::atan((bin - axis) * step * beam.pixelUMm / beam.sourceDetectorMm);
                const int i = std::min(static_cast<int>(mirrored), bins - 2);
                const auto line = [&](int number) {
                    const float* numbers = values.data() + static_cast<std::size_t>(number) * bins + i;
                    return numbers[0] + (mirrored - i) * (numbers[1] - numbers[0]);
                };
                views.around(anglesRad[view] + pi - 2 * gamma, [&](int one, int other, double share) {
                    const double there = line(one) + share * (line(other) - line(one));
                    const double here = values[static_cast<std::size_t>(view) * bins + bin];
                    apart += (here - there) * (here - there);
                    both += here * here + there * there;
                    ++met;
                });
            }
        return both > 0 && met > fewestRays * rays ? apart / both : 1;
    }

    // Share of unlikeness that noise causes, from second differences between bins; edges of the object increase it.
    double noise() const
    {
        double bends = 0, squares = 0;
        for (std::size_t k = 1; k + 1 < values.size(); ++k) {
            bends += std::pow(values[k - 1] - 2 * values[k] + values[k + 1], 2) / 6;
            squares += values[k] * values[k];
        }
        return squares > 0 ? bends / squares : 1;
    }

    // The least for an axis near that of the beam; offsets: to either side.
    double least(const std::vector<double>& anglesRad, int offsets) const
    {
        constexpr double mostOff = 0.08; // of the width
        const Views views(anglesRad);
        const double recorded = beam.axisBins.empty() ? beam.middleBins() : beam.axisBins.front();
        double unlike = 1;
        for (int k = -offsets; k <= offsets; ++k)
            unlike = std::min(unlike, unlikeness(anglesRad, views, recorded / step + k * mostOff * bins / offsets));
        return unlike;
    }
};

std::vector<double> evenAngles(int views, double lastRad)
{
    std::vector<double> angles;
    for (int k = 0; k < views; ++k)
        angles.push_back(lastRad * k / (views - 1));
    return angles;
}

// An arc from the first view to the last one; negative: clockwise.
struct FanArc {
    double lastRad = 0, unlike = 1;
    double usual = 1; // of all arcs (median): an object that looks alike from all sides fits them all
};

// Finds the arc of even steps for which opposite rays agree best.
FanArc bestArc(const FanRow& row)
{
    constexpr double coarse = 4, fine = 0.5; // degrees
    const int views = row.beam.projections();
    std::vector<FanArc> arcs;
    for (double arc = 150; arc <= 730; arc += coarse)
        for (const int sense : {1, -1})
            arcs.push_back({sense * arc * pi / 180, 1});
    const auto leastOf = [&](std::vector<FanArc>& all, int offsets) {
        parallelFor(0, static_cast<int>(all.size()),
                    [&](int k) { all[k].unlike = row.least(evenAngles(views, all[k].lastRad), offsets); });
        return *std::ranges::min_element(all, {}, &FanArc::unlike);
    };
    const double found = leastOf(arcs, 6).lastRad;
    const auto middle = arcs.begin() + static_cast<std::ptrdiff_t>(arcs.size() / 2);
    std::ranges::nth_element(arcs, middle, {}, &FanArc::unlike);
    const double usualOfAll = middle->unlike;
    arcs.clear();
    for (double off = -coarse; off <= coarse; off += fine)
        arcs.push_back({found + off * pi / 180, 1});
    for (const double turn : {2 * pi, 2 * pi * (views - 1) / views})
        if (std::abs(std::abs(found) - turn) < coarse * pi / 180)
            arcs.push_back({std::copysign(turn, found), 1});
    FanArc best = leastOf(arcs, 16);
    for (const FanArc& usual : arcs) // a full turn if it fits nearly as well
        if (std::abs(std::abs(usual.lastRad) - 2 * pi) < 1.5 * 2 * pi / views && usual.unlike < 1.5 * best.unlike)
            best = usual;
    best.usual = usualOfAll;
    return best;
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

// Views may be missing from even steps.
std::optional<Doubt> lostViews(const TurnLines& lines)
{
    const std::optional<MissingViews> missing = evenStepOf(lines) ? missingViews(lines) : std::nullopt;
    if (!missing)
        return {};
    return Doubt{.about = Doubt::About::angles,
                 .text = "The projections fit their angles much better if about " +
                         numberToText(std::round(1800 / pi * missing->rad) / 10) + "° are missing near projection " +
                         std::to_string(missing->after) +
                         ", counted from 0: projections were lost, or the stage jumped there. Give the right angles" +
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
    if (!beam || scan.likelierTurn || scan.axesLookExchanged() || !beam->shiftBins.empty() || !row.isWhole())
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
    const TurnLines few = linesOf(fewLines, std::max<std::size_t>(1, row.bins() / fewBins));
    if (fitsGiven(few)) // nearly always
        return lostViews(few);
    if (scan.anglesAssumed)
        return {};
    const TurnLines lines = linesOf(mostLines, 1);
    if (fitsGiven(lines))
        return {};
    const std::optional<TurnGuess> likelier = // given angles were compared to it when the scan was opened
        scan.sources.angles.given ? std::nullopt : turnAgainstGiven(lines);
    if (!likelier || likelier->isUneven || !likelier->isSure()) {
        const std::optional<Doubt> lost = lostViews(lines);
        return lost || !contradictsGiven(lines) ? lost : orderDoubt();
    }
    return Doubt{.about = Doubt::About::angles,
                 .text =
                     likelierText(*likelier) + " If so, give these angles" + aside(optionText(likelier->spread)) + ".",
                 .spread = likelier->spread};
}

std::optional<Doubt> limitedArc(const ExaminedRow& row)
{
    constexpr double mostMissingRad = 15 * pi / 180;
    const Scan& scan = row.scan();
    const auto* cone = std::get_if<ConeBeam>(&scan.geometry);
    if (scan.likelierTurn || (cone && !cone->isCircle()))
        return {};
    double missing = 0;
    for (const MissingWedge& wedge : angularSampling(scan.anglesRad()).missingWedges)
        missing += wedge.widthRad;
    if (cone) { // one arc has to be longer than half a turn, by the angle of the fan
        const std::vector<MissingWedge> wedges = angularSampling(scan.anglesRad(), Turn::full).missingWedges;
        if (wedges.size() == 1)
            missing = wedges[0].widthRad - pi + 2 * std::atan(cone->bins * cone->pixelUMm / 2 / cone->sourceDetectorMm);
    }
    if (missing < mostMissingRad)
        return {};
    return Doubt{.about = Doubt::About::arc,
                 .text = "The projections leave out " + numberToText(std::round(1800 / pi * missing) / 10) +
                         "° of the directions that a slice needs (limited angle): edges seen only from there are "
                         "missing or smeared, and values are too low."};
}

std::optional<Doubt> unlikeOpposites(const ExaminedRow& row)
{
    constexpr double clearly = 4, least = 0.001, muchForArc = 0.01, clearlyForArc = 8, muchForOrder = 0.03,
                     widestRad = 0.03;
    const Scan& scan = row.scan();
    const auto* beam = std::get_if<ConeBeam>(&scan.geometry);
    if (!beam || !beam->isCircle() || !row.isWhole() || beam->axisBins.size() > 1 || scan.anglesAssumed ||
        std::abs(row.number() - beam->centralRow) * beam->pixelVMm > widestRad * beam->sourceDetectorMm)
        return {};
    const std::vector<double>& angles = beam->anglesRad;
    const int views = beam->projections(), bins = static_cast<int>(row.integrals().size()) / views;
    const FanRow fan{*beam, row.integrals(), bins, static_cast<int>(row.integralStep())};
    if (bins < 12 || beam->bins * beam->pixelUMm / beam->sourceDetectorMm < 4 * pi / views)
        return {}; // the fan is narrower than two steps of a turn
    const double unlike = fan.least(angles, 16);
    if (unlike < least)
        return {};
    std::vector<double> reversed;
    for (const double angle : angles)
        reversed.push_back(-angle);
    const double otherWay = fan.least(reversed, 16);
    const auto percent = [](double share) { return std::to_string(std::lround(100 * std::sqrt(share))) + " %"; };
    const std::string other = scan.anglesReversed ? "anticlockwise" : "clockwise";
    if (unlike > clearly * otherWay)
        return Doubt{.about = Doubt::About::direction,
                     .text = "Opposite rays agree if the scan turned " + other + " (they differ by " +
                             percent(otherWay) + "), but not as it is read (" + percent(unlike) +
                             "): the scan turned the other way, its columns are mirrored, or the detector's offset has "
                             "the wrong sign. The slices are wrong then; give the direction" +
                             hint("direction", other) + "."};
    if (unlike < muchForArc)
        return {};
    const FanArc best = bestArc(fan);
    if (std::min(unlike, best.usual) > clearlyForArc * best.unlike && best.unlike < muchForArc) {
        const bool endExcluded = std::abs(best.lastRad) < 2 * pi * (1 - 0.5 / views) &&
                                 std::abs(std::abs(best.lastRad) * views / (views - 1) - 2 * pi) < pi / views;
        const double arc = endExcluded ? 2 * pi : std::round(std::abs(best.lastRad) * 360 / pi) * pi / 360;
        const AngleSpread spread{0, arc, endExcluded};
        const bool isTurned = (best.lastRad < 0) != (angles.back() < angles.front());
        return Doubt{.about = Doubt::About::angles,
                     .text = (unlike == 1
                                  ? "With these angles hardly any rays were measured twice; opposite rays differ by "
                                  : "Opposite rays differ by " + percent(unlike) + " with these angles, and by ") +
                             percent(best.unlike) + " if the scan covers " + toText(spread) +
                             (isTurned ? " in the other direction" + hint("direction", other) : Text()) +
                             ". If so, give these angles" + aside(optionText(spread)) + ".",
                     .spread = isTurned ? std::nullopt : std::optional(spread)};
    }
    if (unlike < muchForOrder + 1.5 * fan.noise() || unlike == 1) // 1: hardly any rays were met twice
        return {};
    return Doubt{.about = Doubt::About::angles,
                 .text = "Opposite rays differ by " + percent(unlike) +
                         " with these angles, and no even steps make them agree: the projections are in another order "
                         "than the angles, some are missing, or distances are wrong. Give the right angles" +
                         hint("angles", "FILE") + "."};
}

} // namespace engine
