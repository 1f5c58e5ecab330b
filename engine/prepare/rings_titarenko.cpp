// SPDX-License-Identifier: GPL-3.0-or-later
// Titarenko 2010: finds the stripes q, the same in all n projections of a block, whose removal leaves the sinogram s
// smoothest across the bins. It minimises Σ|D(s − q)|² + α·n·|q|², D being the difference of neighbours. As q is the
// same in all projections, only their mean m matters: (DᵀD + α)·q = DᵀD·m, a tridiagonal system.
#include "engine/prepare/rings.h"

#include "engine/base/parallel_for.h"

#include <algorithm>

namespace engine
{

namespace
{

std::vector<double> stripesOf(const std::vector<double>& mean, double alpha)
{
    const std::size_t count = mean.size();
    std::vector<double> q(count, 0.0), upper(count, 0.0);
    if (count < 2)
        return q;
    const auto isEnd = [count](std::size_t k) { return k == 0 || k + 1 == count; };
    for (std::size_t k = 0; k < count; ++k) { // Thomas algorithm, forward sweep
        const double own = isEnd(k) ? 1 : 2;
        double right = own * mean[k];
        right -= k > 0 ? mean[k - 1] : 0;
        right -= k + 1 < count ? mean[k + 1] : 0;
        const double pivot = own + alpha + (k > 0 ? upper[k - 1] : 0);
        upper[k] = -1 / pivot;
        q[k] = (right + (k > 0 ? q[k - 1] : 0)) / pivot;
    }
    for (std::size_t k = count - 1; k-- > 0;)
        q[k] -= upper[k] * q[k + 1];
    return q;
}

} // namespace

void removeByRegularization(const SinogramPlane& sinogram, const RingValues& values)
{
    const int blocks = std::min(values.blocks, sinogram.projections);
    parallelFor(0, blocks, [&](int block) {
        const auto start = [&](int k) { return static_cast<int>(1LL * sinogram.projections * k / blocks); };
        const int first = start(block), end = start(block + 1);
        std::vector<double> mean(static_cast<std::size_t>(sinogram.bins), 0.0);
        for (int p = first; p < end; ++p)
            for (int bin = 0; bin < sinogram.bins; ++bin)
                mean[bin] += sinogram.line(p)[bin];
        for (double& one : mean)
            one /= end - first;
        const std::vector<double> stripes = stripesOf(mean, values.alpha);
        for (int p = first; p < end; ++p)
            for (int bin = 0; bin < sinogram.bins; ++bin)
                sinogram.line(p)[bin] -= static_cast<float>(stripes[bin]);
    });
}

} // namespace engine
