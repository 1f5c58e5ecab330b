// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/axis/opposite_views.h"

#include "engine/base/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

namespace engine
{

Arc arcOf(const std::vector<double>& anglesRad)
{
    std::vector<double> folded;
    for (double angle : anglesRad) {
        const double turn = std::fmod(angle, 2 * std::numbers::pi);
        folded.push_back(turn < 0 ? turn + 2 * std::numbers::pi : turn);
    }
    Arc arc;
    arc.order.resize(folded.size());
    std::iota(arc.order.begin(), arc.order.end(), 0);
    std::stable_sort(arc.order.begin(), arc.order.end(), [&](int a, int b) { return folded[a] < folded[b]; });
    // The arc starts after the widest gap of the circle.
    std::size_t start = 0;
    double widest = folded[arc.order.front()] + 2 * std::numbers::pi - folded[arc.order.back()];
    for (std::size_t i = 1; i < folded.size(); ++i)
        if (const double gap = folded[arc.order[i]] - folded[arc.order[i - 1]]; gap > widest + 1e-9) {
            widest = gap;
            start = i;
        }
    for (std::size_t i = 0; i < start; ++i)
        folded[arc.order[i]] += 2 * std::numbers::pi;
    std::rotate(arc.order.begin(), arc.order.begin() + static_cast<std::ptrdiff_t>(start), arc.order.end());
    for (int projection : arc.order)
        arc.anglesRad.push_back(folded[projection]);
    std::vector<double> gaps;
    for (std::size_t i = 1; i < arc.anglesRad.size(); ++i)
        if (const double gap = arc.anglesRad[i] - arc.anglesRad[i - 1]; gap > 1e-9) // else recorded more than once
            gaps.push_back(gap);
    if (gaps.empty())
        return arc;
    std::nth_element(gaps.begin(), gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2), gaps.end());
    arc.step = gaps[gaps.size() / 2];
    return arc;
}

BinLine stripesOf(const Sinograms& sinograms, int slice)
{
    constexpr int reach = 4;
    const int bins = sinograms.bins;
    BinLine line(static_cast<std::size_t>(bins));
    for (int projection = 0; projection < sinograms.projections; ++projection) {
        const float* values =
            sinograms.values.data() + (static_cast<std::size_t>(slice) * sinograms.projections + projection) * bins;
        for (int bin = 0; bin < bins; ++bin)
            line[bin] += 1.0 / sinograms.projections * values[bin];
    }
    BinLine stripes = line;
    std::array<double, 2 * reach + 1> window;
    for (int bin = 0; bin < bins; ++bin) {
        for (int k = -reach; k <= reach; ++k)
            window[k + reach] = line[std::clamp(bin + k, 0, bins - 1)];
        std::nth_element(window.begin(), window.begin() + reach, window.end());
        stripes[bin] -= window[reach];
    }
    return stripes;
}

BinLine blurred(const BinLine& line, double sigma)
{
    const int reach = static_cast<int>(std::ceil(3 * sigma)), bins = static_cast<int>(line.size());
    BinLine weights;
    for (int k = -reach; k <= reach; ++k)
        weights.push_back(std::exp(-k * k / (2 * sigma * sigma)));
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    BinLine result(line.size());
    for (int bin = 0; bin < bins; ++bin) {
        for (int k = -reach; k <= reach; ++k)
            result[bin] += weights[k + reach] / total * line[std::clamp(bin + k, 0, bins - 1)];
    }
    return result;
}

double leastNear(const std::function<double(double)>& mismatch, double axis, double step, const std::stop_token& stop)
{
    const double smallest = .25;
    for (;; step = std::max(step / 2, smallest)) {
        // Follows the slope down to a minimum, for a limited number of steps.
        double here = mismatch(axis), left = mismatch(axis - step), right = mismatch(axis + step);
        for (int moved = 0; moved < 8 && (left < here || right < here); ++moved) {
            throwIfStopped(stop);
            const bool leftwards = left < right;
            axis += leftwards ? -step : step;
            (leftwards ? right : left) = here;
            here = leftwards ? left : right;
            (leftwards ? left : right) = mismatch(leftwards ? axis - step : axis + step);
        }
        if (step > smallest)
            continue;
        const double curvature = left - 2 * here + right;
        if (left >= here && right >= here && curvature > 0 && std::isfinite(curvature))
            axis += step * (left - right) / (2 * curvature);
        return axis;
    }
}

} // namespace engine
