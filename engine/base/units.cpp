// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/units.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace engine
{

namespace
{

// Returns "cm" for "1/cm", "cm^-1" and "cm-1"; empty for other units.
std::string lengthOfInverse(const std::string& unit)
{
    if (unit.starts_with("1/"))
        return unit.substr(2);
    for (const std::string power : {"^-1", "**-1", "-1"})
        if (unit.ends_with(power))
            return unit.substr(0, unit.find_last_not_of(' ', unit.size() - power.size() - 1) + 1);
    return {};
}

} // namespace

double degreesFromRad(double rad)
{
    constexpr double radPerDegree = std::numbers::pi / 180, degreesPerRad = 180 / std::numbers::pi;
    const double exact = rad / radPerDegree, rounded = std::round(exact * 1e9) / 1e9;
    return rounded * radPerDegree == rad || rounded / degreesPerRad == rad ? rounded : exact;
}

std::optional<double> mmPerUnit(const std::string& length)
{
    static const std::pair<const char*, double> units[] = {{"m", 1e3},
                                                           {"metre", 1e3},
                                                           {"meter", 1e3},
                                                           {"cm", 10},
                                                           {"mm", 1},
                                                           {"um", 1e-3},
                                                           {"µm", 1e-3},
                                                           {"μm", 1e-3},
                                                           {"micron", 1e-3},
                                                           {"microns", 1e-3},
                                                           {"nm", 1e-6},
                                                           {"meters", 1e3},
                                                           {"micrometer", 1e-3},
                                                           {"micrometers", 1e-3},
                                                           {"millimeter", 1},
                                                           {"metres", 1e3}};
    for (const auto& [name, mm] : units)
        if (lowerCase(length) == name)
            return mm;
    return {};
}

std::optional<double> keVPerUnit(const std::string& energy)
{
    static const std::pair<const char*, double> units[] = {{"eV", 1e-3}, {"ev", 1e-3}, {"keV", 1},           {"kev", 1},
                                                           {"KeV", 1},   {"MeV", 1e3}, {"J", 6.241509074e15}};
    for (const auto& [name, keV] : units)
        if (energy == name)
            return keV;
    return {};
}

double lengthIn(double length, const std::string& from, const std::string& to)
{
    const double factor = mmPerUnit(from).value() / mmPerUnit(to).value(); // a power of ten, up to rounding
    return factor < 1 ? length / std::round(1 / factor) : length * std::round(factor);
}

double lengthFromText(const std::string& text, const std::string& what, const std::string& unit)
{
    const std::size_t end = std::min(text.find_first_not_of("0123456789.+-eE "), text.size());
    const std::string given = text.substr(end);
    if (given.empty())
        return realFromText(text, what);
    const std::size_t last = text.find_last_not_of(' ', end - 1); // last character of the number
    require(end > 0 && last != std::string::npos && mmPerUnit(given),
            "bad " + what + " '" + text + "'; give a number of " + unit +
                ", or one with its unit: nm, um, mm, cm or m");
    return lengthIn(realFromText(text.substr(0, last + 1), what), given, unit);
}

std::optional<double> inverseLengthFactor(const std::string& from, const std::string& to,
                                          std::optional<double> pixelSizeMm)
{
    const std::string ofFrom = lowerCase(lengthOfInverse(from)), ofTo = lowerCase(lengthOfInverse(to));
    if (ofFrom == ofTo)
        return ofFrom.empty() ? std::nullopt : std::optional(1.0);
    const auto mm = [&](const std::string& length) {
        return length == "pixel" || length == "px" || length == "voxel" ? pixelSizeMm : mmPerUnit(length);
    };
    const auto mmFrom = mm(ofFrom), mmTo = mm(ofTo);
    return mmFrom && mmTo ? std::optional(*mmTo / *mmFrom) : std::nullopt;
}

} // namespace engine
