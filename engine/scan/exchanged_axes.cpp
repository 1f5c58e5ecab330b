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

// Whether lines of one frame differ, as they do over the angles, and those of different frames hardly, as of an object
// that stands through all rows.
bool changeWithinFrames(std::size_t frames, std::size_t lines, std::size_t bins, std::span<const float> integrals)
{
    constexpr double least = 0.02; // of the squares
    double within = 0, across = 0, squares = 0;
    for (std::size_t frame = 0; frame < frames; ++frame)
        for (std::size_t line = 0; line < lines; ++line)
            for (std::size_t bin = 0; bin < bins; ++bin) {
                const auto at = [&](std::size_t f, std::size_t k) {
                    return static_cast<double>(integrals[(f * lines + k) * bins + bin]);
                };
                const double value = at(frame, line);
                squares += value * value;
                within += std::pow(value - at(frame, (line + lines / 3) % lines), 2);
                across += std::pow(value - at((frame + frames / 2) % frames, line), 2);
            }
    return within > least * squares && across < within / 5;
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

bool lookLikeSinograms(int frames, int lines, std::span<const float> integrals)
{
    const std::size_t count = static_cast<std::size_t>(frames) * static_cast<std::size_t>(lines);
    if (frames < 4 || lines < fewest || integrals.empty() || integrals.size() % count != 0)
        return false;
    const std::size_t bins = integrals.size() / count, outer = std::max<std::size_t>(1, bins / 50);
    std::vector<double> masses(count), mean(bins);
    for (std::size_t k = 0; k < integrals.size(); ++k) {
        masses[k / bins] += integrals[k];
        mean[k % bins] += integrals[k];
    }
    // Of an object that is cut off, projections hold different masses; empty frames are none of either kind.
    const double most = *std::ranges::max_element(mean), heaviest = *std::ranges::max_element(masses);
    const auto isAir = [&](double value) { return std::abs(value) < airShare / 3 * most; };
    const auto edge = static_cast<std::ptrdiff_t>(outer);
    if (!(most > 0) || !std::all_of(mean.begin(), mean.begin() + edge, isAir) ||
        !std::all_of(mean.end() - edge, mean.end(), isAir))
        return false;
    std::vector<double> ofFrames;
    double unlike = 0; // of lines of one frame, a mean
    for (std::size_t frame = 0; frame < static_cast<std::size_t>(frames); ++frame) {
        const std::vector<double> its(masses.begin() + static_cast<std::ptrdiff_t>(frame * lines),
                                      masses.begin() + static_cast<std::ptrdiff_t>((frame + 1) * lines));
        const double sum = std::accumulate(its.begin(), its.end(), 0.0);
        if (sum < airShare * heaviest * lines)
            continue;
        ofFrames.push_back(sum);
        unlike += spreadOf(its);
    }
    if (ofFrames.size() < 4)
        return false;
    unlike /= static_cast<double>(ofFrames.size());
    const double different = spreadOf(ofFrames);
    return unlike < steadySpread &&
           ((different > steadySpread && unlike < different / 4) ||
            changeWithinFrames(static_cast<std::size_t>(frames), static_cast<std::size_t>(lines), bins, integrals));
}

} // namespace engine
