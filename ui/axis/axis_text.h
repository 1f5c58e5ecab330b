// Where an axis is and how it leans, as they are shown and taken.
#pragma once

#include "engine/axis/tilt.h"

#include <QString>

namespace ui
{

QString binsText(double bins);       // "127.50"
QString degreesText(double degrees); // "−0.125°"

// Rounded: what is taken is what is shown.
double shownBins(const engine::AxisTilt& tilt);
double shownTiltDeg(const engine::AxisTilt& tilt);
double degreesOf(double rad);

} // namespace ui
