#include "engine/axis/candidates.h"

#include "engine/axis/robust_mean.h"
#include "engine/error.h"
#include "engine/number_text.h"
#include "engine/prepare/shifts.h"
#include "engine/rows.h"
#include "engine/stopwatch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace engine
{

namespace
{

bool isNear(const AxisCandidate& candidate, double bins, double tolerance)
{
    return candidate.unsuited.empty() && std::abs(candidate.guess.bins - bins) <= tolerance;
}

double weightOf(const AxisCandidate& candidate)
{
    return candidate.method->trust * std::clamp(candidate.guess.score, 0.0, 1.0);
}

// What speaks for a place, of candidates that are independent of each other.
double evidenceFor(const std::vector<AxisCandidate>& candidates, double bins, double tolerance)
{
    double against = 1;
    for (const AxisCandidate& each : candidates)
        if (isNear(each, bins, tolerance))
            against *= 1 - weightOf(each);
    return 1 - against;
}

// "is doubtful: opposite-views says 12.5 bins (40 %), …": those that say anything.
std::string doubtOf(const std::vector<AxisCandidate>& candidates)
{
    std::string said;
    for (const AxisCandidate& each : candidates)
        if (const int percent = static_cast<int>(std::lround(100 * weightOf(each)));
            each.unsuited.empty() && percent > 0)
            said += (said.empty() ? "" : ", ") + std::string(each.method->id) + " says " +
                    numberToText(std::round(100 * each.guess.bins) / 100) + " bins (" + std::to_string(percent) + " %)";
    return "is doubtful: " + (said.empty() ? "no way to find it says anything" : said) + ".";
}

// The place that most speaks for, in the robust mean of those that agree with it, and a confidence: that, less what
// speaks for the next best.
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

AxisCandidates candidatesOf(const Sinograms& row, const ParallelBeam& beam, int threads, bool quickAlone,
                            const std::stop_token& stop)
{
    const AxisSearch search{row, beam, threads, stop};
    AxisCandidates made;
    made.toleranceBins = std::max(1.0, row.bins / 500.0);
    made.lines = oppositeLinesOf(row, beam.anglesRad);
    for (const AxisMethod& method : axisMethods()) {
        if (quickAlone && !method.isQuick)
            continue;
        throwIfStopped(stop);
        const Stopwatch watch;
        AxisCandidate candidate;
        candidate.method = &method;
        if (const auto reason = method.unsuited(search))
            candidate.unsuited = *reason;
        else
            candidate.guess = method.find(search);
        candidate.seconds = watch.seconds();
        made.candidates.push_back(candidate);
    }
    made.found = together(made.candidates, made.toleranceBins);
    return made;
}

// The row as it would be without the scan's shifts of the detector; nothing where it has none.
std::optional<Sinograms> straightened(const Sinograms& row, const Geometry& geometry)
{
    const auto* beam = std::get_if<ParallelBeam>(&geometry);
    return beam && !beam->shiftBins.empty() ? std::optional(withoutShifts(row, beam->shiftBins)) : std::nullopt;
}

} // namespace

std::span<const AxisMethod> axisMethods()
{
    static const std::array table{oppositeViewsAxis, fourierAxis,        overlapAxis,
                                  entropyAxis,       totalVariationAxis, centreOfMassAxis};
    return table;
}

AxisCandidates findAxisCandidates(const Sinograms& row, const Geometry& geometry, int threads,
                                  const std::stop_token& stop)
{
    const ParallelBeam& beam = parallelBeamOf(geometry, "comparing ways to find the axis");
    const std::optional<Sinograms> unshifted = straightened(row, geometry);
    const Sinograms& straight = unshifted ? *unshifted : row;
    AxisFound quick = searchAxis(straight, geometry, threads, stop); // refuses what none can do
    AxisCandidates all = candidatesOf(straight, beam, threads, false, stop);
    if (!quick.doubt.empty()) {
        std::vector<AxisCandidate> asked;
        std::ranges::copy_if(all.candidates, std::back_inserter(asked),
                             [](const AxisCandidate& each) { return each.method->isQuick; });
        quick = together(asked, all.toleranceBins);
    }
    all.atOpening = std::move(quick);
    return all;
}

AxisCandidates findAxisCandidates(const Request& request, const std::stop_token& stop)
{
    parallelBeamOf(request.scan->geometry, "comparing ways to find the axis");
    const RowRange row = axisRowOf(*request.scan);
    const PreparedRows rows = prepare(request, read(request, row, stop), row, 0, stop);
    return findAxisCandidates(rows.prepared.sinograms, request.scan->geometry, request.resources.threads, stop);
}

AxisFound findAxis(const Sinograms& row, const Geometry& geometry, int threads, const std::stop_token& stop)
{
    const std::optional<Sinograms> unshifted = straightened(row, geometry);
    const Sinograms& straight = unshifted ? *unshifted : row;
    AxisFound quick = searchAxis(straight, geometry, threads, stop);
    const auto* beam = std::get_if<ParallelBeam>(&geometry);
    if (quick.doubt.empty() || !beam)
        return quick;
    return candidatesOf(straight, *beam, threads, true, stop).found;
}

} // namespace engine
