// SPDX-License-Identifier: GPL-3.0-or-later
// Corresponding positions in two scans of the same object: axis, slices, marks.
#pragma once

#include "engine/compare/marks.h"
#include "engine/scan/scan.h"

namespace ui
{

// Returns whether the rotation axis has the same position on the detector, regardless of binning.
bool isSameAxis(const engine::Scan& from, const engine::Scan& to);

// Returns the slice of `to` at the position of the slice in `from`.
int sliceLike(int slice, const engine::Scan& from, const engine::Scan& to);

// Converts marks to the slice pixels of `to`, so that they keep their positions on the object.
engine::Marks marksLike(engine::Marks marks, const engine::Scan& from, const engine::Scan& to);

} // namespace ui
