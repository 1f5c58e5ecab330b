// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/geometry/angle_units.h"

#include "engine/base/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>

namespace engine
{

using std::numbers::pi;

bool areRadians(std::span<const double> angles)
{
    constexpr std::size_t many = 16; // projections: nobody takes so many over a few degrees
    if (angles.empty())
        return false;
    const bool isSmall = std::ranges::all_of(angles, [](double angle) { return std::abs(angle) <= 2 * pi; });
    if (isSmall || angles.size() < many)
        return isSmall;
    const auto [least, most] = std::ranges::minmax(angles);
    const double range = most - least, halfTurns = std::round(range / pi);
    return range > 0 && (range < 2.05 * pi || (halfTurns < 10 && std::abs(range / pi - halfTurns) < 0.02));
}

namespace
{

constexpr std::array<AngleUnit, 6> units{{{"degrees", 180},
                                          {"radians", pi},
                                          {"milliradians", 1000 * pi},
                                          {"gons", 200},
                                          {"turns", 0.5},
                                          {"millidegrees", 180000}}};

const AngleUnit& unitNamed(std::string_view name)
{
    return *std::ranges::find(units, name, &AngleUnit::name);
}

} // namespace

const AngleUnit* angleUnit(const std::string& text)
{
    static constexpr std::array<std::pair<const char*, const char*>, 13> beginnings{{{"deg", "degrees"},
                                                                                     {"°", "degrees"},
                                                                                     {"mdeg", "millidegrees"},
                                                                                     {"millideg", "millidegrees"},
                                                                                     {"rad", "radians"},
                                                                                     {"mrad", "milliradians"},
                                                                                     {"millirad", "milliradians"},
                                                                                     {"gon", "gons"},
                                                                                     {"grad", "gons"},
                                                                                     {"turn", "turns"},
                                                                                     {"rev", "turns"},
                                                                                     {"rotation", "turns"},
                                                                                     {"cycle", "turns"}}};
    const std::string name = lowerCase(text);
    for (const auto& [beginning, unit] : beginnings)
        if (name.starts_with(beginning))
            return &unitNamed(unit);
    return nullptr;
}

const AngleUnit& likelyAngleUnit(std::span<const double> angles)
{
    constexpr std::size_t many = 16; // projections; fewer may cover any arc
    if (angles.size() >= many) {
        const auto [least, most] = std::ranges::minmax(angles);
        const double range = most - least, step = range / static_cast<double>(angles.size() - 1);
        for (const char* name : {"degrees", "radians", "turns", "milliradians", "millidegrees"})
            if (coverWholeTurns(range, step, unitNamed(name).halfTurn, 0.1))
                return unitNamed(name);
    }
    return unitNamed(areRadians(angles) ? "radians" : "degrees");
}

std::vector<double> inRadians(std::vector<double> angles, const AngleUnit& unit)
{
    for (double& angle : angles)
        angle *= pi / unit.halfTurn;
    if (unit.halfTurn == pi)
        unwrap(angles);
    return angles;
}

bool coverWholeTurns(double range, double step, double halfTurn, double partOfStep)
{
    const double off = partOfStep * std::abs(step);
    for (const double arc : {halfTurn, 2 * halfTurn})
        if (std::abs(std::abs(range) - arc) < off || std::abs(std::abs(range + step) - arc) < off)
            return true;
    return false;
}

void unwrap(std::vector<double>& anglesRad)
{
    if (anglesRad.size() < 2 || !std::ranges::all_of(anglesRad, [](double angle) { return std::isfinite(angle); }))
        return;
    std::vector<double> continued = anglesRad;
    for (std::size_t k = 1; k < continued.size(); ++k)
        continued[k] = continued[k - 1] + std::remainder(anglesRad[k] - anglesRad[k - 1], 2 * pi);
    const bool isOrdered = std::ranges::is_sorted(continued) || std::ranges::is_sorted(continued, std::greater<>());
    if (!isOrdered)
        return;
    const double turns = std::trunc(continued.front() / (2 * pi)), jumps = continued.back() - anglesRad.back();
    if (turns == 0 && std::abs(jumps) < pi)
        return;
    for (std::size_t k = 0; k < continued.size(); ++k)
        anglesRad[k] = continued[k] - 2 * pi * turns;
}

} // namespace engine
