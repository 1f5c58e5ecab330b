// SPDX-License-Identifier: GPL-3.0-or-later
// An independent definition of the Shepp-Logan phantom, so that the program's own phantom does not judge itself, and
// simulations whose sums are known
#pragma once

#include "tests/fixtures.h"

#include <cmath>
#include <numbers>
#include <numeric>
#include <span>

namespace shepp_logan
{

struct TableRow {
    double a, b, x, y, angleDeg, original, modified;
};
inline constexpr TableRow table[] = {{.69, .92, 0, 0, 0, 2, 1},          {.6624, .874, 0, -.0184, 0, -.98, -.8},
                                     {.11, .31, .22, 0, -18, -.02, -.2}, {.16, .41, -.22, 0, 18, -.02, -.2},
                                     {.21, .25, 0, .35, 0, .01, .1},     {.046, .046, 0, .1, 0, .01, .1},
                                     {.046, .046, 0, -.1, 0, .01, .1},   {.046, .023, -.08, -.605, 0, .01, .1},
                                     {.023, .023, 0, -.606, 0, .01, .1}, {.023, .046, .06, -.605, 0, .01, .1}};

// Returns line integrals as bin means, so that their sums are sums over the object.
inline engine::Simulation lineIntegrals(engine::Phantom phantom, int size, int projections)
{
    engine::Simulation simulation;
    simulation.phantom = phantom;
    simulation.size = size;
    simulation.projections = projections;
    simulation.counts = false;
    simulation.sampling = engine::Sampling::binMean;
    return simulation;
}

inline double sum(std::span<const float> values)
{
    return std::accumulate(values.begin(), values.end(), 0.0);
}

} // namespace shepp_logan
