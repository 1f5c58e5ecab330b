// SPDX-License-Identifier: GPL-3.0-or-later
// Detection of exchanged dimensions, such as projections and bins of a sinogram, from the data.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace engine
{

// Returns the brightness of air, for counts or transmission: the level that a fiftieth of the values exceed; 0 if
// there are no values. NaN and infinity are ignored.
float brightOf(std::span<const float> values);

// Returns whether projections (lines) and bins (columns) seem to be exchanged. All projections of an object that the
// detector sees completely have the same mass; bins have different masses, and none at both ends. True if the columns
// have equal masses and the lines don't.
// which: indices of the sampled lines, ascending; all lines or some. values: [which][column], counts, transmission or
// line integrals.
// Source: Helgason-Ludwig consistency of order 0 (Natterer, The Mathematics of Computerized Tomography, 2001, II.4).
bool lookExchanged(const std::vector<int>& which, std::span<const float> values, int columns);

// Returns which dimensions of a stack are projections, rows and bins, if another order is likelier than the one in
// which it is read (projections, rows, bins). Criterion: with the other order, all projections of a row have the same
// mass; as the stack is read, they don't. If masses are also equal with projections and rows exchanged, as for an
// object that extends through all rows, values must change from projection to projection, but hardly from row to row.
// integrals: at some positions spread over each dimension, ends included, the last dimension fastest; the air level
// of single lines must not be subtracted. Returns nothing if the order seems right, if the detector doesn't see the
// whole object, or if the criterion doesn't decide.
std::optional<std::array<int, 3>> likelierDimensions(const std::array<int, 3>& sizes, std::span<const float> integrals);

} // namespace engine
