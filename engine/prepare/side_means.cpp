// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/prepare/side_means.h"

#include "engine/base/parallel_for.h"
#include "engine/prepare/median.h"
#include "engine/prepare/steps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <span>

namespace engine
{

namespace
{

// light: of the beam, for darks; 0 for flats, which are compared by their ratios.
std::vector<int> unlikeFrames(const Values& all, RowRange some, const RawRows& raw, double light)
{
    constexpr std::size_t mostPixels = 256;
    constexpr double manyNoises = 6, leastShape = 0.02, leastLevel = 0.05, leastRatio = 0.5;
    const std::size_t frame = static_cast<std::size_t>(raw.rows.count) * raw.bins;
    const bool areFlats = light == 0;
    const int count = some.count;
    if (count < 3 || frame == 0)
        return {};
    const std::span frames = std::span(all).subspan(some.first * frame, count * frame);
    const std::size_t step = std::max<std::size_t>(1, frame / mostPixels) | 1; // odd: meets all columns
    std::vector<std::vector<float>> unlike(static_cast<std::size_t>(count));   // deviations from the median frame
    std::vector<float> values;
    for (std::size_t pixel = 0; pixel < frame; pixel += step) {
        values.clear();
        for (int k = 0; k < count; ++k)
            values.push_back(frames[k * frame + pixel]);
        const float median = medianOf(values);
        if (!std::isfinite(median) || (areFlats && !(median > 0)))
            continue;
        for (int k = 0; k < count; ++k) {
            const float off = frames[k * frame + pixel] - median;
            unlike[k].push_back(areFlats ? off / median : off);
        }
    }
    std::vector<float> levels, shapes;
    for (std::vector<float>& deviations : unlike) {
        if (deviations.empty())
            return {};
        levels.push_back(medianOf(deviations));
        for (float& deviation : deviations)
            deviation = std::abs(deviation - levels.back());
        shapes.push_back(1.4826F * medianOf(deviations));
    }
    values = shapes;
    const double usual = medianOf(values), scale = areFlats ? 1 : light;
    std::vector<int> found;
    for (int k = 0; k < count; ++k)
        if (shapes[k] > manyNoises * usual + leastShape * scale ||
            std::abs(levels[k]) > (areFlats ? leastRatio : leastLevel) * scale)
            found.push_back(some.first + k);
    return 2 * static_cast<int>(found.size()) < count ? found : std::vector<int>();
}

// Sum and number of finite values.
struct FiniteSum {
    double sum = 0;
    long long good = 0;

    void add(double value)
    {
        if (std::isfinite(value)) {
            sum += value;
            ++good;
        }
    }
    void add(const FiniteSum& other)
    {
        sum += other.sum;
        good += other.good;
    }
    double mean() const { return good > 0 ? sum / good : 0.0; }
};

} // namespace

UnlikeFrames unlikeFramesOf(const RawRows& raw, const std::vector<RowRange>& flatGroups)
{
    UnlikeFrames unlike;
    for (const RowRange& group : flatGroups)
        std::ranges::copy(unlikeFrames(raw.flats, group, raw, 0), std::back_inserter(unlike.flats));
    if (raw.flatFrames == 0 || raw.darkFrames < 3)
        return unlike;
    const std::size_t step = std::max<std::size_t>(1, raw.flats.size() / 4096) | 1;
    double sum = 0;
    long long good = 0;
    for (std::size_t k = 0; k < raw.flats.size(); k += step)
        if (std::isfinite(raw.flats[k])) {
            sum += raw.flats[k];
            ++good;
        }
    if (sum > 0)
        unlike.darks = unlikeFrames(raw.darks, {0, raw.darkFrames}, raw, sum / static_cast<double>(good));
    return unlike;
}

std::vector<double> meanRow(const Values& frames, RowRange some, const std::vector<int>& leftOut, const RawRows& raw,
                            int row, long long& hits)
{
    constexpr float usualRanges = 10, leastShare = 0.02F; // of the mean
    constexpr std::size_t fewest = 3;                     // frames
    const auto bins = static_cast<std::size_t>(raw.bins);
    std::vector<const float*> lines;
    for (int frame = some.first; frame < some.first + some.count; ++frame)
        if (!std::ranges::binary_search(leftOut, frame))
            lines.push_back(frames.data() + (static_cast<std::size_t>(frame) * raw.rows.count + row) * bins);
    std::vector<double> mean(bins, 0.0);
    std::vector<int> good(bins, 0);
    std::vector<float> least(bins, std::numeric_limits<float>::max()),
        ranges(bins, std::numeric_limits<float>::lowest());
    for (const float* values : lines)
        for (std::size_t bin = 0; bin < bins; ++bin)
            if (std::isfinite(values[bin])) {
                mean[bin] += values[bin];
                ++good[bin];
                least[bin] = std::min(least[bin], values[bin]);
                ranges[bin] = std::max(ranges[bin], values[bin]);
            }
    float level = 0;
    for (std::size_t bin = 0; bin < bins; ++bin) {
        mean[bin] /= good[bin];
        ranges[bin] = good[bin] > 0 ? ranges[bin] - least[bin] : 0;
        level += good[bin] > 0 ? std::abs(static_cast<float>(mean[bin])) / static_cast<float>(bins) : 0;
    }
    if (lines.size() < fewest)
        return mean;
    std::vector<float> all = ranges;
    const float limit = std::max(usualRanges * static_cast<float>(medianOf(all)), leastShare * level);
    for (std::size_t bin = 0; bin < bins; ++bin) {
        if (!(ranges[bin] > limit))
            continue;
        all.clear();
        for (const float* values : lines)
            if (std::isfinite(values[bin]))
                all.push_back(values[bin]);
        std::vector<float> sorted = all;
        const auto median = static_cast<float>(medianOf(sorted));
        const auto isHit = [&](float value) { return std::abs(value - median) > limit; };
        const auto found = std::erase_if(all, isHit);
        if (all.size() <= found) // half of the frames differ from the rest: none is known to be right
            continue;
        mean[bin] = std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
        hits += static_cast<long long>(found);
    }
    return mean;
}

std::vector<double> medianRow(const Values& frames, RowRange some, const RawRows& raw, int row)
{
    const auto bins = static_cast<std::size_t>(raw.bins);
    std::vector<double> median(bins);
    std::vector<float> good;
    for (std::size_t bin = 0; bin < bins; ++bin) {
        good.clear();
        for (int frame = some.first; frame < some.first + some.count; ++frame) {
            const float value = frames[(static_cast<std::size_t>(frame) * raw.rows.count + row) * bins + bin];
            if (std::isfinite(value))
                good.push_back(value);
        }
        median[bin] = good.empty() ? noValue : medianOf(good);
    }
    return median;
}

std::vector<double> airOfRows(const RawRows& raw, std::span<const double> dark)
{
    const auto rows = static_cast<std::size_t>(raw.rows.count), bins = static_cast<std::size_t>(raw.bins);
    const std::size_t outer = std::max<std::size_t>(1, bins / 20);
    std::vector<std::array<FiniteSum, 2>> lines(rows * raw.projections);
    parallelFor(0, raw.projections, [&](int projection) {
        raw.data.visit([&](const auto& numbers) {
            for (std::size_t row = 0; row < rows; ++row) {
                const std::size_t line = projection * rows + row;
                for (std::size_t k = 0; k < outer; ++k) {
                    const std::size_t right = bins - outer + k;
                    lines[line][0].add(numbers[line * bins + k] - dark[row * bins + k]);
                    lines[line][1].add(numbers[line * bins + right] - dark[row * bins + right]);
                }
            }
        });
    });
    std::vector<double> airs;
    for (std::size_t row = 0; row < rows; ++row) {
        std::array<FiniteSum, 2> sides;
        for (int projection = 0; projection < raw.projections; ++projection)
            for (const std::size_t side : {0, 1})
                sides[side].add(lines[projection * rows + row][side]);
        airs.push_back(std::max(sides[0].mean(), sides[1].mean()));
    }
    return airs;
}

} // namespace engine
