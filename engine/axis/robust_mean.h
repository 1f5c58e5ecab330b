// SPDX-License-Identifier: GPL-3.0-or-later
// Robust mean (Cauchy weights), in bins, of what several methods measured.
#pragma once

#include <vector>

namespace engine
{

struct Measured {
    double value = 0;
    double trust = 0; // 0: doesn't count
    double error = 1; // that it usually has, above 0
};

// From their median on, what lies several of its own errors aside counts less and less (the weights of Cauchy's
// distribution). Errors are known roughly, so what is precise counts by their inverse, not its square. One or more.
double robustMean(const std::vector<Measured>& all);

} // namespace engine
