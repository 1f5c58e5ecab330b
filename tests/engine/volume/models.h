// SPDX-License-Identifier: GPL-3.0-or-later
// A problem, rates and a comparison that the tests of the performance model share
#pragma once

#include "engine/volume/performance_model.h"

#include <QtGlobal>

#include <cmath>

namespace models
{

using engine::Loading;
using engine::Problem;
using engine::Rates;

constexpr double gib = 1 << 30;

inline bool isClose(double value, double truth, double relative = 1e-12)
{
    const bool close = std::abs(value - truth) <= relative * std::abs(truth);
    if (!close)
        qWarning("%.9g instead of %.9g", value, truth);
    return close;
}

// Returns a small problem whose numbers all differ.
inline Problem smallProblem()
{
    Problem problem;
    problem.bins = 100, problem.rows = 60, problem.projections = 48;
    problem.sizeX = 40, problem.sizeY = 30, problem.sizeZ = 24;
    problem.bytesPerSample = 2, problem.bytesPerVoxel = 1;
    return problem;
}

inline Rates smallRates(Loading loading)
{
    Rates rates;
    rates.loading = loading;
    rates.gpusPerNode = 3, rates.connectorsPerNode = 2, rates.gpuMemoryBytes = 1e9;
    rates.load = 1e3, rates.filter = 2e3, rates.allGather = 3e3, rates.hostToDevice = 4e3, rates.deviceToHost = 5e3;
    rates.kernel = 6e3, rates.transpose = 7e3, rates.reduce = 8e3, rates.store = 9e3;
    return rates;
}

} // namespace models
