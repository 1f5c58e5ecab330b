// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks in rows and columns, as in Chen et al. 2019 (section 4.1, Fig. 3). Each row reconstructs a slab of a cone
// beam's slices. Each rank of a row back-projects a share of the projections, and the images of the row are summed.
#pragma once

#include "engine/request/setting.h"

#include <string>
#include <vector>

namespace engine
{

struct Rates; // performance_model.h

// Grid of ranks: rank = row · columns + column
struct RankGrid {
    int rows = 0, columns = 0; // 0: chosen by rankGridFor()
    bool operator==(const RankGrid&) const = default;
};

std::string toText(const RankGrid& grid);           // "4x2"
RankGrid rankGridFromText(const std::string&);      // throws Error(badRequest)
void requireRanks(const RankGrid& grid, int ranks); // throws Error(badRequest) for another number of ranks

// Returns all grids of `ranks` ranks with at most mostRows rows and mostColumns columns, fewest columns first; if
// there is none, a single row.
std::vector<RankGrid> gridsOf(int ranks, int mostRows, int mostColumns);

// Returns rates at which the model's time is the number of bytes moved: one byte per second for projections that a rank
// filters or receives, and for images, which are both sent and received.
Rates bytesMoved();

// Returns the grid for this number of ranks. A slab needs only its band of detector rows. Relative to the slab, the
// band is wider for thinner slabs and wider cones; on the other hand, every further column has to be summed. Chooses
// the grid that the model (performance_model.h) predicts to be fastest with the machine's rates and the groups of
// slices that the ranks would reconstruct; without rates, the grid whose ranks move the fewest bytes. (In Chen et al.
// 2019 every slab reads whole projections, so that rows are the more expensive dimension.) parts: the largest number
// of rows, see partsOf() in slice_division.h. asked: the grid that the user chose, if any. Throws Error(badRequest)
// if `asked` has another number of ranks, or divides projections that can't be divided.
RankGrid rankGridFor(const Request& request, int parts, int ranks, const RankGrid& asked = {},
                     const Rates* rates = nullptr);

RowRange projectionsOfColumn(int projections, const RankGrid& grid, int column);

} // namespace engine
