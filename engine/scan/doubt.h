// SPDX-License-Identifier: GPL-3.0-or-later
// Reasons to doubt that a scan is what it says, so that its images may be wrong: shown wherever an image goes.
#pragma once

#include "engine/scan/assumptions.h"

#include <optional>
#include <vector>

namespace engine
{

struct Scan;

struct Doubt {
    enum class About {
        angles,    // they don't fit the projections
        direction, // opposite rays of a cone agree for the other direction of the turn
        sides,     // darks or flats are among the projections
        light,     // some projections have far less light than those beside them
        repeated,  // some projections are copies of the one before
        numbers    // numbers at the top of their type's range: wrapped or saturated
    };
    About about;
    std::vector<int> projections = {};      // of the scan, ascending: for `light` and `repeated`
    long long count = 0;                    // of values: for `numbers`
    Text text = {};                         // what was found, and the remedy: for the others
    std::optional<AngleSpread> spread = {}; // that fits, for `angles`
    std::optional<SideFrames> frames = {};  // for `sides`
};

// Returns what was found, and the remedy: one or more sentences.
Text doubtText(const Scan& scan, const Doubt& doubt);

// Adds the doubts about some rows of a scan to those about others.
void addDoubts(std::vector<Doubt>& doubts, const std::vector<Doubt>& more);

} // namespace engine
