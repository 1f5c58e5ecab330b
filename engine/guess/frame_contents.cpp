// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/guess/frame_contents.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace engine
{

namespace
{

constexpr double darkLight = 0.15; // frames whose level is below this share of the usual level are darks
// Minimum level of a flat, as a share of the usual level. It is higher than darkLight because darks lie above that if
// the dark level is high and counts are few.
constexpr double dimLight = 0.75;
constexpr double mostProfile = 3;   // maximum mass of a flat, due to the beam's profile, as a share of the object's
constexpr double farApart = 6;      // standard deviations between the two kinds of masses
constexpr double leastShare = 1e-4; // smaller shares can't be distinguished from noise
constexpr std::size_t fewestProjections = 12;

struct MassSpread {
    double mean = 0, deviation = 0;
};

MassSpread massSpreadOf(std::span<const double> values)
{
    MassSpread spread;
    for (const double value : values)
        spread.mean += value / static_cast<double>(values.size());
    for (const double value : values)
        spread.deviation += (value - spread.mean) * (value - spread.mean) / static_cast<double>(values.size());
    spread.deviation = std::sqrt(spread.deviation);
    return spread;
}

// Sorts the values. Returns the index of the first value after the widest gap of the lower half if enough values
// follow, else 0.
std::size_t firstAfterGap(std::vector<double>& values)
{
    std::ranges::sort(values);
    std::size_t first = 0;
    double widest = 0;
    for (std::size_t k = 1; k <= values.size() / 2; ++k)
        if (values[k] - values[k - 1] > widest) {
            widest = values[k] - values[k - 1];
            first = k;
        }
    return first > 0 && values.size() - first >= fewestProjections ? first : 0;
}

// Returns the standard deviation over the bins of the logarithm of the ratio of two lines: 0 if they have the same
// shape.
double shapeAgainst(std::span<const float> line, std::span<const double> other)
{
    std::vector<double> shares;
    for (std::size_t bin = 0; bin < line.size(); ++bin)
        if (line[bin] > 0 && other[bin] > 0)
            shares.push_back(std::log(static_cast<double>(line[bin]) / other[bin]));
    return shares.size() * 2 > line.size() ? massSpreadOf(shares).deviation : std::numeric_limits<double>::infinity();
}

// Returns whether the lines that have at least this light look like flats: they all have one shape, that of the beam,
// which no other line has, and are brighter than all others nearly everywhere, because an object takes light away.
bool haveShapeOfTheirOwn(std::span<const LineFacts> lines, std::span<const float> counts, double leastLight)
{
    constexpr double clearly = 3, least = 0.02, noise = 0.05, mostBins = 0.05;
    const std::size_t bins = counts.size() / lines.size();
    const auto lineOf = [&](std::size_t k) { return counts.subspan(k * bins, bins); };
    std::vector<double> mean(bins), brightest(bins);
    const auto count = std::ranges::count_if(lines, [&](const LineFacts& line) { return line.light >= leastLight; });
    for (std::size_t k = 0; k < lines.size(); ++k)
        for (std::size_t bin = 0; bin < bins; ++bin) {
            const double value = lineOf(k)[bin];
            if (lines[k].light >= leastLight)
                mean[bin] += value / static_cast<double>(count);
            else
                brightest[bin] = std::max(brightest[bin], value);
        }
    std::size_t outshone = 0;
    for (std::size_t bin = 0; bin < bins; ++bin)
        outshone += mean[bin] < (1 - noise) * brightest[bin] ? 1 : 0;
    if (static_cast<double>(outshone) > mostBins * static_cast<double>(bins))
        return false;
    double own = 0, others = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < lines.size(); ++k) {
        const double shape = shapeAgainst(lineOf(k), mean);
        if (lines[k].light >= leastLight)
            own = std::max(own, shape);
        else if (std::isfinite(shape)) // there is light
            others = std::min(others, shape);
    }
    return std::isfinite(others) && others > clearly * own && others > least;
}

} // namespace

LineFacts factsOf(std::span<const float> counts)
{
    LineFacts facts;
    const std::size_t outer = std::max<std::size_t>(1, counts.size() / 20);
    double left = 0, right = 0;
    for (std::size_t k = 0; k < outer; ++k) {
        left += static_cast<double>(counts[k]) / static_cast<double>(outer);
        right += static_cast<double>(counts[counts.size() - 1 - k]) / static_cast<double>(outer);
    }
    facts.level = std::max(left, right);
    for (const float count : counts)
        facts.light += static_cast<double>(count) / static_cast<double>(counts.size());
    if (facts.level > 0)
        for (const float count : counts)
            facts.mass -= std::log(std::max(static_cast<double>(count) / facts.level, leastShare));
    return facts;
}

FrameGroups groupsOf(std::span<const LineFacts> lines, std::span<const float> counts)
{
    constexpr double infinite = std::numeric_limits<double>::infinity();
    FrameGroups groups{.leastMass = -infinite, .leastLight = infinite};
    if (lines.size() < fewestProjections)
        return groups;
    std::vector<double> levels;
    for (const LineFacts& line : lines)
        levels.push_back(line.level);
    const auto middle = levels.begin() + static_cast<std::ptrdiff_t>(levels.size() / 2);
    std::ranges::nth_element(levels, middle);
    groups.usualLevel = *middle;
    std::vector<double> masses, lights;
    for (const LineFacts& line : lines)
        if (line.level >= darkLight * groups.usualLevel) {
            masses.push_back(line.mass);
            lights.push_back(-line.light);
        }
    groups.any = masses.size() < lines.size();
    if (const std::size_t first = firstAfterGap(lights); first > 1) // a single one may be a flash
        if (const double least = -(lights[first - 1] + lights[first]) / 2; haveShapeOfTheirOwn(lines, counts, least)) {
            groups.any = true;
            groups.leastLight = least;
        }
    const std::size_t first = firstAfterGap(masses);
    if (first == 0)
        return groups;
    const std::span all(masses);
    const MassSpread flats = massSpreadOf(all.first(first)), projections = massSpreadOf(all.subspan(first));
    if (projections.mean - flats.mean < farApart * std::max(flats.deviation, projections.deviation) ||
        std::abs(flats.mean) > mostProfile * std::abs(projections.mean - flats.mean))
        return groups;
    groups.any = true;
    groups.leastMass = (masses[first - 1] + masses[first]) / 2;
    return groups;
}

FrameContent contentOf(const LineFacts& line, const FrameGroups& groups)
{
    if (line.level < darkLight * groups.usualLevel)
        return FrameContent::nothing;
    if (line.light >= groups.leastLight)
        return FrameContent::air;
    if (line.mass >= groups.leastMass)
        return FrameContent::object;
    return line.level < dimLight * groups.usualLevel ? FrameContent::nothing : FrameContent::air;
}

} // namespace engine
