// SPDX-License-Identifier: GPL-3.0-or-later
// Vectorised steps of preparation for every value of a line, with the widest vectors of this processor.
#pragma once

#include "engine/prepare/steps.h"

#include <cstddef>

namespace engine
{

// Converts the stored numbers to floats; non-finite ones become noValue. Does nothing if the line is fetched already.
void fetch(LineAtWork& line);

// Computes (number − dark)·gain in double precision, from the stored numbers if the line is not fetched yet. The
// result is noValue where one of the three is not finite.
void correctLine(LineAtWork& line, const double* dark, const double* gain);

// Computes −log; noLight at or below the minimum plausible transmission (minus_log.h), NaN stays NaN.
void minusLogLine(float* values, std::size_t count);

// Returns whether any value is noValue or noLight.
bool hasMarks(const float* values, std::size_t count);

} // namespace engine
