// What the steps of preparation do to every value of a line, by the widest vectors that this processor has.
#pragma once

#include "engine/scan/samples.h"

#include <cstddef>

namespace engine
{

// Numbers from `first` on as floats; what isn't finite becomes noValue.
void copyFinite(const Samples& recorded, std::size_t first, std::size_t count, float* values);

// (value − dark)·gain in double precision; a NaN among them gives one.
void correctLine(float* values, std::size_t count, const double* dark, const double* gain);

// −log; noLight at or below the smallest transmission that is believed (minus_log.h), NaN stays.
void minusLogLine(float* values, std::size_t count);

} // namespace engine
