#include "engine/scan/frame_contents.h"

#include "engine/scan/reduction.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace engine
{

namespace
{

constexpr double darkLight = 0.15;  // of the light of most frames, that a dark has at most
constexpr double dimLight = 0.75;   // likewise, that flats have at least: of few counts over a high dark level
constexpr double mostProfile = 3;   // mass of a flat, by the profile of the beam, as a share of the object's
constexpr double farApart = 6;      // standard deviations between the two kinds of masses
constexpr double leastShare = 1e-4; // which noise can't be told below
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

} // namespace

std::string sidesText(const SideFrames& sides)
{
    const auto one = [](const std::vector<RowRange>& frames, const char* kind, const char* option) {
        if (frames.empty())
            return std::string();
        const bool isOne = frames.size() == 1 && frames[0].count == 1;
        return std::string(isOne ? "Frame " : "Frames ") + rangesInWords(frames) +
               (std::string(kind) == "dark" ? (isOne ? " has no light" : " have no light")
                                            : (isOne ? " shows no object" : " show no object")) +
               ": " + (isOne ? "it may be a " : "they may be ") + kind + (isOne ? " field" : " fields") + " (" +
               option + " " + rangesToText(frames) + ").";
    };
    const std::string darks = one(sides.darks, "dark", "--dark-frames"),
                      flats = one(sides.flats, "flat", "--flat-frames");
    return flats + (flats.empty() || darks.empty() ? "" : " ") + darks;
}

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
    if (facts.level > 0)
        for (const float count : counts)
            facts.mass -= std::log(std::max(static_cast<double>(count) / facts.level, leastShare));
    return facts;
}

FrameGroups groupsOf(std::span<const LineFacts> lines)
{
    FrameGroups groups{.leastMass = -std::numeric_limits<double>::infinity()};
    if (lines.size() < fewestProjections)
        return groups;
    std::vector<double> levels;
    for (const LineFacts& line : lines)
        levels.push_back(line.level);
    const auto middle = levels.begin() + static_cast<std::ptrdiff_t>(levels.size() / 2);
    std::ranges::nth_element(levels, middle);
    groups.usualLevel = *middle;
    std::vector<double> masses;
    for (const LineFacts& line : lines)
        if (line.level >= darkLight * groups.usualLevel)
            masses.push_back(line.mass);
    groups.any = masses.size() < lines.size();
    std::ranges::sort(masses);
    std::size_t first = 0; // of the projections, after the widest gap of the lower half
    double widest = 0;
    for (std::size_t k = 1; k <= masses.size() / 2; ++k)
        if (masses[k] - masses[k - 1] > widest) {
            widest = masses[k] - masses[k - 1];
            first = k;
        }
    if (first == 0 || masses.size() - first < fewestProjections)
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
    if (line.mass >= groups.leastMass)
        return FrameContent::object;
    return line.level < dimLight * groups.usualLevel ? FrameContent::nothing : FrameContent::air;
}

} // namespace engine
