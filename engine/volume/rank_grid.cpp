// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/volume/rank_grid.h"

#include "engine/base/error.h"
#include "engine/prepare/steps.h"
#include "engine/stages/stages.h"
#include "engine/volume/performance_problem.h"
#include "engine/volume/volume_plan.h"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace engine
{

namespace
{

// Returns the number of passes of one rank, as its volume will be planned.
int passesOf(const Request& request, const RankGrid& grid)
{
    Request part = request;
    const RowRange all = request.place.slices();
    part.place.setSlices({all.first, (all.count + grid.rows - 1) / grid.rows});
    if (grid.columns > 1)
        part.place.projections = projectionsOfColumn(request.scan->projections(), grid, 0);
    const int slices = planVolume(part).slicesPerGroup;
    return (part.place.slices().count + slices - 1) / slices;
}

} // namespace

Rates bytesMoved()
{
    Rates rates;
    rates.filter = 1.0 / sizeof(float);
    rates.allGather = 1;
    rates.reduce = 1.0 / 2;
    return rates;
}

std::string toText(const RankGrid& grid)
{
    return std::to_string(grid.rows) + "x" + std::to_string(grid.columns);
}

RankGrid rankGridFromText(const std::string& text)
{
    RankGrid grid;
    const char* const end = text.data() + text.size();
    const auto [x, badRows] = std::from_chars(text.data(), end, grid.rows);
    const bool hasColumns = badRows == std::errc() && x != end && *x == 'x';
    const auto [last, badColumns] = std::from_chars(hasColumns ? x + 1 : end, end, grid.columns);
    if (!hasColumns || badColumns != std::errc() || last != end || grid.rows < 1 || grid.columns < 1)
        throw Error(ErrorKind::badRequest, "'" + text + "' is not a grid of rows and columns of ranks, such as 4x2");
    return grid;
}

void requireRanks(const RankGrid& grid, int ranks)
{
    if (double(grid.rows) * grid.columns != ranks)
        throw Error(ErrorKind::badRequest,
                    toText(grid) + " ranks were requested, but there are " + std::to_string(ranks));
}

std::vector<RankGrid> gridsOf(int ranks, int mostRows, int mostColumns)
{
    std::vector<RankGrid> grids;
    for (int columns = 1; columns <= std::min(ranks, mostColumns); ++columns)
        if (ranks % columns == 0 && ranks / columns <= mostRows)
            grids.push_back({ranks / columns, columns});
    if (grids.empty())
        grids.push_back({1, ranks});
    return grids;
}

RankGrid rankGridFor(const Request& request, int parts, int ranks, const RankGrid& asked, const Rates* rates)
{
    const std::string why = whyNotInParts(request);
    RankGrid grid = asked;
    if (asked.rows == 0) {
        const int projections = request.scan->projections();
        const std::vector<RankGrid> grids =
            why.empty() ? gridsOf(ranks, parts, projections) : std::vector<RankGrid>{{ranks, 1}};
        if (grids.size() == 1)
            grid = grids.front();
        else
            grid = fastestOf(grids, problemOf(request), rates ? *rates : bytesMoved(),
                             [&](const RankGrid& of) { return passesOf(request, of); });
    }
    requireRanks(grid, ranks);
    if (grid.columns > 1 && !why.empty())
        throw Error(ErrorKind::badRequest,
                    toText(grid) + " ranks were requested, but " + why + ": use " + std::to_string(ranks) + "x1");
    if (grid.columns > request.scan->projections())
        throw Error(ErrorKind::badRequest, toText(grid) + " ranks were requested, but there are only " +
                                               std::to_string(request.scan->projections()) + " projections");
    return grid;
}

RowRange projectionsOfColumn(int projections, const RankGrid& grid, int column)
{
    const auto begin = [&](long long of) { return static_cast<int>(of * projections / grid.columns); };
    return {begin(column), begin(column + 1) - begin(column)};
}

} // namespace engine
