// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a scan agrees with itself, as far as rows that were read show it.
#pragma once

#include "engine/scan/doubt.h"
#include "engine/scan/scan.h"

#include <stop_token>
#include <vector>

namespace engine
{

// Returns reasons to doubt the scan, from the middle one of these rows: at most one of a kind, none if the row is too
// small or too noisy to tell. The same tests for every format, wherever a value came from; what was tested when the
// scan was opened (given and assumed angles) isn't tested again. Simulated scans aren't examined. empty: projections
// that are known to be empty (emptyProjections).
std::vector<Doubt> doubtsOf(const Scan& scan, const RawRows& raw, const std::vector<int>& empty);

// The same for a scan of which nothing was read yet: reads its middle row, or that of the central ray. None if that
// takes more than 256 MB, or if the row can't be read, which is reported when it is needed. A drift that the default
// preparation follows isn't returned. Throws Error(cancelled).
std::vector<Doubt> doubtsOf(const Scan& scan, const std::stop_token& stop);

} // namespace engine
