// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks in rows and columns, as Chen et al. 2019 (section 4.1, Fig. 3) has them: each row makes a slab of a cone beam's
// slices, each of its ranks from some of the projections, and their images are summed.
#pragma once

#include "engine/request/setting.h"

#include <string>
#include <vector>

namespace engine
{

struct Rates; // performance_model.h

// rank = row · columns + column
struct RankGrid {
    int rows = 0, columns = 0; // 0: chosen (rankGridFor)
    bool operator==(const RankGrid&) const = default;
};

std::string toText(const RankGrid& grid);           // "4x2"
RankGrid rankGridFromText(const std::string&);      // throws Error(badRequest)
void requireRanks(const RankGrid& grid, int ranks); // throws Error(badRequest) where it is of another number

// All of so many ranks, in no more rows and columns than those; the fewest columns first. One row where there is none.
std::vector<RankGrid> gridsOf(int ranks, int mostRows, int mostColumns);

// Of so many ranks. A slab needs only its band of the detector's rows, which is the wider beside the slab the thinner
// that is, and the wider the cone; each column more is summed. The grid that the model (performance_model.h) says is
// fastest with the machine's rates, each with the groups of slices that its ranks would make; without rates, the one
// whose ranks move the fewest bytes. (The slabs of Chen et al. 2019 read whole projections, which makes rows the dearer
// ones.) parts: of slice_division.h, the most rows. Throws Error(badRequest) where what was asked for is another number
// of ranks, or divides what can't be.
RankGrid rankGridFor(const Request& request, int parts, int ranks, const RankGrid& asked = {},
                     const Rates* rates = nullptr);

RowRange projectionsOfColumn(int projections, const RankGrid& grid, int column);

} // namespace engine
