// SPDX-License-Identifier: GPL-3.0-or-later
// Darks and flats among projections, which nothing marks as such: told by what a row of each shows.
#pragma once

#include "engine/base/text.h"
#include "engine/scan/geometry.h"

#include <span>
#include <string>
#include <vector>

namespace engine
{

// Frames among the projections that show no object, counted from 0.
struct SideFrames {
    std::vector<RowRange> darks, flats;
};
// "Frames 0 to 9 show no object: they may be flat fields (flat-frames 0:9)."
Text sidesText(const SideFrames&);

enum class FrameContent { object, air, nothing };

// Of one row of a frame of counts.
struct LineFacts {
    double level = 0; // of the brighter side, which is air
    double mass = 0;  // sum of the line integrals, by that level
    double light = 0; // mean
};
LineFacts factsOf(std::span<const float> counts);

// What tells apart what a scan's frames show.
struct FrameGroups {
    bool any = false;                                     // darks or flats
    double usualLevel = 0, leastMass = 0, leastLight = 0; // of projections, and of flats
};

// Darks have hardly any light; most frames are projections. Of an object that is seen whole or nearly, masses of flats
// lie far below those of the projections, which are nearly equal. Otherwise flats are brighter, all of one shape, and
// no other frame has it, as one next to a projection would. lines: of each frame looked at, of these counts:
// [frame][bin].
FrameGroups groupsOf(std::span<const LineFacts> lines, std::span<const float> counts);
FrameContent contentOf(const LineFacts& line, const FrameGroups& groups);

} // namespace engine
