// SPDX-License-Identifier: GPL-3.0-or-later
// Means and medians of dark and flat frames, without what doesn't belong to them.
#pragma once

#include "engine/scan/scan.h"

#include <span>
#include <vector>

namespace engine
{

// Numbers of the frames that are left out of the means of darks and flats, ascending.
struct UnlikeFrames {
    std::vector<int> darks, flats;
};
// Finds darks and flats that aren't like most of the others of their group, such as a dark with light in it: their
// shape differs, or their level by far more than a detector or a beam drifts. Looks at some pixels. Of either kind at
// most the smaller half is returned, none of two frames.
UnlikeFrames unlikeFramesOf(const RawRows& raw, const std::vector<RowRange>& flatGroups);

// Mean of a row over a range of frames without some of them, ignoring non-finite values; NaN where no value is left.
// Values of single frames far from those of the others, such as hits of particles, are left out and added to `hits`.
// In a frame of noise alone there are none: the limit is ten times the usual range between the frames. Where they are
// half of the frames, none is left out.
std::vector<double> meanRow(const Values& frames, RowRange some, const std::vector<int>& leftOut, const RawRows& raw,
                            int row, long long& hits);

// Median of a row over a range of frames, ignoring non-finite values; for an even number, the mean of the middle two.
std::vector<double> medianRow(const Values& frames, RowRange some, const RawRows& raw, int row);

// Returns the air level of each row: the mean of data − dark over the outer 5 % of the bins of all projections, on
// the brighter side. Reads the data in memory order, as the projections of a row are far apart. dark: [row][bin].
std::vector<double> airOfRows(const RawRows& raw, std::span<const double> dark);

} // namespace engine
