#include "engine/units.h"

#include "engine/number_text.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace engine
{

namespace
{

// "cm" of "1/cm", "cm^-1" and "cm-1"; empty for others.
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
