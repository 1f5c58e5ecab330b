#include "engine/scan/exchanged_axes.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace engine
{

namespace
{

constexpr int fewest = 12;              // lines and columns
constexpr double steadySpread = 0.05;   // of sums that are the same
constexpr double differentSpread = 0.2; // of sums that differ: of air, and of the middle of the object
constexpr double airShare = 0.15;       // of the heaviest line, that a line of air may seem to hold

// Standard deviation as a share of the mean.
double spreadOf(const std::vector<double>& sums)
{
    double mean = 0, squares = 0;
    for (const double sum : sums)
        mean += sum / static_cast<double>(sums.size());
    for (const double sum : sums)
        squares += (sum - mean) * (sum - mean) / static_cast<double>(sums.size());
    return mean != 0 ? std::sqrt(squares) / std::abs(mean) : 0;
}

// How many lines each one looked at stands for.
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
    const double same = spreadOf(masses.columns), different = spreadOf(masses.lines);
    const double most = *std::ranges::max_element(masses.lines);
    const std::size_t outer = std::max<std::size_t>(1, masses.lines.size() / 50);
    const auto isAir = [&](double mass) { return std::abs(mass) < airShare * most; };
    return same < steadySpread && different > differentSpread && same < different / 4 &&
           std::all_of(masses.lines.begin(), masses.lines.begin() + static_cast<std::ptrdiff_t>(outer), isAir) &&
           std::all_of(masses.lines.end() - static_cast<std::ptrdiff_t>(outer), masses.lines.end(), isAir);
}

} // namespace

bool lookExchanged(const std::vector<int>& which, std::span<const float> values, int columns)
{
    const auto width = static_cast<std::size_t>(columns);
    const auto lines = static_cast<int>(which.size());
    if (columns < fewest || lines < fewest || values.size() != which.size() * width)
        return false;
    std::vector<float> sorted(values.begin(), values.end());
    std::erase_if(sorted, [](float value) { return !std::isfinite(value); });
    if (sorted.empty())
        return false;
    const auto air = sorted.end() - 1 - static_cast<std::ptrdiff_t>(sorted.size() / 50); // of counts, transmission
    std::ranges::nth_element(sorted, air);
    const double bright = *air;
    const std::vector<double> weights = weightsOf(which);
    const auto judge = [&](auto&& massOf) {
        Masses masses{std::vector<double>(which.size()), std::vector<double>(width)};
        for (std::size_t k = 0; k < values.size(); ++k) {
            const double mass = massOf(static_cast<double>(values[k]));
            masses.lines[k / width] += mass;
            masses.columns[k % width] += weights[k / width] * mass;
        }
        if (std::accumulate(masses.lines.begin(), masses.lines.end(), 0.0) < 0) // integrals of the opposite sign
            for (double& mass : masses.lines)
                mass = -mass;
        return areExchanged(masses);
    };
    return judge([](double value) { return std::isfinite(value) ? value : 0; }) ||
           judge([bright](double value) { return bright > 0 && value > 0 ? -std::log(value / bright) : 0; });
}

} // namespace engine
