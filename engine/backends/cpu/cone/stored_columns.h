// SPDX-License-Identifier: GPL-3.0-or-later
// Filtered projections as the processor's cone kernels read them: transposed, so that the rows of a bin are adjacent
// (Chen et al. (IPSJ report), section 3.1.1), with bins of zeros on either side of the detector.
#pragma once

#include "engine/backends/cpu/parallel/stored_bins.h"
#include "engine/data/sinograms.h"

#include <cstddef>
#include <stop_token>

namespace engine
{

constexpr int binMargin = 2; // bins of zeros on either side

struct StoredColumns {
    bool half = false; // IEEE halves; else floats
    int halves = 1;    // 2 if mirrored: half 0 counts rows from the first one down, half 1 from the last one up, both
                       // to one row beyond the middle
    int rows = 0;      // of each half
    int rowStride = 0; // from one half to the next, including zeros behind the last row
    int bins = 0;
    AlignedMemory memory; // [projection][binMargin + bins + binMargin][half][rowStride]

    std::ptrdiff_t binStride() const { return static_cast<std::ptrdiff_t>(rowStride) * halves; }
    std::ptrdiff_t projectionStride() const { return binStride() * (bins + 2 * binMargin); }
    const void* projection(int p) const // at row 0 of bin 0
    {
        return memory.data() + (p * projectionStride() + binMargin * binStride()) * (half ? 2 : 4);
    }
};

// Options of storeColumns. scale: factor for values before they become halves (half_scale.h).
struct StoreColumnsOptions {
    bool half = false;
    bool rounded = false; // values rounded to halves, stored as floats
    bool mirrored = false;
    double scale = 1;
};

// Stores the projections, in parallel. Incomplete if stopped.
void storeColumns(const SinogramView& projections, const StoreColumnsOptions& options, const std::stop_token& stop,
                  StoredColumns& out);

// Returns the scale of halves (half_scale.h) for all values, computed in parallel.
double halfScaleOf(const SinogramView& projections, const std::stop_token& stop);

} // namespace engine
