// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/guess/exchanged_axes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

namespace engine
{

namespace
{

constexpr int fewestOfAxes = 12;        // lines and columns
constexpr double steadySpread = 0.05;   // relative spread of sums that count as equal
constexpr double differentSpread = 0.2; // relative spread of sums that differ, from air to the middle of the object
constexpr double airShare = 0.15;       // apparent mass that a line of air may have, as a share of the heaviest line

// Standard deviation as a share of the mean.
double deviationOf(const std::vector<double>& sums)
{
    double mean = 0, squares = 0;
    for (const double sum : sums)
        mean += sum / static_cast<double>(sums.size());
    for (const double sum : sums)
        squares += (sum - mean) * (sum - mean) / static_cast<double>(sums.size());
    return mean != 0 ? std::sqrt(squares) / std::abs(mean) : 0;
}

// Returns the number of lines that each sampled line represents.
std::vector<double> weightsOf(const std::vector<int>& which)
{
    std::vector<double> weights;
    for (std::size_t k = 0; k < which.size(); ++k)
        weights.push_back((which[std::min(k + 1, which.size() - 1)] - which[k == 0 ? 0 : k - 1]) / 2.0);
    return weights;
}

struct Masses {
    std::vector<double> lines, columns;
};

bool areExchanged(const Masses& masses)
{
    const double same = deviationOf(masses.columns), different = deviationOf(masses.lines);
    const double most = *std::ranges::max_element(masses.lines);
    const std::size_t outer = std::max<std::size_t>(1, masses.lines.size() / 50);
    // An uneven beam gives air some mass, but hardly changes the differences between the columns' sums. So air may have
    // more mass if these sums are nearly equal.
    const double mostOfAir = same < different / 40 ? 0.2 : airShare;
    const auto isAir = [&](double mass) { return std::abs(mass) < mostOfAir * most; };
    return same < steadySpread && different > differentSpread && same < different / 4 &&
           std::all_of(masses.lines.begin(), masses.lines.begin() + static_cast<std::ptrdiff_t>(outer), isAir) &&
           std::all_of(masses.lines.end() - static_cast<std::ptrdiff_t>(outer), masses.lines.end(), isAir);
}

using Dimensions = std::array<int, 3>; // of projections, rows and bins
constexpr Dimensions asRead = {0, 1, 2}, sinograms = {1, 0, 2};

// Stack of values, accessed with its dimensions in any order.
class Stack
{
  public:
    Stack(const std::array<int, 3>& sizes, std::span<const float> integrals) : m_sizes(sizes), m_integrals(integrals) {}

    int size(int dimension) const { return m_sizes[static_cast<std::size_t>(dimension)]; }

    double at(const Dimensions& order, int projection, int row, int bin) const
    {
        return static_cast<double>(
            m_integrals[place(order[0], projection) + place(order[1], row) + place(order[2], bin)]);
    }

    // Returns the relative deviation of the projections' masses from the mean of their row; nothing for too few rows.
    std::optional<double> differenceOfProjections(const Dimensions& order) const
    {
        constexpr int fewestRows = 4;
        const int projections = size(order[0]), rows = size(order[1]);
        std::vector<double> means;
        double squares = 0, deviations = 0;
        for (int row = 0; row < rows; ++row) {
            std::vector<double> masses(static_cast<std::size_t>(projections));
            for (int projection = 0; projection < projections; ++projection)
                for (int bin = 0; bin < size(order[2]); ++bin)
                    masses[static_cast<std::size_t>(projection)] += at(order, projection, row, bin);
            const double mean = std::accumulate(masses.begin(), masses.end(), 0.0) / projections;
            for (const double mass : masses)
                deviations += (mass - mean) * (mass - mean);
            squares += mean * mean * projections;
            means.push_back(mean);
        }
        const double heaviest = *std::ranges::max_element(means);
        const auto holding = std::ranges::count_if(means, [&](double mean) { return mean > airShare * heaviest; });
        if (!(heaviest > 0) || holding < fewestRows)
            return {};
        return std::sqrt(deviations / squares);
    }

    // Returns whether both ends of the bins see air. If the object is cut off, projections have different masses.
    bool hasAir(const Dimensions& order) const
    {
        std::vector<double> bins(static_cast<std::size_t>(size(order[2])));
        for (int projection = 0; projection < size(order[0]); ++projection)
            for (int row = 0; row < size(order[1]); ++row)
                for (int bin = 0; bin < size(order[2]); ++bin)
                    bins[static_cast<std::size_t>(bin)] += at(order, projection, row, bin);
        const double most = *std::ranges::max_element(bins);
        const auto outer = static_cast<std::ptrdiff_t>(std::max<std::size_t>(1, bins.size() / 50));
        const auto isAir = [most](double value) { return std::abs(value) < airShare * most; };
        return most > 0 && std::all_of(bins.begin(), bins.begin() + outer, isAir) &&
               std::all_of(bins.end() - outer, bins.end(), isAir);
    }

    // Returns whether values change from projection to projection, as they do with the angle, but hardly from row to
    // row, as for an object that extends through all rows.
    bool changesByProjection(const Dimensions& order) const
    {
        constexpr double least = 0.02; // share of the sum of squares
        const int projections = size(order[0]), rows = size(order[1]);
        double byProjection = 0, byRow = 0, squares = 0;
        for (int projection = 0; projection < projections; ++projection)
            for (int row = 0; row < rows; ++row)
                for (int bin = 0; bin < size(order[2]); ++bin) {
                    const double value = at(order, projection, row, bin);
                    squares += value * value;
                    byProjection +=
                        std::pow(value - at(order, (projection + projections / 3) % projections, row, bin), 2);
                    byRow += std::pow(value - at(order, projection, (row + rows / 2) % rows, bin), 2);
                }
        return byProjection > least * squares && byRow < byProjection / 5;
    }

  private:
    std::size_t place(int dimension, int index) const
    {
        std::size_t stride = 1;
        for (int k = dimension + 1; k < 3; ++k)
            stride *= static_cast<std::size_t>(size(k));
        return static_cast<std::size_t>(index) * stride;
    }

    std::array<int, 3> m_sizes;
    std::span<const float> m_integrals;
};

} // namespace

float brightOf(std::span<const float> values)
{
    std::vector<float> sorted(values.begin(), values.end());
    std::erase_if(sorted, [](float value) { return !std::isfinite(value); });
    if (sorted.empty())
        return 0;
    const auto air = sorted.end() - 1 - static_cast<std::ptrdiff_t>(sorted.size() / 50);
    std::ranges::nth_element(sorted, air);
    return *air;
}

bool lookExchanged(const std::vector<int>& which, std::span<const float> values, int columns)
{
    const auto width = static_cast<std::size_t>(columns);
    const auto lines = static_cast<int>(which.size());
    if (columns < fewestOfAxes || lines < fewestOfAxes || values.size() != which.size() * width)
        return false;
    const double bright = brightOf(values);
    const std::vector<double> weights = weightsOf(which);
    const auto judge = [&](auto&& massOf) {
        Masses masses{std::vector<double>(which.size()), std::vector<double>(width)};
        for (std::size_t k = 0; k < values.size(); ++k) {
            const double mass = massOf(static_cast<double>(values[k]));
            masses.lines[k / width] += mass;
            masses.columns[k % width] += weights[k / width] * mass;
        }
        if (std::accumulate(masses.lines.begin(), masses.lines.end(), 0.0) < 0) // line integrals of the opposite sign
            for (double& mass : masses.lines)
                mass = -mass;
        return areExchanged(masses);
    };
    return judge([](double value) { return std::isfinite(value) ? value : 0; }) ||
           judge([bright](double value) { return bright > 0 && value > 0 ? -std::log(value / bright) : 0; });
}

std::optional<Dimensions> likelierDimensions(const std::array<int, 3>& sizes, std::span<const float> integrals)
{
    if (integrals.empty() || integrals.size() != static_cast<std::size_t>(sizes[0]) *
                                                     static_cast<std::size_t>(sizes[1]) *
                                                     static_cast<std::size_t>(sizes[2]))
        return {};
    constexpr double same = 0.15, different = 0.1, factor = 5; // noise and sampling of small objects change masses
    const Stack stack(sizes, integrals);
    const std::optional<double> read = stack.differenceOfProjections(asRead);
    if (read && (*read < steadySpread || (*read < 2 * same && stack.changesByProjection(asRead)))) {
        const std::optional<double> exchanged = stack.differenceOfProjections(sinograms);
        const bool areSinograms = stack.size(1) >= fewestOfAxes && stack.hasAir(sinograms) && exchanged &&
                                  *exchanged < steadySpread && stack.changesByProjection(sinograms);
        return areSinograms ? std::optional(sinograms) : std::nullopt;
    }
    std::optional<Dimensions> best;
    double least = same;
    Dimensions order = asRead;
    while (std::ranges::next_permutation(order).found) {
        if (stack.size(order[0]) < fewestOfAxes || stack.size(order[2]) < fewestOfAxes || !stack.hasAir(order))
            continue;
        const std::optional<double> difference = stack.differenceOfProjections(order);
        if (!difference || *difference >= least || (read && *read < factor * *difference))
            continue;
        const std::optional<double> exchanged = stack.differenceOfProjections({order[1], order[0], order[2]});
        if (!exchanged)
            continue;
        if ((*exchanged > different && *exchanged > factor * *difference) || stack.changesByProjection(order)) {
            best = order;
            least = *difference;
        }
    }
    return best;
}

} // namespace engine
