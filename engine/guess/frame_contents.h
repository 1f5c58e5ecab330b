// SPDX-License-Identifier: GPL-3.0-or-later
// Detection of unmarked darks and flats among the projections, from one row of each frame.
#pragma once

#include <span>

namespace engine
{

enum class FrameContent { object, air, nothing };

// Measures of one row of a frame of counts.
struct LineFacts {
    double level = 0; // of the brighter side, assumed to be air
    double mass = 0;  // sum of the line integrals relative to that level
    double light = 0; // mean
};
LineFacts factsOf(std::span<const float> counts);

// Thresholds between the kinds of frames of a scan.
struct FrameGroups {
    bool any = false;                                     // whether there are darks or flats
    double usualLevel = 0, leastMass = 0, leastLight = 0; // minimum mass of projections, minimum light of flats
};

// Derives the thresholds from the frames. Darks have hardly any light; most frames are projections. If the object is
// seen completely or nearly so, the masses of flats are far below those of the projections, which are nearly equal.
// Otherwise flats must be brighter than other frames and all have one shape that no other frame has. (If the bright
// frames were projections, the projections next to them would have nearly the same shape.) lines: of all frames looked
// at, from these counts; counts: [frame][bin].
FrameGroups groupsOf(std::span<const LineFacts> lines, std::span<const float> counts);
FrameContent contentOf(const LineFacts& line, const FrameGroups& groups);

} // namespace engine
