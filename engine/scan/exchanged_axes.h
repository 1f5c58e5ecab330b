// Whether projections and bins of a sinogram are exchanged, told from its numbers.
#pragma once

#include <span>
#include <vector>

namespace engine
{

// All projections of an object that the detector sees whole hold the same mass, while bins hold different ones, and
// none at both ends. True if it is the columns that hold the same and the lines that don't.
// which: numbers of the lines looked at, ascending; all of them, or some. values: [which][column], counts,
// transmission or line integrals.
// Source: Helgason-Ludwig consistency of order 0 (Natterer, The Mathematics of Computerized Tomography, 2001, II.4).
bool lookExchanged(const std::vector<int>& which, std::span<const float> values, int columns);

// Whether each frame is a sinogram, so that frames count rows, and lines of a frame count projections: the lines of a
// frame hold the same mass, and those of different frames don't, or these are alike, as of an object that stands
// through all rows, and those of a frame aren't. integrals: [frame][line][bin], of which the
// detector sees the object whole; else false.
bool lookLikeSinograms(int frames, int lines, std::span<const float> integrals);

} // namespace engine
