// SPDX-License-Identifier: GPL-3.0-or-later
// Conversion of a slice mode and a precision, known at run time, to template arguments.
#pragma once

#include "engine/request/sampling.h"

namespace engine::cuda
{

// Calls f.operator()<slices>(), slices being 1, 2 or 4, and returns what it returns.
template <typename Function>
auto forSlices(int slices, Function f)
{
    switch (slices) {
    case 1:
        return f.template operator()<1>();
    case 2:
        return f.template operator()<2>();
    default:
        return f.template operator()<4>();
    }
}

// Calls f.operator()<slices, half>() in the same way.
template <typename Function>
auto forSlicesAndPrecision(int slices, Precision precision, Function f)
{
    return forSlices(slices, [&]<int count>() {
        return precision == Precision::half ? f.template operator()<count, true>()
                                            : f.template operator()<count, false>();
    });
}

} // namespace engine::cuda
