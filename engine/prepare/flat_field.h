// Counts to transmission: dark and flat fields.
#pragma once

#include "engine/filter/filter.h"
#include "engine/scan/scan.h"

#include <stop_token>
#include <string>
#include <vector>

namespace engine {

struct Prepared {
    Sinograms sinograms;            // line integrals, attenuation times pixels
    std::vector<std::string> notes; // dead pixels mended, values clamped: one sentence each with counts
};

// (data − dark)/(flat − dark) with frames averaged, then −log (prepare/minus_log.h); transmission goes to
// the −log at once, attenuation is passed through. Dead pixels (flat ≤ dark, 0/0, NaN) are mended from their neighbours in the same
// row, not spread; so are up to 3 bins without any light beside bins with light. Without flats, the
// air beside the object is taken as the flat (outer 5 % of the bins, the brighter side, averaged
// over all projections) and a note says so.
// threads: 0 for all. Throws Error(badFile) when every flat pixel is dark; cancelled.
Prepared prepareRows(const RawRows& raw, Quantity quantity, int threads, std::stop_token stop = {});

} // namespace engine
