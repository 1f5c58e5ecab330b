// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the frames: darks and flats among projections, blocked and repeated views, sudden changes of the beam.
#include "engine/base/parallel_for.h"
#include "engine/examine/examined_row.h"
#include "engine/guess/frame_contents.h"
#include "engine/guess/line_integrals.h"
#include "engine/scan/empty_projections.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <utility>

namespace engine
{

// Tells darks and flats among projections without either, if the angles hide them: assumed and given angles are
// tested when the scan is opened.
std::optional<Doubt> sidesAmong(const ExaminedRow& row)
{
    const Scan& scan = row.scan();
    if (!row.isCounts() || scan.darkFrames + scan.flatFrames > 0 || scan.offeredSides || !row.isWhole() ||
        scan.axesLookExchanged())
        return {};
    const std::vector<int> all = spreadOver(row.raw().projections, row.raw().projections);
    const Values values = row.values(all);
    const std::size_t bins = row.bins();
    std::vector<LineFacts> facts(all.size());
    parallelFor(0, static_cast<int>(all.size()),
                [&](int k) { facts[k] = factsOf(std::span(values).subspan(k * bins, bins)); });
    const FrameGroups groups = groupsOf(facts, values);
    if (!groups.any)
        return {};
    std::vector<int> darks, flats;
    for (const int k : all)
        if (const FrameContent content = contentOf(facts[static_cast<std::size_t>(k)], groups);
            content != FrameContent::object)
            (content == FrameContent::nothing ? darks : flats).push_back(k);
    const SideFrames sides{rangesOf(darks), rangesOf(flats)};
    return Doubt{.about = Doubt::About::sides, .text = sidesText(sides), .frames = sides};
}

// Finds runs of projections with far less light than those before and after them. An object changes the light from
// one projection to the next by much less.
std::optional<Doubt> blockedViews(const ExaminedRow& row, const std::vector<int>& empty)
{
    constexpr double jump = 4;        // least change of the light at both ends of a run
    constexpr double mostShare = 0.4; // of the projections
    const int projections = row.raw().projections;
    if (row.scan().quantity == Quantity::attenuation)
        return {};
    const std::vector<double>& light = row.light();
    std::vector<int> dim;
    for (int k = 1; k < projections; ++k) {
        const double before = light[k - 1];
        if (!(before > jump * std::max(light[k], 0.0)) ||
            std::ranges::binary_search(empty, k + row.raw().firstProjection))
            continue;
        int end = k;
        while (end < projections && light[end] * jump < before)
            ++end;
        const bool returns = end == projections || light[end] > jump * light[end - 1];
        if (returns)
            for (int inside = k; inside < end; ++inside)
                dim.push_back(row.raw().firstProjection + inside);
        k = end;
    }
    if (dim.empty() || static_cast<double>(dim.size()) > mostShare * projections)
        return {};
    return Doubt{.about = Doubt::About::light, .projections = std::move(dim)};
}

// Finds projections without the object among others that show it, such as flats. An object that leaves the detector
// does so in more than one step.
std::optional<Doubt> bareViews(const ExaminedRow& row, const std::vector<int>& empty)
{
    constexpr double mostOfUsual = 0.1, leastBeside = 0.5, leastMass = 0.01, mostShare = 0.4;
    const int projections = row.raw().projections;
    if (row.isCounts() && row.flats().empty()) // sidesAmong() finds them
        return {};
    const std::vector<float>& values = row.integrals();
    const std::size_t bins = values.size() / static_cast<std::size_t>(projections);
    std::vector<float> masses; // mean magnitudes of the line integrals
    for (int k = 0; k < projections; ++k) {
        const std::span<const float> line = std::span(values).subspan(k * bins, bins);
        masses.push_back(std::accumulate(line.begin(), line.end(), 0.0F,
                                         [](float sum, float value) { return sum + std::abs(value); }) /
                         static_cast<float>(bins));
    }
    const float usual = medianMagnitude(masses);
    std::vector<int> bare;
    for (int k = 0; k < projections; ++k) {
        if (masses[k] > mostOfUsual * usual)
            continue;
        int end = k;
        while (end < projections && masses[end] <= mostOfUsual * usual)
            ++end;
        const bool isSudden = (k == 0 || masses[k - 1] > leastBeside * usual) &&
                              (end == projections || masses[end] > leastBeside * usual);
        for (int inside = k; isSudden && inside < end; ++inside)
            if (!std::ranges::binary_search(empty, inside + row.raw().firstProjection))
                bare.push_back(inside + row.raw().firstProjection);
        k = end;
    }
    if (bare.empty() || usual < leastMass || static_cast<double>(bare.size()) > mostShare * projections)
        return {};
    return Doubt{.about = Doubt::About::bare, .projections = std::move(bare)};
}

// Finds places where the centre of the projections moves much further than before and behind: the object slipped, or
// projections are missing. Steps of the angle that are larger than usual are left out.
std::optional<Doubt> movedObject(const ExaminedRow& row)
{
    constexpr double leastShare = 0.005, manyTimes = 8, usualTurns = 1.5; // of the width; of changes beside it
    constexpr std::size_t most = 5;                                       // places; more are the scan's way
    const int projections = row.raw().projections;
    const std::vector<double>& angles = row.scan().anglesRad();
    if (!row.isWhole())
        return {};
    const std::vector<float>& values = row.integrals();
    const std::size_t bins = values.size() / static_cast<std::size_t>(projections);
    std::vector<double> centres;
    for (int k = 0; k < projections; ++k) {
        double mass = 0, moment = 0;
        for (std::size_t bin = 0; bin < bins; ++bin) {
            mass += values[k * bins + bin];
            moment += values[k * bins + bin] * static_cast<double>(bin);
        }
        if (!(mass > 0))
            return {};
        centres.push_back(moment / mass);
    }
    const auto change = [&](int k) { return std::abs(centres[k] - centres[k - 1]); };
    const auto turn = [&](int k) { return std::abs(angles[k] - angles[k - 1]); };
    std::vector<double> changes, turns;
    for (int k = 1; k < projections; ++k) {
        changes.push_back(change(k));
        turns.push_back(turn(k));
    }
    const double usual = medianMagnitude(changes), usualTurn = medianMagnitude(turns);
    std::vector<int> found;
    double largest = 0;
    for (int k = 3; k + 2 < projections; ++k) {
        const double beside = std::max({change(k - 2), change(k - 1), change(k + 1), change(k + 2), usual});
        if (change(k) < leastShare * static_cast<double>(bins) || change(k) < manyTimes * beside ||
            turn(k) > usualTurns * usualTurn)
            continue;
        found.push_back(k);
        largest = std::max(largest, change(k));
    }
    if (found.empty() || found.size() > most)
        return {};
    return Doubt{.about = Doubt::About::moved,
                 .text = "The object jumps at " + std::string(found.size() == 1 ? "projection " : "projections ") +
                         rangesInWords(recordedRanges(row.scan(), found)) + ", counted from 0, by up to " +
                         std::to_string(std::lround(largest * static_cast<double>(row.integralStep()))) +
                         " bins: it slipped, or projections before it are missing. Give the shifts" +
                         hint("shifts", "FILE") + ", or the right angles" + hint("angles", "FILE") + "."};
}

// Finds runs of projections that differ by noise only, while those before and behind differ by more: the stage stood
// still. Compares projections some steps apart, so that noise matters less.
std::optional<Doubt> stillViews(const ExaminedRow& row, const std::vector<int>& empty)
{
    constexpr double still = 0.15, sharp = 8, onlyNoise = 1.3, leastShare = 0.05, mostShare = 0.6;
    const int projections = row.raw().projections, apart = std::max(3, projections / 36);
    const std::vector<float>& values = row.integrals();
    const std::size_t bins = values.size() / static_cast<std::size_t>(projections);
    const auto between = [&](int k, int before) { // squares
        double sum = 0;
        for (std::size_t bin = 0; bin < bins; ++bin)
            sum += std::pow(values[k * bins + bin] - values[before * bins + bin], 2);
        return sum;
    };
    std::vector<double> changes(static_cast<std::size_t>(apart)), sorted;
    for (int k = apart; k < projections; ++k) {
        changes.push_back(between(k, k - apart));
        sorted.push_back(changes.back());
    }
    const auto most = sorted.begin() + static_cast<std::ptrdiff_t>(0.7 * static_cast<double>(sorted.size()));
    std::ranges::nth_element(sorted, most);
    const double limit = still * *most;
    std::vector<int> found;
    for (int k = apart; k < projections; ++k) {
        if (changes[k] > limit)
            continue;
        int end = k;
        double largest = 0, all = 0, ofOneStep = 0;
        for (; end < projections && changes[end] <= limit; ++end) {
            largest = std::max(largest, changes[end]);
            all += changes[end];
            ofOneStep += between(end, end - 1);
        }
        const bool begins = k - apart < apart, goesOn = end + apart >= projections;
        const bool isSudden = !(begins && goesOn) && (begins || changes[k - apart] > sharp * largest) &&
                              (goesOn || changes[end + apart - 1] > sharp * largest);
        if (isSudden && ofOneStep > 0 && all < onlyNoise * ofOneStep &&
            end - k >= std::max(6.0, leastShare * projections))
            for (int inside = k - apart + 1; inside < end; ++inside)
                if (!std::ranges::binary_search(empty, inside + row.raw().firstProjection))
                    found.push_back(row.raw().firstProjection + inside);
        k = end;
    }
    if (found.empty() || static_cast<double>(found.size()) > mostShare * projections)
        return {};
    return Doubt{.about = Doubt::About::still, .projections = std::move(found)};
}

// Finds projections with exactly the numbers of the one before. Without noise this says nothing: then many numbers
// are equal in neighbouring projections.
std::optional<Doubt> repeatedViews(const ExaminedRow& row, const std::vector<int>& empty)
{
    constexpr double mostShare = 0.6, mostEqual = 0.2; // of the projections; of equal numbers in others
    const int projections = row.raw().projections;
    const std::size_t step = std::max<std::size_t>(1, row.bins() / 64), looked = (row.bins() + step - 1) / step;
    std::vector<int> repeated;
    std::size_t equalInOthers = 0;
    for (int k = 1; k < projections; ++k) {
        const std::size_t equal = row.visit(k, [&](const auto& numbers, std::size_t first) {
            const auto* now = numbers.data() + first;
            const auto* before = now - static_cast<std::ptrdiff_t>(row.raw().rows.count * row.bins());
            std::size_t count = 0;
            for (std::size_t bin = 0; bin < row.bins(); bin += step)
                count += now[bin] == before[bin] ? 1 : 0;
            return count == looked && !std::equal(now, now + row.bins(), before) ? count - 1 : count;
        });
        if (equal < looked)
            equalInOthers += equal;
        else if (!std::ranges::binary_search(empty, k + row.raw().firstProjection))
            repeated.push_back(k + row.raw().firstProjection);
    }
    if (repeated.empty() || static_cast<double>(repeated.size()) > mostShare * projections ||
        static_cast<double>(equalInOthers) > mostEqual * static_cast<double>(looked) * projections)
        return {};
    return Doubt{.about = Doubt::About::repeated, .projections = std::move(repeated)};
}

} // namespace engine
