// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of a scan of which some can't be used, for images that may have gaps.
#pragma once

#include "engine/request/setting.h"
#include "engine/scan/scan.h"

#include <stop_token>
#include <vector>

namespace engine
{

// Recorded rows in which the nearest good row stands in for each row that can't be read or has no light.
struct PatchedRows {
    RawRows raw;
    std::vector<int> gaps;   // these rows of the detector, ascending
    std::vector<Note> notes; // they say which rows, and why
};

// Reads the request's rows with the halo that its preparation needs. Rows that can't be read are sought by halving; the
// rows on both sides of them are read more than once. Throws the Error of reading if no row can be read, and
// Error(badFile) if none is good.
PatchedRows readPatched(const Request& request, RowRange rows, const std::stop_token& stop);

} // namespace engine
