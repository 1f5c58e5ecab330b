// SPDX-License-Identifier: GPL-3.0-or-later
// Slices and differences as pictures of a report.
#pragma once

#include <QImage>

#include <span>

namespace ui
{

struct GreyRange {
    double black = 0, white = 1;
};

// Returns the 0.5 and 99.5 percentiles of the finite values.
GreyRange greyWindowOf(std::span<const float> values);

// Returns the 99.5 percentile of |value|, so that a few outliers don't hide the rest. Never 0.
double differenceScaleOf(std::span<const float> difference);

QImage greyImage(std::span<const float> values, int width, int height, const GreyRange& window);

// Draws blue below 0, white at 0 and red above, saturated at ±scale; NaN is grey.
QImage differenceImage(std::span<const float> difference, int width, int height, double scale);
QRgb differenceColour(double fraction); // −1…1

} // namespace ui
