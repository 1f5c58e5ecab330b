// SPDX-License-Identifier: GPL-3.0-or-later
// What the steps of preparation do to every value of a line, by the widest vectors that this processor has.
#pragma once

#include "engine/prepare/steps.h"

#include <cstddef>

namespace engine
{

// The numbers as floats; what isn't finite becomes noValue. Nothing when they are fetched already.
void fetch(LineAtWork& line);

// (number − dark)·gain in double precision, of the numbers where they are not fetched yet; noValue where one of the
// three isn't finite.
void correctLine(LineAtWork& line, const double* dark, const double* gain);

// −log; noLight at or below the smallest transmission that is believed (minus_log.h), NaN stays.
void minusLogLine(float* values, std::size_t count);

// Is there noValue or noLight among them?
bool hasMarks(const float* values, std::size_t count);

} // namespace engine
