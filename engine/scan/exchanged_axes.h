// SPDX-License-Identifier: GPL-3.0-or-later
// Whether projections and bins of a sinogram are exchanged, told from its numbers.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace engine
{

// How bright air is, of counts or transmission: what a fiftieth of the numbers exceeds; 0 where there are none. NaN and
// infinity don't count.
float brightOf(std::span<const float> values);

// All projections of an object that the detector sees whole hold the same mass, while bins hold different ones, and
// none at both ends. True if it is the columns that hold the same and the lines that don't.
// which: numbers of the lines looked at, ascending; all of them, or some. values: [which][column], counts,
// transmission or line integrals.
// Source: Helgason-Ludwig consistency of order 0 (Natterer, The Mathematics of Computerized Tomography, 2001, II.4).
bool lookExchanged(const std::vector<int>& which, std::span<const float> values, int columns);

// Which dimensions of a stack count projections, rows and bins, if these are others than the first, the second and the
// third: in every row, all projections hold the same mass, which they don't as the stack is read; of an object that
// stands through all rows, the values change from projection to projection, and not from row to row.
// integrals: of some places that are spread over each dimension, ends included, the last dimension fastest; no air of
// single lines is subtracted. Nothing where the order seems right, where the detector doesn't see the object whole,
// or where nothing tells.
std::optional<std::array<int, 3>> likelierDimensions(const std::array<int, 3>& sizes, std::span<const float> integrals);

} // namespace engine
