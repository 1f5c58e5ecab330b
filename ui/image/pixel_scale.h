// SPDX-License-Identifier: GPL-3.0-or-later
// How large pixels are: a scale bar with the magnification, and from near the pixels' borders and values.
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

constexpr double pixelsShownFrom = 32; // device-independent pixels a pixel

// A round length of at most `longest` on screen: in pixels, or where their size is known in nm, µm, mm.
struct ScaleBar {
    double length = 0; // on screen
    QString text;      // "20 µm"
};
ScaleBar scaleBar(double scale, const std::optional<double>& pixelSizeMm, double longest = 110);

QString magnificationText(double scale); // "0.5×", "32×"

// In the lower right corner of the room.
void drawScale(QPainter& painter, const QRectF& room, double scale, const std::optional<double>& pixelSizeMm,
               const QPalette& palette);

// Values are written as multiples of a power of ten that suits a grey window, three digits at its larger end.
struct ValueForm {
    int exponent = 0; // a multiple of 3
    int decimals = 0;

    QString text(double value) const; // without the power of ten
};
ValueForm valueForm(const GreyWindow& window);

// What is written in the pixel whose middle that is, one image a line.
using ValuesAt = std::function<QStringList(const QPointF& sliceposition)>;
// In the part of the grid that lies in the room.
void drawPixels(QPainter& painter, const QRectF& room, const QTransform& toScreen, const Pixels& pixels,
                const ValuesAt& valuesAt);

} // namespace ui
