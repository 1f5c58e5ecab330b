// SPDX-License-Identifier: GPL-3.0-or-later
// Line integrals of single rows, precise enough to judge a scan by.
#pragma once

#include "engine/scan/scan.h"

#include <cstddef>
#include <numeric>
#include <vector>

namespace engine
{

// Converts recorded values to line integrals; the air of each projection, the brighter of its sides, becomes 0.
// values: [projection][bin]. darks, flats: [bin], used for counts only; empty: none.
std::vector<float> integralsOf(const Values& values, Quantity quantity, const std::vector<double>& darks,
                               const std::vector<double>& flats, std::size_t bins);

template <typename A, typename B>
double scalarProduct(const A& a, const B& b)
{
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

} // namespace engine
