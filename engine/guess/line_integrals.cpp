// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/guess/line_integrals.h"

#include "engine/base/parallel_for.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace engine
{

namespace
{

// Estimates the beam without the object from one line: the brighter of both sides.
double airOf(std::span<const double> line)
{
    const std::size_t outer = std::max<std::size_t>(1, line.size() / 20);
    const auto mean = [&](std::size_t first) {
        return std::accumulate(line.begin() + static_cast<std::ptrdiff_t>(first),
                               line.begin() + static_cast<std::ptrdiff_t>(first + outer), 0.0) /
               static_cast<double>(outer);
    };
    return std::max(mean(0), mean(line.size() - outer));
}

} // namespace

std::vector<float> integralsOf(const Values& values, Quantity quantity, const std::vector<double>& darks,
                               const std::vector<double>& flats, std::size_t bins)
{
    constexpr double least = 1e-4; // transmission; lower values can't be told from noise
    std::vector<float> made(values.size());
    parallelFor(0, static_cast<int>(values.size() / bins), [&](int number) {
        const std::size_t first = static_cast<std::size_t>(number) * bins;
        std::vector<double> line(bins); // not of the thread: without memory for its destructor glibc ends the program
        for (std::size_t bin = 0; bin < bins; ++bin) {
            line[bin] = values[first + bin];
            if (quantity != Quantity::counts)
                continue;
            const double dark = darks.empty() ? 0 : darks[bin];
            line[bin] -= dark;
            if (!flats.empty())
                line[bin] /= flats[bin] > dark ? flats[bin] - dark : 1;
        }
        if (quantity != Quantity::attenuation) {
            const double air = airOf(line);
            for (double& value : line)
                value = -std::log(air > 0 ? std::max(value / air, least) : 1.0);
        }
        for (std::size_t bin = 0; bin < bins; ++bin) {
            const bool isNumber = std::isfinite(line[bin]) && std::abs(line[bin]) < 1e30;
            made[first + bin] = isNumber ? static_cast<float>(line[bin]) : bin > 0 ? made[first + bin - 1] : 0.0F;
        }
    });
    return made;
}

} // namespace engine
