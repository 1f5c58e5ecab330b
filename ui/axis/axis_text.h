// SPDX-License-Identifier: GPL-3.0-or-later
// Text and rounding of the position and tilt of an axis.
#pragma once

#include "engine/axis/tilt.h"

#include <QString>

namespace ui
{

QString binsText(double bins);       // "127.50"
QString degreesText(double degrees); // "−0.125°"

// Returns the value rounded as on the screen, so that a click on a result sets exactly the number that is shown.
double shownBins(const engine::AxisTilt& tilt);
double shownTiltDeg(const engine::AxisTilt& tilt);
double degreesOf(double rad);

} // namespace ui
