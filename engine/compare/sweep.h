// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps: one request with options varied over lists of values.
#pragma once

#include "engine/options/options.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace engine
{

// An option of a setting and the values to try, as texts for setField().
struct Variation {
    const Option* option;
    std::vector<std::string> values;
};

// Parses "OPTION=VALUES": values separated by commas, or by semicolons if they contain commas. FIRST:LAST:STEP stands
// for evenly spaced numbers, both ends included. Throws Error(badRequest) for an unknown option, one that isn't of a
// setting, a value that the option can't have, a value given twice, and more than `mostPoints` values.
Variation variationFromText(const std::string& text);
inline constexpr const char* variationForms = "OPTION=FIRST:LAST:STEP or OPTION=VALUE,VALUE,…";
inline constexpr long long mostPoints = 10'000;

// One combination of values.
struct SweepPoint {
    std::vector<std::string> values; // one for each variation
    Request request;                 // ready to run, unless there is a refusal
    std::optional<Text> refusal;     // why the combination is impossible, or a value has no effect
};

struct Sweep {
    Request base;
    std::vector<Variation> variations;
    bool isZipped = false;          // k-th values together; otherwise all combinations, the last option fastest
    std::vector<SweepPoint> points; // in the user's order
    std::vector<std::size_t> order; // of computation: points that share rows follow each other
};

// Returns the sweep of a request for one slice or plane. passes: whether the number of slices per pass is chosen for
// each point, as for a single slice; otherwise it is that of the request. Throws Error(badRequest): an option varied
// twice, lists of different lengths that are to be zipped, more than `most` combinations.
Sweep sweepOf(const Request& base, std::vector<Variation> variations, bool isZipped, bool passes,
              long long most = mostPoints);

// Returns the position of each of the point's values in its variation.
std::vector<std::size_t> placesOf(const Sweep& sweep, const SweepPoint& point);

std::string pointName(const Sweep& sweep, const SweepPoint& point); // "axis 60, filter hann"

} // namespace engine
