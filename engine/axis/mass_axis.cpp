// SPDX-License-Identifier: GPL-3.0-or-later
// Rotation axis from the centre of mass of the projections.
#include "engine/axis/axis.h"
#include "engine/axis/opposite_views.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace engine
{

namespace
{

// Factor that converts the signal at the ends of the detector, as a share of that in the brightest bin, to an
// equivalent share of the object: a signal of 5 % shifts the centre of mass as far as if 2 % of the object were cut
// off.
constexpr double endShare = 0.4;

// Returns the mean signal at the ends of the detector as a share of that of the brightest bin: it comes from an
// object that is cut off, or from something other than the object.
double seenAtEnds(const Sinograms& sinograms, int slice)
{
    const std::size_t bins = sinograms.bins, size = bins * sinograms.projections;
    const float* values = sinograms.values.data() + slice * size;
    BinLine sums(bins);
    for (std::size_t k = 0; k < size; ++k)
        sums[k % bins] += values[k];
    const auto meanOf = [&sums](std::size_t first, std::size_t count) {
        return std::abs(std::accumulate(&sums[first], &sums[first] + count, 0.0)) / static_cast<double>(count);
    };
    const std::size_t outer = std::max<std::size_t>(1, bins / 50);
    double most = 0;
    for (const double sum : sums)
        most = std::max(most, std::abs(sum));
    return most > 0 ? std::max(meanOf(0, outer), meanOf(bins - outer, outer)) / most : 1.0;
}

} // namespace

MassAxis axisFromMass(const Sinograms& sinograms, const std::vector<double>& anglesRad)
{
    std::array<std::array<double, 4>, 3> system{};
    double cutOff = 0;
    for (int slice = 0; slice < sinograms.slices; ++slice) {
        double least = std::numeric_limits<double>::infinity(), most = -least;
        for (int projection = 0; projection < sinograms.projections; ++projection) {
            const float* values =
                sinograms.values.data() +
                (static_cast<std::size_t>(slice) * sinograms.projections + projection) * sinograms.bins;
            double mass = 0, moment = 0;
            for (int bin = 0; bin < sinograms.bins; ++bin) {
                mass += values[bin];
                moment += values[bin] * static_cast<double>(bin);
            }
            const std::array<double, 4> row{mass, mass * std::cos(anglesRad[projection]),
                                            mass * std::sin(anglesRad[projection]), moment};
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 4; ++j)
                    system[i][j] += row[i] * row[j];
            least = std::min(least, mass);
            most = std::max(most, mass);
        }
        cutOff = std::max({cutOff, most > 0 ? (most - least) / most : 1.0, endShare * seenAtEnds(sinograms, slice)});
    }
    // Cramer's rule for the first unknown, the axis.
    const auto determinant = [&](int firstColumn) {
        const auto m = [&](int i, int j) { return system[i][j == 0 ? firstColumn : j]; };
        return m(0, 0) * (m(1, 1) * m(2, 2) - m(1, 2) * m(2, 1)) - m(0, 1) * (m(1, 0) * m(2, 2) - m(1, 2) * m(2, 0)) +
               m(0, 2) * (m(1, 0) * m(2, 1) - m(1, 1) * m(2, 0));
    };
    const double axis = determinant(3) / determinant(0), last = sinograms.bins - 1;
    const bool inside = axis >= 0 && axis <= last; // false for NaN
    return {std::isfinite(axis) ? std::clamp(axis, 0.0, last) : last / 2, inside && cutOff < 0.02, cutOff};
}

} // namespace engine
