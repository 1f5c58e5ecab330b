// SPDX-License-Identifier: GPL-3.0-or-later
// Where things lie in another scan of the same object: its axis, a slice, what is drawn.
#pragma once

#include "engine/compare/marks.h"
#include "engine/scan/scan.h"

namespace ui
{

// Whether the rotation axis is at the same place of the detector, whichever of its pixels are joined.
bool isSameAxis(const engine::Scan& from, const engine::Scan& to);

// The slice that lies where this one lies in the other scan.
int sliceLike(int slice, const engine::Scan& from, const engine::Scan& to);

// What is drawn, in pixels of the other scan's slices, so that it stays where it is on the object.
engine::Marks marksLike(engine::Marks marks, const engine::Scan& from, const engine::Scan& to);

} // namespace ui
