// SPDX-License-Identifier: GPL-3.0-or-later
// Rows with every kind of damage, and their preparation in plain formulas
#pragma once

#include "engine/scan/scan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <vector>

namespace made
{

using engine::Quantity;
using engine::RawRows;

// Returns counts, darks and flats with every kind of damage.
inline RawRows damagedRows(bool darks, bool flats)
{
    constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinite = std::numeric_limits<float>::infinity();
    RawRows raw;
    raw.rows = {7, 3};
    raw.bins = 60;
    raw.projections = 20;
    raw.darkFrames = darks ? 3 : 0;
    raw.flatFrames = flats ? 4 : 0;
    const int frame = 3 * 60;
    std::mt19937 random(12);
    const auto between = [&](int least, int most) { return static_cast<float>(least + random() % (most - least)); };
    const auto fill = [&](engine::Values& frames, int count, int least, int most) {
        for (int i = 0; i < count * frame; ++i)
            frames.push_back(between(least, most));
    };
    fill(raw.data.floats(), raw.projections, 200, 1100);
    fill(raw.darks, raw.darkFrames, 90, 110);
    fill(raw.flats, raw.flatFrames, 950, 1050);
    for (int projection = 0; projection < raw.projections; ++projection) {
        float* values = raw.data.floats().data() + projection * frame;
        values[random() % frame] = nan;
        values[random() % frame] = projection % 2 ? infinite : -infinite;
        values[random() % frame] = -1;                                     // a fault
        std::fill_n(values + 60 + projection, 1 + projection % 7, -500.f); // short runs are faults, long runs dense
    }
    for (int projection : {0, 8, 9, 10})
        std::fill_n(raw.data.floats().begin() + projection * frame + 120, 60, nan);
    if (darks)
        raw.darks[frame + 5] = infinite; // left out of the mean
    if (flats)
        for (int pixel : {0, 30, 31, 32, 119, 130}) // dead
            for (int i = 0; i < raw.flatFrames; ++i)
                raw.flats[i * frame + pixel] = i % 2 ? nan : 0;
    return raw;
}

// The preparation in double precision, value by value, in the most direct way
struct NaivePreparation {
    const RawRows& raw;
    Quantity quantity;
    int notNumbers = 0, faults = 0, clamped = 0, emptyLines = 0, deadPixels = 0;

    double mean(const engine::Values& frames, int count, int row, int bin) const
    {
        double sum = 0, good = 0;
        for (int i = 0; i < count; ++i)
            if (const double value = frames[(i * raw.rows.count + row) * raw.bins + bin]; std::isfinite(value)) {
                sum += value;
                good += 1;
            }
        return good > 0 ? sum / good : NAN;
    }
    double recorded(int projection, int row, int bin) const
    {
        return raw.data[(projection * raw.rows.count + row) * raw.bins + bin];
    }
    double dark(int row, int bin) const { return raw.darkFrames ? mean(raw.darks, raw.darkFrames, row, bin) : 0; }
    double air(int row) const
    {
        double sides[2] = {0, 0};
        for (int side : {0, 1}) {
            double good = 0;
            for (int projection = 0; projection < raw.projections; ++projection)
                for (int i = 0; i < raw.bins / 20; ++i) {
                    const int bin = side ? raw.bins - 1 - i : i;
                    if (const double value = recorded(projection, row, bin) - dark(row, bin); std::isfinite(value)) {
                        sides[side] += value;
                        good += 1;
                    }
                }
            sides[side] /= good;
        }
        return std::max(sides[0], sides[1]);
    }
    double brightness(int row, int bin) const
    {
        return raw.flatFrames ? mean(raw.flats, raw.flatFrames, row, bin) - dark(row, bin) : air(row);
    }
    bool deadPixel(int row, int bin) const { return quantity == Quantity::counts && !(brightness(row, bin) > 0); }

    // Returns nothing if the recorded value isn't finite or its pixel is dead, and infinity if there is no light.
    std::optional<double> lineIntegral(int projection, int row, int bin) const
    {
        double value = recorded(projection, row, bin);
        if (!std::isfinite(value) || deadPixel(row, bin))
            return {};
        if (quantity == Quantity::attenuation)
            return value;
        if (quantity == Quantity::counts)
            value = (value - dark(row, bin)) / brightness(row, bin);
        return value > 1e-6 ? -std::log(value) : INFINITY;
    }
    std::vector<double> line(int projection, int row)
    {
        std::vector<std::optional<double>> found;
        for (int bin = 0; bin < raw.bins; ++bin)
            found.push_back(lineIntegral(projection, row, bin));
        std::vector<std::optional<double>> judged = found;
        for (int bin = 0; bin < raw.bins; ++bin) {
            if (found[bin] != INFINITY)
                continue;
            int first = bin, last = bin;
            while (first > 0 && found[first - 1] == INFINITY)
                --first;
            while (last + 1 < raw.bins && found[last + 1] == INFINITY)
                ++last;
            const bool fault = last - first < 3;
            judged[bin] = fault ? std::optional<double>() : std::optional<double>(-std::log(1e-6));
            ++(fault ? faults : clamped);
        }
        std::vector<double> mended;
        for (int bin = 0; bin < raw.bins; ++bin) {
            int left = bin, right = bin;
            while (left >= 0 && !judged[left])
                --left;
            while (right < raw.bins && !judged[right])
                ++right;
            if (left < 0 && right == raw.bins)
                return {};
            left = left < 0 ? right : left;
            right = right == raw.bins ? left : right;
            const double part = right > left ? static_cast<double>(bin - left) / (right - left) : 0;
            mended.push_back(*judged[left] + part * (*judged[right] - *judged[left]));
        }
        for (int bin = 0; bin < raw.bins; ++bin)
            notNumbers += !deadPixel(row, bin) && !std::isfinite(recorded(projection, row, bin));
        return mended;
    }
    std::vector<double> values() // [slice][projection][bin]
    {
        std::vector<double> all;
        for (int row = 0; row < raw.rows.count; ++row) {
            for (int bin = 0; bin < raw.bins; ++bin)
                deadPixels += deadPixel(row, bin);
            std::vector<std::vector<double>> lines;
            for (int projection = 0; projection < raw.projections; ++projection)
                lines.push_back(line(projection, row));
            emptyLines += std::ranges::count(lines, std::vector<double>());
            for (int projection = 0; projection < raw.projections; ++projection)
                for (int distance = 0;; ++distance) { // of two equally near ones, the earlier
                    const int earlier = projection - distance, later = projection + distance;
                    const int from = earlier >= 0 && !lines[earlier].empty() ? earlier : later;
                    if (from >= raw.projections || lines[from].empty())
                        continue;
                    all.insert(all.end(), lines[from].begin(), lines[from].end());
                    break;
                }
        }
        return all;
    }
};

} // namespace made
