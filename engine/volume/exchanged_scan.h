// SPDX-License-Identifier: GPL-3.0-or-later
// A scan whose projections the ranks of a column read once and then exchange, instead of each reading its band of
// detector rows (Loading::exchanged, performance_model.h). Chen et al. 2019 (section 4.1.2) exchange filtered
// projections. Here ranks exchange them as recorded: often in 2 bytes a sample instead of 4, so that a GPU can prepare
// and filter them together with the back-projection, and with the same bits as bands.
#pragma once

#include "engine/request/setting.h"
#include "engine/volume/ensemble.h"
#include "engine/volume/rank_grid.h"

#include <memory>

namespace engine
{

// The rows and projections that one rank needs, in memory.
struct ExchangedScan {
    std::shared_ptr<const Scan> scan; // reads them from memory, and everything else as before
    double readSeconds = 0;           // this rank's share of the projections
    double exchangeSeconds = 0;       // without the time spent waiting for other ranks
    double elapsedSeconds = 0;        // both stages overlap
};

// Returns the memory that a rank needs for its rows and projections, and while it exchanges them. whole: the request of
// all ranks. part: the rank's share of it; without slices it keeps none.
double bytesOfExchange(const Request& whole, const Request& part, const RankGrid& grid);

// Reads this rank's share of its column's projections, with all rows that any rank needs, and exchanges them. All ranks
// call it. Throws Error, and Error(cancelled) if stop is requested; no further exchange is possible after that.
ExchangedScan exchangeProjections(const Request& whole, const Request& part, const RankGrid& grid, Ensemble& ensemble,
                                  const std::stop_token& stop);

} // namespace engine
