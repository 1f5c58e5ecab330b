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
    const std::vector<double> light = row.light();
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
    const std::vector<int> all = spreadOver(projections, projections);
    const std::size_t step = std::max<std::size_t>(1, row.bins() / 128), bins = (row.bins() + step - 1) / step;
    const std::vector<float> values = integralsOf(row.values(all, step), row.scan().quantity,
                                                  row.someOf(row.darks(), step), row.someOf(row.flats(), step), bins);
    std::vector<float> masses; // mean magnitudes of the line integrals
    for (int k = 0; k < projections; ++k) {
        const std::span<const float> line = std::span(values).subspan(k * bins, bins);
        masses.push_back(std::accumulate(line.begin(), line.end(), 0.0F,
                                         [](float sum, float value) { return sum + std::abs(value); }) /
                         static_cast<float>(bins));
    }
    std::vector<float> sorted = masses;
    std::ranges::nth_element(sorted, sorted.begin() + projections / 2);
    const float usual = sorted[static_cast<std::size_t>(projections / 2)];
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
