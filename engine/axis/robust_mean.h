// SPDX-License-Identifier: GPL-3.0-or-later
// Robust mean (Cauchy weights), in bins, of what several methods measured.
#pragma once

#include <vector>

namespace engine
{

struct Measured {
    double value = 0;
    double trust = 0; // 0: ignored
    double error = 1; // typical error of the method, above 0
};

// Starts from the weighted median and down-weights values that lie several of their own errors away from the mean
// (weights of the Cauchy distribution). As errors are known only roughly, values are weighted by the inverse of their
// error, not of its square. At least one value is required.
double robustMean(const std::vector<Measured>& all);

} // namespace engine
