// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/volume/rank_assignment.h"

#include "engine/base/digest.h"
#include "engine/base/error.h"
#include "engine/base/json_text.h"
#include "engine/base/number_text.h"
#include "engine/json/request_json.h"
#include "engine/stages/prepared_rows.h"
#include "engine/volume/exchanged_scan.h"
#include "engine/volume/scan_copies.h"
#include "engine/volume/slice_division.h"
#include "engine/volume/volume_identity.h"
#include "engine/volume/volume_needs.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace engine
{

namespace
{

// Makes the ranks of a row reconstruct the same groups, so that their images can be summed.
void shareGroups(const RankGrid& grid, bool inPairs, VolumePlan& plan, Ensemble& ensemble)
{
    const std::vector<std::string> plans =
        ensemble.exchange(onOneLine({plan.slicesPerGroup, plan.overlapped, plan.shortEnds, inPairs}));
    const int first = ensemble.rank() / grid.columns * grid.columns;
    for (int column = 0; column < grid.columns; ++column) {
        const Json of = Json::parse(plans[static_cast<std::size_t>(first + column)]);
        require(of[3].get<bool>() == inPairs,
                "some ranks of a row have enough memory for mirrored pairs of slices and others don't; give all ranks "
                "the same memory limit" +
                    hint("memory-limit"));
        plan.slicesPerGroup = std::min(plan.slicesPerGroup, of[0].get<int>());
        plan.overlapped = plan.overlapped && of[1].get<bool>();
        plan.shortEnds = plan.shortEnds && of[2].get<bool>();
    }
}

// Returns a digest of the geometry and of one row of up to eight projections: scans of a series have the same size
// and differ only in these.
std::string sampleOf(const Request& request, const std::stop_token& stop)
{
    constexpr int mostProjections = 8;
    const Scan& scan = *request.scan;
    Digest digest;
    const auto add = [&digest](const auto& numbers) { digest.add(std::as_bytes(std::span(numbers))); };
    add(anglesRadOf(scan.geometry));
    add(axisBinsOf(scan.geometry));
    if (const auto* cone = std::get_if<ConeBeam>(&scan.geometry)) {
        add(std::array<double, 5>{cone->sourceAxisMm, cone->sourceDetectorMm, cone->centralRow, cone->tiltRad,
                                  cone->rollRad});
        add(cone->matrices);
    }
    const int projections = scan.projections(), some = std::min(projections, mostProjections);
    for (int k = 0; k < some; ++k) {
        const int projection = static_cast<int>(static_cast<long long>(k) * projections / some);
        const RawRows raw = readPart(request, {{projection, 1}, {scan.rows / 2, 1}, k == 0}, stop);
        digest.add(std::as_bytes(std::span(raw.data.bytes(), raw.data.size() * raw.data.type().bytes)));
        add(raw.flats);
        add(raw.darks);
        if (!scan.readFrames) // to read one projection of this scan, all of them are read: one is enough
            break;
    }
    return digest.text();
}

// Returns RankAssignment::copies.
std::vector<std::string> requireSameScan(const Request& request, Ensemble& ensemble)
{
    const std::vector<std::string> samples = ensemble.exchange(sampleOf(request, ensemble.token()));
    for (std::size_t rank = 1; rank < samples.size(); ++rank)
        if (samples[rank] != samples.front())
            throw SharedError(
                ErrorKind::badRequest,
                ensemble.name(static_cast<int>(rank)) + " has another scan than " + ensemble.name(0) +
                    ", of the same size: its angles, its axis or its values differ. All ranks need the same scan.");
    std::vector<std::string> copies = ensemble.exchange(copyOf(*request.scan));
    if (std::ranges::count(copies, copies.front()) == ensemble.size())
        copies.clear();
    return copies;
}

// Returns the plan for this rank's slices.
VolumePlan planOf(const Request& request, const RankAssignment& part, const VolumeOutput& output)
{
    if (part.loading != Loading::exchanged)
        return planFor(part.request, output);
    const double kept = bytesOfExchange(request, part.request, part.grid);
    Request within = part.request;
    within.resources.memoryLimitBytes -= kept;
    if (within.resources.memoryLimitBytes < bytesOfOnePass(part.request))
        throw Error(ErrorKind::noMemory,
                    "exchanging the projections takes " + sizeText(kept) + " of this rank's memory, too much for its " +
                        sizeText(part.request.resources.memoryLimitBytes) + "; use " + optionName("loading") +
                        " bands, which needs less, or raise the limit" + hint("memory-limit"));
    VolumePlan plan = planFor(within, output);
    plan.bytes += kept;
    plan.limitBytes += kept;
    return plan;
}

} // namespace

RankAssignment rankAssignmentOf(const Request& request, const VolumePlan& whole, const Json& madeOf,
                                const VolumeOutput& output, Ensemble& ensemble)
{
    const Request all = inPairs(request);
    const std::vector<RowRange> parts = partsOf(all, whole);
    Rates rates = output.rates.value_or(bytesMoved());
    rates.loading = output.loading;
    RankAssignment part{.grid = rankGridFor(all, static_cast<int>(parts.size()), ensemble.size(), output.ranks, &rates),
                        .request = all,
                        .plan = whole};
    Json alike = madeOf;
    alike["scan"].erase("namesSizesAndTimes"); // each machine may read its own copy of the scan
    alike["scan"]["shape"] = {request.scan->projections(), request.scan->rows, request.scan->bins()};
    alike["slices"] = {request.place.slices().first, request.place.slices().count};
    alike["parts"] = parts.size();
    alike["the use of mirrored pairs of slices, which depends on the memory limit,"] = all.place.pairsOf().has_value();
    requireAlike(ensemble.exchange(onOneLine(alike)), ensemble, "has another scan or other settings");
    part.copies = requireSameScan(request, ensemble);
    part.grid = rankGridFromText(toldByFirst(ensemble, toText(part.grid))); // ranks may differ in memory or rates
    const int row = ensemble.rank() / part.grid.columns, column = ensemble.rank() % part.grid.columns;
    if (const RowRange own = divide(parts, part.grid.rows)[static_cast<std::size_t>(row)]; own.count > 0)
        part.request.place.setSlices(own);
    else
        part.request.place.part = Slices{own}; // nothing to do, of a plane as well
    if (part.grid.columns > 1)
        part.request.place.projections = projectionsOfColumn(request.scan->projections(), part.grid, column);
    part.request = inPairs(part.request); // pairs may fit into memory for a part although they didn't for the whole
    if (output.loading == Loading::exchanged && part.grid.rows > 1)
        part.loading = Loading::exchanged;
    if (scalesGroups(request))
        part.plan.of = request.place.slices();
    else if (part.request.place.slices().count > 0)
        part.plan = planOf(request, part, output);
    if (part.grid.columns > 1)
        shareGroups(part.grid, part.request.place.pairsOf().has_value(), part.plan, ensemble);
    return part;
}

RanksNeeds needsOfRanks(const Request& request, const OpenOptions& opened, const VolumeOutput& output,
                        Ensemble& ensemble)
{
    const RankAssignment part =
        rankAssignmentOf(request, planFor(request, output), originOf(request, opened, output.stored), output, ensemble);
    const RowRange& slices = part.request.place.slices();
    const RowRange projections = part.request.place.projections.value_or(RowRange{0, request.scan->projections()});
    double seconds = 0;
    if (slices.count > 0) {
        VolumeNeeds needs = needsOf(part.request, output);
        needs.plan = part.plan;
        seconds = timeOf(part.request, needs, measureRates(part.request, output.path, ensemble.token())).seconds;
    }
    const Json own = {runsOf(part.request.place).front().first,
                      slices.count,
                      projections.first,
                      projections.count,
                      part.plan.bytes,
                      part.plan.limitBytes,
                      seconds};
    RanksNeeds all{.grid = part.grid, .ranks = {}};
    for (const std::string& text : ensemble.exchange(onOneLine(own))) {
        const Json of = Json::parse(text);
        all.ranks.push_back({.host = ensemble.host(static_cast<int>(all.ranks.size())),
                             .slices = {of[0], of[1]},
                             .projections = {of[2], of[3]},
                             .bytes = of[1] > 0 ? of[4].get<double>() : 0,
                             .limitBytes = of[5],
                             .seconds = of[6]});
    }
    return all;
}

} // namespace engine
