// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scan/angle_spread.h"

#include "engine/base/number_text.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace engine
{

namespace
{

using std::numbers::pi;

std::string roundedDegrees(double rad, double parts)
{
    return numberToText(std::round(rad * parts * 180 / pi) / parts + 0.0); // turns −0 into +0
}

// Degrees with the precision of FIRST:LAST.
std::string tenths(double rad)
{
    return roundedDegrees(rad, 10);
}

// Degrees of a step, rounded to a millionth. Its rounding error adds up: the last of 100,000 projections is right to
// 0.05°.
std::string millionths(double rad)
{
    return roundedDegrees(rad, 1e6);
}

} // namespace

std::string toText(const AngleSpread& spread)
{
    if (spread.steps)
        return "golden angles (steps of " + millionths(spread.steps->stepRad) + "°" +
               (spread.steps->wrapRad > 0 ? ", modulo " + tenths(spread.steps->wrapRad) + "°)" : ")");
    return tenths(spread.firstRad) + " to " + tenths(spread.lastRad) + "° " +
           (spread.endExcluded ? "without the end" : "with both ends");
}

Text optionText(const AngleSpread& spread)
{
    if (spread.steps)
        return optionName("angles") + " " + millionths(spread.steps->firstRad) +
               "::" + millionths(spread.steps->stepRad) +
               (spread.steps->wrapRad > 0 ? ":" + tenths(spread.steps->wrapRad) : "");
    return optionName("angles") + " " + tenths(spread.firstRad) + ":" + tenths(spread.lastRad) +
           (spread.endExcluded ? " " + optionName("angles-end-excluded") : Text());
}

std::vector<double> evenAngles(double first, double last, int count)
{
    std::vector<double> angles(static_cast<std::size_t>(std::max(0, count)), first);
    for (int i = 1; i < count; ++i)
        angles[static_cast<std::size_t>(i)] = first + (last - first) * i / (count - 1);
    return angles;
}

std::vector<double> anglesOf(const AngleSteps& steps, int count)
{
    std::vector<double> angles = evenAngles(steps.firstRad, steps.firstRad + steps.stepRad * (count - 1), count);
    if (steps.wrapRad > 0)
        for (double& angle : angles)
            angle -= steps.wrapRad * std::floor(angle / steps.wrapRad);
    return angles;
}

std::vector<double> anglesOf(const AngleSpread& spread, int count)
{
    if (spread.steps)
        return anglesOf(*spread.steps, count);
    const double arc = spread.lastRad - spread.firstRad;
    return evenAngles(spread.firstRad, spread.firstRad + (spread.endExcluded ? arc * (count - 1) / count : arc), count);
}

bool isUsual(const AngleSpread& spread)
{
    return !spread.steps && (spread.lastRad == pi || spread.lastRad == 2 * pi);
}

} // namespace engine
