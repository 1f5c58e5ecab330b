// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/axis/curve.h"

#include "engine/axis/axis.h"
#include "engine/axis/opposite_views.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace engine
{

AxisGuess leastOf(const AxisCurve& curve, double nearBins)
{
    std::vector<double> finite;
    std::size_t best = curve.values.size();
    for (std::size_t k = 0; k < curve.values.size(); ++k)
        if (const double value = curve.values[k]; std::isfinite(value)) {
            finite.push_back(value);
            if (best == curve.values.size() || value < curve.values[best])
                best = k;
        }
    if (finite.empty())
        return {curve.at(curve.values.size() / 2), 0};
    const auto middle = finite.begin() + static_cast<std::ptrdiff_t>(finite.size() / 2);
    std::nth_element(finite.begin(), middle, finite.end());
    const double median = *middle;
    double next = median;
    for (std::size_t k = 0; k < curve.values.size(); ++k) {
        const double value = curve.values[k];
        if (!std::isfinite(value) || std::abs(curve.at(k) - curve.at(best)) <= nearBins)
            continue;
        const bool isMinimum = (k == 0 || !(curve.values[k - 1] < value)) &&
                               (k + 1 == curve.values.size() || !(curve.values[k + 1] < value));
        if (isMinimum)
            next = std::min(next, value);
    }
    const double depth = median - curve.values[best];
    return {curve.at(best), depth > 0 ? (next - curve.values[best]) / depth : 0};
}

std::vector<int> halfTurnOf(const std::vector<double>& anglesRad)
{
    const Arc arc = arcOf(anglesRad);
    std::vector<int> order;
    double last = -1;
    for (std::size_t k = 0; k < arc.order.size(); ++k) {
        const double angle = arc.anglesRad[k] - arc.anglesRad.front();
        if (angle > std::numbers::pi - arc.step / 2)
            break;
        if (angle > last + arc.step / 2) {
            order.push_back(arc.order[k]);
            last = angle;
        }
    }
    return order;
}

double likenessAbout(const AxisSearch& search, double axisBins)
{
    const auto lines = oppositeLinesOf(search.row, search.beam.anglesRad);
    if (!lines)
        return 1;
    const double sigma = std::max(1.0, search.row.bins / 128.0);
    const BinLine here = blurred(lines->here, sigma), opposite = blurred(lines->opposite, sigma);
    const int bins = search.row.bins;
    const auto slope = [](const BinLine& line, int k) { return line[k + 1] - line[k - 1]; };
    double both = 0, fronts = 0, backs = 0;
    for (int bin = 2; bin + 2 < bins; ++bin) {
        const double mirrored = 2 * axisBins - bin;
        if (mirrored < 2 || mirrored >= bins - 3)
            continue;
        const int i = static_cast<int>(mirrored);
        const double front = slope(here, bin);
        const double back = slope(opposite, i) + (mirrored - i) * (slope(opposite, i + 1) - slope(opposite, i));
        both -= front * back; // slopes change sign in a mirror
        fronts += front * front;
        backs += back * back;
    }
    const double like = both / std::sqrt(fronts * backs);
    return std::isfinite(like) ? std::clamp((like - .25) / .5, 0., 1.) : 0;
}

ReducedRow reduced(const AxisSearch& search, int mostBins, int mostProjections, const std::vector<int>& order)
{
    const Sinograms& all = search.row;
    const int count = static_cast<int>(order.size());
    ReducedRow made;
    made.factor = (all.bins + mostBins - 1) / mostBins;
    const int used = std::min(count, mostProjections), bins = all.bins / made.factor;
    made.row = {1, used, bins, Values(static_cast<std::size_t>(used) * bins)};
    const BinLine stripes = stripesOf(all, 0);
    for (int k = 0; k < used; ++k) {
        const int projection = order[static_cast<std::size_t>(k) * count / used];
        made.anglesRad.push_back(search.beam.anglesRad[projection]);
        const float* from = all.values.data() + static_cast<std::size_t>(projection) * all.bins;
        float* to = made.row.values.data() + static_cast<std::size_t>(k) * bins;
        for (int bin = 0; bin < bins; ++bin) {
            double sum = 0;
            for (int i = bin * made.factor; i < (bin + 1) * made.factor; ++i)
                sum += from[i] - stripes[i];
            to[bin] = static_cast<float>(sum / made.factor);
        }
    }
    return made;
}

} // namespace engine
