// SPDX-License-Identifier: GPL-3.0-or-later
// Projections without content: recorded with a closed shutter, or in a file that was not written completely.
#pragma once

#include "engine/base/text.h"
#include "engine/scan/scan.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace engine
{

// Returns the empty projections among those read, as indices of the scan from 0. A projection is empty if no row has
// a finite value, if all values are 0, or, for counts with dark frames, if the signal is not above that without
// light. Line integrals may also be 0 because the object doesn't reach these rows. Zeros then count as empty only if
// the rays are parallel, the projections aren't shifted vertically, and other projections aren't empty: in that case
// the mass of the object in these rows is the same from all sides. waitFor: for rows that are still being read; called
// before a projection is looked at, with the number of projections up to it.
std::vector<int> emptyProjections(const Scan& scan, const RawRows& raw,
                                  const std::function<void(int projections)>& waitFor = {});

// The same test, without the comparison with dark frames, for the values of a single projection or for means of its
// pixels. For line integrals that are all 0, the caller has to know that other projections have more.
bool isEmptyProjection(const Scan& scan, std::span<const float> values);

// Returns these projections as ranges of the recorded scan.
std::vector<RowRange> recordedRanges(const Scan& scan, const std::vector<int>& projections);

// The same, together with those that are left out already.
std::vector<RowRange> leftOutWith(const Scan& scan, const std::vector<int>& empty);

// Returns which projections spoil every slice, and how to leave them out: "40 to 59, counted from 0. They spoil …"
Text spoilingText(const Scan& scan, const std::vector<int>& projections);

// Returns a prominent warning: how many projections are empty, which ones, and their effect on the image. Empty if
// there are none, or if the lines of the scan seem to be bins.
Text emptyText(const Scan& scan, const std::vector<int>& empty);

} // namespace engine
