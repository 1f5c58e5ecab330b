// SPDX-License-Identifier: GPL-3.0-or-later
// Filtered projections as the processor's cone kernels read them: transposed, so that the rows of a bin lie beside each
// other (Chen et al. (IPSJ report), section 3.1.1), with bins of zeros beside the detector.
#pragma once

#include "engine/backproject/parallel/cpu/stored_bins.h"
#include "engine/data/sinograms.h"

#include <cstddef>
#include <stop_token>

namespace engine
{

constexpr int binMargin = 2; // bins of zeros on either side

struct StoredColumns {
    bool half = false; // IEEE halves; else floats
    int halves = 1;    // 2, mirrored: from row 0 down to the middle and one beyond, and so from the last row up
    int rows = 0;      // of each half
    int rowStride = 0; // from one half to the next: with zeros behind the last
    int bins = 0;
    AlignedMemory memory; // [projection][binMargin + bins + binMargin][half][rowStride]

    std::ptrdiff_t binStride() const { return static_cast<std::ptrdiff_t>(rowStride) * halves; }
    std::ptrdiff_t projectionStride() const { return binStride() * (bins + 2 * binMargin); }
    const void* projection(int p) const // at row 0 of bin 0
    {
        return memory.data() + (p * projectionStride() + binMargin * binStride()) * (half ? 2 : 4);
    }
};

// scale: what values are multiplied by before they become halves (half_scale.h).
struct StoreColumnsOptions {
    bool half = false;
    bool rounded = false; // to halves, held as floats
    bool mirrored = false;
    double scale = 1;
};

// In parallel. Incomplete when stopped.
void storeColumns(const SinogramView& projections, const StoreColumnsOptions& options, const std::stop_token& stop,
                  StoredColumns& out);

// half_scale.h of all values, in parallel.
double halfScaleOf(const SinogramView& projections, const std::stop_token& stop);

} // namespace engine
