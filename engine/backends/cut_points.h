// SPDX-License-Identifier: GPL-3.0-or-later
// Where the processor's images can be cut into parts without changing how a value is rounded: positions on the detector
// are counted from the first pixel of a tile or run.
#pragma once

namespace engine
{

constexpr int maxTileEdge = 64;    // pixels along each side of a tile of slices
constexpr int planeRunPixels = 64; // most pixels of a row of a plane that are summed together

} // namespace engine
