// SPDX-License-Identifier: GPL-3.0-or-later
// The size of pixels: a scale bar with the magnification and, at high magnification, the borders and values of
// pixels.
#pragma once

#include "ui/image/shading.h"

#include <QString>
#include <QTransform>

#include <functional>
#include <optional>

class QPainter;
class QPalette;

namespace ui
{

constexpr double pixelsShownFrom = 32; // device-independent pixels per pixel

// Scale bar of a round length, at most `longest` on screen: in nm, µm or mm if the pixel size is known, else in
// pixels.
struct ScaleBar {
    double length = 0; // on screen
    QString text;      // "20 µm"
};
ScaleBar scaleBar(double scale, const std::optional<double>& pixelSizeMm, double longest = 110);

QString magnificationText(double scale); // "0.5×", "32×"

// Draws in the lower right corner of `room`.
void drawScale(QPainter& painter, const QRectF& room, double scale, const std::optional<double>& pixelSizeMm,
               const QPalette& palette);

// Format of pixel values: multiples of a power of ten that suits a grey window, with three digits at its larger end.
struct ValueForm {
    int exponent = 0; // a multiple of 3
    int decimals = 0;

    QString text(double value) const; // without the power of ten
};
ValueForm valueForm(const GreyWindow& window);

// Returns the texts for the pixel with that centre, one line per image.
using ValuesAt = std::function<QStringList(const QPointF& sliceposition)>;
// Draws the borders and values of the pixels inside `room`.
void drawPixels(QPainter& painter, const QRectF& room, const QTransform& toScreen, const Pixels& pixels,
                const ValuesAt& valuesAt);

} // namespace ui
