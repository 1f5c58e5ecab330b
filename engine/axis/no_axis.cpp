// SPDX-License-Identifier: GPL-3.0-or-later
// Conditions under which no rotation axis can be found, and the guess used instead.
#include "engine/axis/axis.h"
#include "engine/axis/cone_axis.h"
#include "engine/axis/opposite_views.h"
#include "engine/base/number_text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>

namespace engine
{

std::optional<std::string> whyNoAxis(const std::vector<double>& anglesRad)
{
    if (anglesRad.size() < 3)
        return "from " + std::to_string(anglesRad.size()) + (anglesRad.size() == 1 ? " projection" : " projections");
    if (!std::ranges::all_of(anglesRad, [](double angle) { return std::isfinite(angle); }))
        return std::nullopt;
    const Arc arc = arcOf(anglesRad);
    // The arc extends to where the next projection would be.
    if (arc.length() + arc.step < std::numbers::pi / 2 - 1e-6)
        return "from an arc of " + numberToText(std::round(arc.length() * 180 / std::numbers::pi * 10) / 10) +
               "°, 90° are needed";
    return std::nullopt;
}

std::optional<std::string> whyNoAxis(const Geometry& geometry)
{
    if (const auto* cone = std::get_if<ConeBeam>(&geometry))
        return whyNoConeAxis(*cone);
    return whyNoAxis(anglesRadOf(geometry));
}

std::string noAxisText(const std::string& why)
{
    return "The rotation axis can't be found " + why + ": give it, or choose the middle of the detector.";
}

AxisFound middleAsAxis(const Geometry& geometry, const std::string& why)
{
    const double middle = middleBinsOf(geometry);
    return {middle, "the middle of the detector", 0,
            axisDoubt(middle, "is a guess, the middle of the detector: it can't be found " + why + "."), why};
}

std::optional<AxisFound> guessedAxis(const Geometry& geometry)
{
    const auto why = whyNoAxis(geometry);
    return why ? std::optional(middleAsAxis(geometry, *why)) : std::nullopt;
}

std::optional<std::string> whyNoAxis(const Sinograms& sinograms)
{
    constexpr float rounding = 1e-6F;
    const auto bins = static_cast<std::size_t>(sinograms.bins);
    for (std::size_t first = 0; bins > 0 && first + bins <= sinograms.values.size(); first += bins) {
        const auto [least, most] = std::ranges::minmax(std::span(sinograms.values).subspan(first, bins));
        if (!(most - least <= rounding * std::max(std::abs(least), std::abs(most)))) // true for NaN as well
            return std::nullopt;
    }
    return "from a row without contrast, where each projection is constant";
}

} // namespace engine
