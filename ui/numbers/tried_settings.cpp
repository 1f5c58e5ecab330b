// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/numbers/tried_settings.h"

#include "ui/background/setting_differences.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ui
{

namespace
{

constexpr std::size_t mostTried = 1000; // newest settings, and newest runs and errors of each

template <typename T>
void keepNewest(std::vector<T>& all)
{
    if (all.size() > mostTried)
        all.erase(all.begin());
}

} // namespace

std::optional<double> errorOf(const Compared& one)
{
    if (one.result && one.result == one.reference)
        return 0;
    if (!one.metrics || !std::isfinite(one.metrics->rmse))
        return std::nullopt;
    return one.metrics->rmse;
}

std::vector<std::size_t> paretoFront(std::span<const TriedDot> dots)
{
    std::vector<std::size_t> order(dots.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    const auto speed = [&](std::size_t k) { return dots[k].speeds.kernelGups.median; };
    std::ranges::stable_sort(order, [&](std::size_t x, std::size_t y) {
        return speed(x) != speed(y) ? speed(x) > speed(y) : dots[x].rmse < dots[y].rmse;
    });
    std::vector<std::size_t> front; // from the fastest on, each with a smaller error than all faster ones
    for (const std::size_t k : order)
        if (front.empty() || dots[k].rmse < dots[front.back()].rmse)
            front.push_back(k);
    std::ranges::reverse(front);
    return front;
}

const TriedSetting* TriedSettings::find(const engine::Request& request) const
{
    const auto found = std::ranges::find_if(m_tried, [&](const TriedSetting& one) { return one.isOf(request); });
    return found == m_tried.end() ? nullptr : &*found;
}

TriedSetting& TriedSettings::entryFor(const engine::Request& request)
{
    for (TriedSetting& known : m_tried)
        if (known.isOf(request))
            return known;
    keepNewest(m_tried);
    TriedSetting made;
    made.scan = request.scan;
    made.setting = request.setting;
    made.region = request.place.region();
    made.device = request.resources.device;
    made.threads = request.resources.threads;
    return m_tried.emplace_back(made);
}

void TriedSettings::add(const Comparison& comparison)
{
    const MeasuredAgainst against = againstOf(comparison);
    for (const Compared& one : comparison.compared) {
        if (!one.result || one.isPreview())
            continue;
        TriedSetting& tried = entryFor(one.request);
        tried.name = one.name;
        tried.description = one.description();
        tried.colour = one.colour;
        if (std::ranges::none_of(tried.runs,
                                 [&](const ImageRun& run) { return isSameObject(run.image, one.result); })) {
            tried.runs.push_back(
                {{one.result->kernelGups, one.result->totalGups, one.result->timings.totalSeconds}, one.result});
            keepNewest(tried.runs);
        }
        const std::optional<double> error = errorOf(one);
        if (!error)
            continue;
        const auto known = std::ranges::find(tried.qualities, against, &MeasuredError::against);
        if (known != tried.qualities.end())
            known->rmse = *error;
        else
            tried.qualities.push_back({against, *error});
        keepNewest(tried.qualities);
    }
}

void TriedSettings::add(const engine::Request& request, const IdleMeasurement& measured)
{
    for (TriedSetting& known : m_tried)
        if (known.isOf(request)) {
            if (measured.inTurns && !measured.runs.empty())
                for (ImageRun& run : known.runs)
                    run.isReplaced = true;
            for (const TimedRun& run : measured.runs) {
                known.runs.push_back({run, {}});
                keepNewest(known.runs);
            }
            known.limits = measured.limits;
            known.gpu = measured.gpu;
        }
}

Speeds TriedSettings::speeds(const Compared& one) const
{
    const TriedSetting* tried = find(one.request);
    return tried ? tried->speeds() : Speeds{};
}

std::vector<TriedDot> TriedSettings::dots(const Comparison& comparison) const
{
    std::vector<TriedDot> dots;
    const MeasuredAgainst against = againstOf(comparison);
    for (const TriedSetting& tried : m_tried) {
        const auto quality = std::ranges::find(tried.qualities, against, &MeasuredError::against);
        if (quality == tried.qualities.end() || !tried.isPlacedAs(comparison.a().request))
            continue;
        TriedDot dot{tried.name,
                     tried.description,
                     tried.colour,
                     0,
                     tried.setting,
                     tried.speeds(),
                     quality->rmse,
                     false,
                     {},
                     unlikeText(tried.setting, comparison.a().request.setting, Parts::butKernel)};
        const auto now = std::ranges::find_if(
            comparison.compared, [&](const Compared& one) { return one.request.setting == tried.setting; });
        if (now != comparison.compared.end()) {
            dot.id = now->id;
            dot.name = now->name;
            dot.label = now->label();
            dot.colour = now->colour;
            dot.hidden = !now->visible && now->id != comparison.a().id;
        }
        if (dot.speeds.kernelGups.median > 0)
            dots.push_back(dot);
    }
    return dots;
}

} // namespace ui
