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
        arc,       // they leave out directions that slices need
        direction, // opposite rays of a cone agree for the other direction of the turn
        sides,     // darks or flats are among the projections
        light,     // some projections have far less light than those beside them
        bare,      // some projections don't show the object, such as flats
        beam,      // the light jumps, or that of the flats is another
        drift,     // the light changes slowly, as interpolated flats do
        moved,     // the object jumps from one projection to the next
        still,     // some projections show the same as the one before, except noise
        repeated,  // some projections are copies of the one before
        unlike,    // darks or flats are of two kinds, or not those of the projections
        numbers,   // wrapped or saturated numbers, or numbers far from the flats
        earlier    // stored with a volume by the run that made it
    };
    About about;
    std::vector<int> projections = {};      // of the scan, ascending: for `light`, `bare`, `still`, `repeated`
    long long count = 0;                    // of values: for wrapped `numbers`
    Text text = {};                         // what was found, and the remedy: for the others
    std::optional<AngleSpread> spread = {}; // that fits, for `angles`
    std::optional<SideFrames> frames = {};  // for `sides`
};

// Returns what was found, and the remedy: one or more sentences.
Text doubtText(const Scan& scan, const Doubt& doubt);

// Adds the doubts about some rows of a scan to those about others.
void addDoubts(std::vector<Doubt>& doubts, const std::vector<Doubt>& more);

} // namespace engine
