#include "engine/rank_part.h"

#include "engine/json_text.h"
#include "engine/request_json.h"
#include "engine/schedule/division.h"
#include "engine/volume_identity.h"
#include "engine/volume_needs.h"

#include <algorithm>
#include <string>
#include <vector>

namespace engine
{

namespace
{

// The ranks of a row make the same groups, so that they can be summed.
void shareGroups(const RankGrid& grid, VolumePlan& plan, Ensemble& ensemble)
{
    const std::vector<std::string> plans =
        ensemble.exchange(onOneLine({plan.slicesPerGroup, plan.overlapped, plan.shortEnds}));
    const int first = ensemble.rank() / grid.columns * grid.columns;
    for (int column = 0; column < grid.columns; ++column) {
        const Json of = Json::parse(plans[static_cast<std::size_t>(first + column)]);
        plan.slicesPerGroup = std::min(plan.slicesPerGroup, of[0].get<int>());
        plan.overlapped = plan.overlapped && of[1].get<bool>();
        plan.shortEnds = plan.shortEnds && of[2].get<bool>();
    }
}

} // namespace

RankPart rankPartOf(const Request& request, const VolumePlan& whole, const Json& madeOf, const VolumeOutput& output,
                    Ensemble& ensemble)
{
    const std::vector<RowRange> parts = partsOf(request, whole);
    RankPart part{.grid = rankGridFor(request, static_cast<int>(parts.size()), ensemble.size(), output.ranks,
                                      output.rates ? &*output.rates : nullptr),
                  .request = request,
                  .plan = whole};
    Json alike = madeOf;
    alike["scan"].erase("namesSizesAndTimes"); // copies of a scan, one on each machine, will do
    alike["scan"]["shape"] = {request.scan->projections(), request.scan->rows, request.scan->bins()};
    alike["slices"] = {request.place.slices.first, request.place.slices.count};
    alike["parts"] = parts.size();
    requireAlike(ensemble.exchange(onOneLine(alike)), ensemble, "has another scan, or makes it otherwise");
    part.grid = rankGridFromText(toldByFirst(ensemble, toText(part.grid))); // others have another memory, or rates
    const int row = ensemble.rank() / part.grid.columns, column = ensemble.rank() % part.grid.columns;
    part.request.place.slices = divide(parts, part.grid.rows)[static_cast<std::size_t>(row)];
    if (part.grid.columns > 1)
        part.request.place.projections = projectionsOfColumn(request.scan->projections(), part.grid, column);
    if (scalesGroups(request))
        part.plan.of = request.place.slices;
    else if (part.request.place.slices.count > 0)
        part.plan = planFor(part.request, output);
    if (part.grid.columns > 1)
        shareGroups(part.grid, part.plan, ensemble);
    return part;
}

RanksNeeds needsOfRanks(const Request& request, const OpenOptions& opened, const VolumeOutput& output,
                        Ensemble& ensemble)
{
    const RankPart part =
        rankPartOf(request, planFor(request, output), originOf(request, opened, output.stored), output, ensemble);
    const RowRange& slices = part.request.place.slices;
    const RowRange projections = part.request.place.projections.value_or(RowRange{0, request.scan->projections()});
    double seconds = 0;
    if (slices.count > 0) {
        VolumeNeeds needs = needsOf(part.request, output);
        needs.plan = part.plan;
        seconds = timeOf(part.request, needs, measureRates(part.request, output.path, ensemble.token())).seconds;
    }
    const Json own = {slices.first,         slices.count, projections.first, projections.count, part.plan.bytes,
                      part.plan.limitBytes, seconds};
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
