// SPDX-License-Identifier: GPL-3.0-or-later
// Conversion of a slice mode and a precision, known at run time, to template arguments.
#pragma once

#include "engine/request/sampling.h"

namespace engine::cuda
{

// Calls f.operator()<slices, half>(), slices being 1, 2 or 4, and returns what it returns.
template <typename Function>
auto forSlicesAndPrecision(int slices, Precision precision, Function f)
{
    const bool half = precision == Precision::half;
    switch (slices) {
    case 1:
        return half ? f.template operator()<1, true>() : f.template operator()<1, false>();
    case 2:
        return half ? f.template operator()<2, true>() : f.template operator()<2, false>();
    default:
        return half ? f.template operator()<4, true>() : f.template operator()<4, false>();
    }
}

} // namespace engine::cuda
