// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/axis/axis_text.h"

#include <cmath>
#include <numbers>

namespace ui
{

QString binsText(double bins)
{
    return QString::number(bins, 'f', 2);
}

QString degreesText(double degrees)
{
    return QString::number(degrees, 'f', 3).replace(u'-', u'−') + QChar(0xb0);
}

double shownBins(const engine::AxisTilt& tilt)
{
    return std::round(100 * tilt.bins) / 100;
}

double shownTiltDeg(const engine::AxisTilt& tilt)
{
    return std::round(1000 * degreesOf(tilt.tiltRad)) / 1000;
}

double degreesOf(double rad)
{
    return rad * (180 / std::numbers::pi);
}

} // namespace ui
