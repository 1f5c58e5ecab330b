// SPDX-License-Identifier: GPL-3.0-or-later
// Text and rounding of the position and tilt of an axis.
#pragma once

#include "engine/axis/tilt.h"

#include <QString>

namespace ui
{

QString binsText(double bins);       // "127.50"
QString degreesText(double degrees); // "−0.125°"

// Rounded as displayed, so that the values taken over are those on the screen.
double shownBins(const engine::AxisTilt& tilt);
double shownTiltDeg(const engine::AxisTilt& tilt);
double degreesOf(double rad);

} // namespace ui
