// SPDX-License-Identifier: GPL-3.0-or-later
// Projections that hold nothing: a shutter that was closed, a file that was not written to the end.
#pragma once

#include "engine/base/text.h"
#include "engine/scan/scan.h"

#include <span>
#include <string>
#include <vector>

namespace engine
{

// Of what was read those without a single number in any row, with nothing but 0, or, of counts with dark frames, with
// no more than the detector gives without light; of the scan's, from 0. Line integrals may be 0 where the object isn't,
// unless the rays are parallel and others have more: then it is as heavy from all sides.
std::vector<int> emptyProjections(const Scan& scan, const RawRows& raw);

// Likewise one by itself, or the means of its pixels; others have more.
bool isEmptyProjection(const Scan& scan, std::span<const float> values);

// The same as they were recorded, with those that are left out already.
std::vector<RowRange> leftOutWith(const Scan& scan, const std::vector<int>& empty);

// A warning that can't be overlooked: how many, which, what they do to the image; empty where there are none,
// and of a scan whose lines seem to be bins.
Text emptyText(const Scan& scan, const std::vector<int>& empty);

} // namespace engine
