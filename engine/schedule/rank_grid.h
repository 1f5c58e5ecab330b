// Ranks in rows and columns, as 004 (section 4.1, Fig. 3) has them: each row makes a slab of a cone beam's slices, each
// of its ranks from some of the projections, and their images are summed.
#pragma once

#include "engine/setting.h"

#include <string>

namespace engine
{

// rank = row · columns + column
struct RankGrid {
    int rows = 0, columns = 0; // 0: chosen (rankGridFor)
    bool operator==(const RankGrid&) const = default;
};

std::string toText(const RankGrid& grid);           // "4x2"
RankGrid rankGridFromText(const std::string&);      // throws Error(badRequest)
void requireRanks(const RankGrid& grid, int ranks); // throws Error(badRequest) where it is of another number

// Of so many ranks. A slab needs only its band of the detector's rows, and each column more is summed: there are more
// columns than one only where there are fewer parts (division.h) than ranks. Bands of thin slabs share rows, the more
// the wider the cone: of hundreds of ranks the model (model.h) tells which grid is fastest. (004's slabs read whole
// projections, which makes rows the dearer ones.)
// Throws Error(badRequest) where what was asked for is another number of ranks, or divides what can't be.
RankGrid rankGridFor(const Request& request, int parts, int ranks, const RankGrid& asked = {});

RowRange projectionsOfColumn(int projections, const RankGrid& grid, int column);

} // namespace engine
