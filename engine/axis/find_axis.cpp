// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/axis/find_axis.h"

#include "engine/axis/robust_mean.h"
#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/base/parallel_for.h"
#include "engine/base/stopwatch.h"
#include "engine/prepare/shifts.h"
#include "engine/scan/some_projections.h"
#include "engine/stages/prepared_rows.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <optional>

namespace engine
{

namespace
{

constexpr float largestComparable = 1e30F; // larger values would overflow in the measures

bool isNear(const AxisCandidate& candidate, double bins, double tolerance)
{
    return candidate.unsuited.empty() && std::abs(candidate.guess.bins - bins) <= tolerance;
}

double weightOf(const AxisCandidate& candidate)
{
    return candidate.method->trust * std::clamp(candidate.guess.score, 0.0, 1.0);
}

// Returns the evidence for a position, treating the candidates as independent of each other.
double evidenceFor(const std::vector<AxisCandidate>& candidates, double bins, double tolerance)
{
    double against = 1;
    for (const AxisCandidate& each : candidates)
        if (isNear(each, bins, tolerance))
            against *= 1 - weightOf(each);
    return 1 - against;
}

// Returns "is doubtful: opposite-views finds 12.5 bins (40 %), …", with the candidates whose weight isn't 0.
std::string doubtOf(const std::vector<AxisCandidate>& candidates)
{
    std::string said;
    for (const AxisCandidate& each : candidates)
        if (const int percent = static_cast<int>(std::lround(100 * weightOf(each)));
            each.unsuited.empty() && percent > 0)
            said += (said.empty() ? "" : ", ") + std::string(each.method->id) + " finds " +
                    numberToText(std::round(100 * each.guess.bins) / 100) + " bins (" + std::to_string(percent) + " %)";
    return "is doubtful: " + (said.empty() ? "no method finds it" : said) + ".";
}

// Chooses the position with the most evidence and returns the robust mean of the candidates that agree with it. The
// confidence is that evidence, reduced by the evidence for the best of the other positions.
AxisFound together(std::vector<AxisCandidate>& candidates, double tolerance)
{
    const AxisCandidate* best = nullptr;
    double most = -1;
    for (const AxisCandidate& each : candidates)
        if (each.unsuited.empty())
            if (const double evidence = evidenceFor(candidates, each.guess.bins, tolerance); evidence > most) {
                most = evidence;
                best = &each;
            }
    const double middle = best->guess.bins;
    double others = 0;
    std::vector<Measured> places;
    std::string agreeing;
    for (AxisCandidate& each : candidates) {
        each.agrees = isNear(each, middle, tolerance);
        if (each.agrees) {
            places.push_back({each.guess.bins, weightOf(each), each.method->errorBins});
            agreeing += (agreeing.empty() ? "" : ", ") + std::string(each.method->id);
        } else if (each.unsuited.empty()) {
            others = std::max(others, evidenceFor(candidates, each.guess.bins, tolerance));
        }
    }
    agreeing += places.size() > 1 ? " together" : " alone";
    AxisFound found{robustMean(places), agreeing, most * (1 - others)};
    if (*found.confidence < sureAxis)
        found.doubt = axisDoubt(found.bins, doubtOf(candidates));
    return found;
}

double toleranceOf(int bins)
{
    return std::max(1.0, bins / 500.0);
}

AxisCandidates candidatesOf(const Sinograms& row, const ParallelBeam& beam, int threads, bool quickAlone,
                            const std::stop_token& stop, const AxisProgress& progress = {})
{
    const AxisSearch search{row, beam, threads, stop};
    AxisCandidates made;
    made.toleranceBins = toleranceOf(row.bins);
    made.lines = oppositeLinesOf(row, beam.anglesRad);
    for (const AxisMethod& method : axisMethods())
        if (!quickAlone || method.isQuick)
            made.candidates.push_back({.method = &method, .unsuited = {}, .guess = {}});
    std::atomic<int> ended = 0;
    parallelFor(0, static_cast<int>(made.candidates.size()), [&](int k) {
        throwIfStopped(stop);
        AxisCandidate& candidate = made.candidates[static_cast<std::size_t>(k)];
        const Stopwatch watch;
        if (const auto reason = candidate.method->unsuited(search))
            candidate.unsuited = *reason;
        else
            candidate.guess = candidate.method->find(search);
        candidate.seconds = watch.seconds();
        if (progress)
            progress(++ended / static_cast<double>(made.candidates.size()));
    });
    made.found = together(made.candidates, made.toleranceBins);
    return made;
}

bool isComparable(const Sinograms& row)
{
    return std::ranges::all_of(row.values, [](float value) { return std::abs(value) < largestComparable; });
}

constexpr const char* fromNothing = "from projections that are all empty";

bool isEmpty(const PreparedRows& rows)
{
    return static_cast<int>(rows.facts.emptyProjections.size()) == rows.scan->projections();
}

// One row without its empty projections, which would mislead every method.
struct SeenRow {
    Sinograms row;
    Geometry geometry;
};

SeenRow withoutEmpty(const Sinograms& row, const Geometry& geometry, const std::vector<int>& empty)
{
    std::vector<int> kept;
    for (int projection = 0; projection < row.projections; ++projection)
        if (!std::ranges::binary_search(empty, projection))
            kept.push_back(projection);
    Sinograms seen{1, static_cast<int>(kept.size()), row.bins, Values(kept.size() * row.bins)};
    auto to = seen.values.begin();
    for (const int projection : kept)
        to = std::copy_n(row.values.begin() + static_cast<std::ptrdiff_t>(projection) * row.bins, row.bins, to);
    return {std::move(seen), withProjections(geometry, kept)};
}

// Applies `find` to the projections of a row that are not empty. If no axis can be found in these, applies `guess`
// with the reason instead.
template <typename Find, typename Guess>
auto foundIn(const PreparedRows& rows, const Sinograms& row, const Find& find, const Guess& guess)
{
    const Geometry& geometry = rows.scan->geometry;
    if (rows.facts.emptyProjections.empty() || whyNoAxis(geometry))
        return find(row, geometry);
    if (isEmpty(rows))
        return guess(geometry, fromNothing);
    const SeenRow seen = withoutEmpty(row, geometry, rows.facts.emptyProjections);
    if (const auto why = whyNoAxis(seen.geometry))
        return guess(geometry, "without the empty projections, " + *why);
    return find(seen.row, seen.geometry);
}

// Returns candidates that are all unsuited for the given reason, and the middle of the detector as a guess.
AxisCandidates noCandidates(const Geometry& geometry, const std::string& why)
{
    AxisCandidates made;
    for (const AxisMethod& method : axisMethods())
        made.candidates.push_back({.method = &method, .unsuited = "It can't be found " + why + ".", .guess = {}});
    made.found = middleAsAxis(geometry, why);
    made.toleranceBins = toleranceOf(binsOf(geometry));
    return made;
}

// Returns the row without the scan's horizontal shifts; nothing if it has none.
std::optional<Sinograms> straightened(const Sinograms& row, const Geometry& geometry)
{
    const auto* beam = std::get_if<ParallelBeam>(&geometry);
    return beam && !beam->shiftBins.empty() ? std::optional(withoutShifts(row, beam->shiftBins)) : std::nullopt;
}

AxisFound foundBy(const Sinograms& row, const Geometry& geometry, int threads, bool quickly,
                  const std::stop_token& stop)
{
    const std::optional<Sinograms> unshifted = straightened(row, geometry);
    const Sinograms& straight = unshifted ? *unshifted : row;
    AxisFound quick = searchAxis(straight, geometry, threads, stop);
    const auto* beam = std::get_if<ParallelBeam>(&geometry);
    if (quick.isGuess() || !beam || !isComparable(row) || (quickly && quick.doubt.empty()))
        return quick;
    return candidatesOf(straight, *beam, threads, quickly, stop).found;
}

AxisFound foundInRow(const PreparedRows& rows, int row, int threads, bool quickly, const std::stop_token& stop)
{
    std::optional<Sinograms> one;
    if (rows.rows != RowRange{row, 1})
        one = slicesOf(rows.prepared.sinograms, row - rows.rows.first, 1);
    return foundIn(
        rows, one ? *one : rows.prepared.sinograms,
        [&](const Sinograms& seen, const Geometry& geometry) {
            return foundBy(seen, geometry, threads, quickly, stop);
        },
        middleAsAxis);
}

// A doubt about the angles that an axis is found with.
struct AngleDoubt {
    double certainty; // of these angles, 0 to 1
    Text why;         // "angles that …", a sentence and what to do
};

std::string percentText(double certainty)
{
    return std::to_string(std::lround(100 * certainty)) + " % certain";
}

std::optional<AngleDoubt> angleDoubtOf(const Scan& scan)
{
    if (scan.axesLookExchanged())
        return AngleDoubt{0.5, "dimensions that seem to be exchanged; exchange them" +
                                   hint("data-axes", scan.exchangedAxes) + "."};
    if (scan.likelierTurn)
        return AngleDoubt{std::min(0.5, 1 - scan.likelierTurn->certainty),
                          "angles that don't fit the projections; other angles would give another axis. " +
                              (scan.likelierTurn->isUneven
                                   ? "Give the right angles" + hint("angles") + "."
                                   : "If it is " + toText(scan.likelierTurn->spread) + ", give these" +
                                         aside(optionText(scan.likelierTurn->spread)) + ".")};
    if (!scan.assumedTurn)
        return {};
    const TurnGuess& guess = *scan.assumedTurn;
    const std::string assumed = "assumed angles, " + toText(guess.spread) + ", ";
    if (!guess.isSure())
        return AngleDoubt{guess.certainty,
                          assumed + percentText(guess.certainty) + "; other angles would give another axis. " +
                              (guess.alternative
                                   ? "If it is " + toText(*guess.alternative) + ", give these angles" +
                                         aside(optionText(*guess.alternative)) + ", otherwise the right angles."
                                   : "Give the right angles" + hint("angles") + ".")};
    return {};
}

} // namespace

std::span<const AxisMethod> axisMethods()
{
    static const std::array table{oppositeViewsAxis, fourierAxis,        overlapAxis,
                                  entropyAxis,       totalVariationAxis, centreOfMassAxis};
    return table;
}

AxisCandidates findAxisCandidates(const Sinograms& row, const Geometry& geometry, int threads,
                                  const std::stop_token& stop, const AxisProgress& progress)
{
    const ParallelBeam& beam = parallelBeamOf(geometry, "comparing methods to find the axis");
    if (!isComparable(row))
        throw Error(ErrorKind::badRequest,
                    "the prepared row has values that are not numbers, or larger than 1e30: no method to find the axis "
                    "can compare them. Choose other preparation steps, or give the axis.");
    const std::optional<Sinograms> unshifted = straightened(row, geometry);
    const Sinograms& straight = unshifted ? *unshifted : row;
    searchAxis(straight, geometry, threads, stop); // throws if no method can find the axis
    if (const auto why = whyNoAxis(straight))
        return noCandidates(geometry, *why);
    return candidatesOf(straight, beam, threads, false, stop, progress);
}

AxisFound doubtedFor(const Scan& scan, AxisFound found)
{
    const std::optional<AngleDoubt> doubt = angleDoubtOf(scan);
    if (!doubt || found.isGuess())
        return found;
    found.confidence = std::min(found.confidence.value_or(1), 0.99 * sureAxis * doubt->certainty);
    found.doubt = "The rotation axis, " + inBins(found.bins) + ", was found with " + doubt->why +
                  (found.doubt.empty() ? "" : " " + found.doubt);
    return found;
}

PreparedRows prepareAxisRow(const Request& request, const std::stop_token& stop)
{
    const RowRange row = axisRowOf(*request.scan);
    const RawRows raw = read(request, row, stop);
    try {
        return prepare(request, raw, row, 0, stop);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::badFile)
            throw;
        throw Error(error.kind(), error.text() + " The axis is searched for in this row: search in several rows" +
                                      aside("axis " + optionName("rows") + " 9") + ", or give the axis" + hint("axis") +
                                      ".");
    }
}

AxisCandidates findAxisCandidates(const Request& request, const std::stop_token& stop, const AxisProgress& progress)
{
    parallelBeamOf(request.scan->geometry, "comparing methods to find the axis");
    const PreparedRows rows = prepareAxisRow(request, stop);
    AxisCandidates all = foundIn(
        rows, rows.prepared.sinograms,
        [&](const Sinograms& seen, const Geometry& geometry) {
            return findAxisCandidates(seen, geometry, request.resources.threads, stop, progress);
        },
        noCandidates);
    all.emptyProjections = rows.facts.emptyProjections;
    all.found = doubtedFor(*request.scan, std::move(all.found));
    return all;
}

AxisFound findAxis(const Sinograms& row, const Geometry& geometry, int threads, const std::stop_token& stop)
{
    return foundBy(row, geometry, threads, false, stop);
}

AxisFound findAxis(const PreparedRows& rows, int row, int threads, const std::stop_token& stop)
{
    return doubtedFor(*rows.scan, foundInRow(rows, row, threads, false, stop));
}

AxisFound findAxisQuickly(const PreparedRows& rows, int row, int threads, const std::stop_token& stop)
{
    return foundInRow(rows, row, threads, true, stop);
}

} // namespace engine
