// The one way from what a detector recorded to line integrals: for slices, previews, the axis and volumes.
#pragma once

#include "engine/prepare/steps.h"

#include <stop_token>
#include <string>
#include <vector>

namespace engine
{

struct Prepared {
    Sinograms sinograms;            // line integrals, attenuation times pixels
    std::vector<std::string> notes; // dead pixels mended, values clamped: one sentence each with counts
};

// Every line (one row of one projection) goes through all steps of preparationOf(quantity) while it is in the
// cache. threads: 0 for all. Throws Error: badRequest when sizes don't fit, badFile for a row without a good pixel
// or a good value, cancelled, noMemory.
Prepared prepareRows(const RawRows& raw, Quantity quantity, int threads, std::stop_token stop = {});

// The same by other steps. Throws Error(badRequest) when they make no sense. As many slices come back as raw has
// rows: rows of the halo are read, and cropped, by whoever asks.
Prepared prepareRows(const RawRows& raw, Quantity quantity, const Preparation& preparation, int threads,
                     std::stop_token stop = {});

} // namespace engine
