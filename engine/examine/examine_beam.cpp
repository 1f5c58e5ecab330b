// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the beam: sudden changes of its light, drift, and flats of another exposure.
#include "engine/examine/examined_row.h"
#include "engine/guess/line_integrals.h"
#include "engine/scan/empty_projections.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

namespace engine
{

namespace
{

using std::numbers::pi;

std::string percentOf(double share)
{
    return std::to_string(std::lround(100 * share)) + " %";
}

// Changes of the logarithm of the light, and turns in rad, from the projection before; 0 for the first one.
struct Changes {
    std::vector<float> light{0}, turns{0};
    float usual = 0, turn = 0; // medians of the magnitudes

    Changes(const std::vector<double>& light, const std::vector<double>& anglesRad)
    {
        for (std::size_t k = 1; k < light.size(); ++k) {
            this->light.push_back(static_cast<float>(std::log(light[k] / light[k - 1])));
            turns.push_back(static_cast<float>(std::abs(anglesRad[k] - anglesRad[k - 1])));
        }
        usual = medianMagnitude(this->light);
        turn = medianMagnitude(turns);
    }
};

// Finds changes that are far larger than those beside them, where the angle goes on as usual, and single projections
// with less or more light.
Text jumpsText(const ExaminedRow& row, const Changes& changes)
{
    constexpr float leastJump = 0.05F, manyTimes = 8, usualTurns = 1.5F; // of the logarithm; of changes beside it
    constexpr int most = 10;                                             // jumps; more are the scan's way
    const auto size = [&](int k) { return std::abs(changes.light[static_cast<std::size_t>(k)]); };
    std::vector<int> found;
    float largest = 0; // as a share of the light before
    for (int k = 3; k + 3 < static_cast<int>(changes.light.size()); ++k) {
        const bool returns = std::abs(changes.light[k] + changes.light[k + 1]) < 0.2F * size(k); // one projection
        const float beside = std::max({size(k - 2), size(k - 1), returns ? size(k + 2) : size(k + 1), size(k + 2)});
        if (size(k) < leastJump || size(k) < manyTimes * std::max(beside, changes.usual) ||
            changes.turns[k] > usualTurns * changes.turn)
            continue;
        found.push_back(row.raw().firstProjection + k);
        largest = std::max(largest, std::abs(std::expm1(changes.light[static_cast<std::size_t>(k)])));
        k += returns ? 1 : 0;
    }
    if (found.empty() || static_cast<int>(found.size()) > most)
        return {};
    return "The light changes suddenly at " + std::string(found.size() == 1 ? "projection " : "projections ") +
           rangesInWords(recordedRanges(row.scan(), found)) + ", counted from 0, by up to " + percentOf(largest) +
           ", as no object changes it: the beam jumped, or projections are missing.";
}

// Returns whether the object reaches an end of the detector.
bool isCut(const ExaminedRow& row)
{
    constexpr double mostShare = 0.05; // of the signal
    const std::vector<int> some = spreadOver(row.raw().projections, 40);
    const std::vector<float> values =
        integralsOf(row.values(some), row.scan().quantity, row.darks(), row.flats(), row.bins());
    std::vector<double> mean(row.bins());
    for (std::size_t k = 0; k < values.size(); ++k)
        mean[k % row.bins()] += values[k];
    return std::max(std::abs(mean.front()), std::abs(mean.back())) > mostShare * *std::ranges::max_element(mean);
}

// Compares the first projection with the last one, half a turn or a full one later: they show the same.
Text driftText(const ExaminedRow& row, const std::vector<double>& light, const Changes& changes)
{
    constexpr double least = 0.08, manySteps = 5; // of the logarithm; of the changes at both ends
    const Scan& scan = row.scan();
    const std::vector<double>& angles = scan.anglesRad();
    const double arc = std::abs(angles.back() - angles.front()), off = 1.5 * changes.turn;
    const auto* cone = std::get_if<ConeBeam>(&scan.geometry);
    const bool isTurn = std::abs(arc - 2 * pi) < off && (!cone || cone->isCircle());
    if (!isTurn && (cone || std::abs(arc - pi) > off || isCut(row)))
        return {};
    const std::size_t last = light.size() - 1;
    const double drift = std::log((light[last] + light[last - 1]) / (light[0] + light[1]));
    if (std::abs(drift) < least ||
        std::abs(drift) < manySteps * (std::abs(changes.light[1]) + std::abs(changes.light[last])))
        return {};
    return std::string("The light ") + (drift < 0 ? "falls" : "rises") + " by " +
           percentOf(std::abs(std::expm1(drift))) +
           " from the first projection to the last, which show the same: the beam drifted. If flats were taken before "
           "and after, interpolate them" +
           hint("flat-field", "interpolated") + ".";
}

// Finds margins that have the same light in all projections, but less than the flats.
Text marginsText(const ExaminedRow& row)
{
    constexpr double mostLevel = 0.8, mostApart = 0.01, mostSpread = 0.02; // of the middle half
    if (!row.isCounts() || row.flats().empty())
        return {};
    const std::size_t outer = std::max<std::size_t>(2, row.bins() / 20), half = outer / 2;
    std::array<std::vector<double>, 4> levels; // of quarters: outer and inner left, inner and outer right
    for (const int projection : spreadOver(row.raw().projections, 100))
        row.visit(projection, [&](const auto& numbers, std::size_t first) {
            const auto level = [&](std::size_t from, std::size_t count) {
                double sum = 0, light = 0;
                for (std::size_t bin = from; bin < from + count; ++bin) {
                    const double dark = row.darks().empty() ? 0 : row.darks()[bin];
                    sum += static_cast<double>(numbers[first + bin]) - dark;
                    light += row.flats()[bin] - dark;
                }
                return light > 0 ? sum / light : 0;
            };
            levels[0].push_back(level(0, half));
            levels[1].push_back(level(half, outer - half));
            levels[2].push_back(level(row.bins() - outer, outer - half));
            levels[3].push_back(level(row.bins() - half, half));
        });
    std::vector<double> middles;
    for (std::vector<double>& side : levels) {
        std::ranges::sort(side);
        const double middle = side[side.size() / 2];
        if (!(middle > 0) || middle > mostLevel ||
            side[3 * side.size() / 4] - side[side.size() / 4] > mostSpread * middle)
            return {};
        middles.push_back(middle);
    }
    const auto [low, high] = std::ranges::minmax(middles);
    if (high - low > mostApart * high)
        return {};
    return "Both margins have " + percentOf(high) +
           " of the flats' light in all projections: if they are air, the flats have another exposure than the "
           "projections.";
}

} // namespace

std::optional<Doubt> changesOfBeam(const ExaminedRow& row)
{
    const std::vector<double>& light = row.light();
    if (row.scan().quantity == Quantity::attenuation || !row.isWhole() ||
        !std::ranges::all_of(light, [](double sum) { return sum > 0; }))
        return {};
    const Changes changes(light, row.scan().anglesRad());
    auto about = Doubt::About::beam;
    Text text = jumpsText(row, changes);
    if (text.empty()) {
        text = driftText(row, light, changes);
        about = text.empty() ? about : Doubt::About::drift;
    }
    if (text.empty())
        text = marginsText(row);
    if (text.empty())
        return {};
    return Doubt{.about = about,
                 .text = text + " If the margins of the projections are air, set it to 0" + hint("air", "both") + "."};
}

} // namespace engine
