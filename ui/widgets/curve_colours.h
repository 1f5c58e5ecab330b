// SPDX-License-Identifier: GPL-3.0-or-later
// Colours and strokes of curves and bars that are readable in light and dark themes and distinguishable for
// colour-blind users.
#pragma once

#include <QColor>
#include <QIcon>
#include <QPalette>
#include <QPen>
#include <QPixmap>

namespace ui
{

struct CurveColours {
    QColor a, b;           // the accent of the window, and the second colour
    QColor exact, phantom; // neutral
    QColor background, text, quietText, grid;
};

// Returns the theme's accent and the orange of Okabe and Ito (2008), each in a tone that contrasts with the palette's
// base.
CurveColours curveColours(const QPalette& palette);
// Returns the colour of the k-th setting: a, b, then others in tones that contrast with the palette's base. Repeats
// after eight.
QColor settingColour(const QPalette& palette, int k);
// Returns the stroke of the k-th setting's curves: solid, dashed, dash-dotted or dotted. The two of eight settings
// that share a stroke have colours that are far apart for every kind of colour vision.
enum class Stroke { solid, dash, dashDot, dot };
Stroke settingStroke(int k);
QPen settingPen(const QPalette& palette, int k, double width); // colour and stroke
// Returns a sample of the k-th setting's stroke on the palette's base, and the same as an icon for lists and tables.
QPixmap strokeSample(const QPalette& palette, int k, double devicePixelRatio);
QIcon strokeIcon(const QPalette& palette, int k, double devicePixelRatio);
constexpr QSize strokeSampleSize(24, 12);
QPalette paperPalette(); // black on white, for exported figures

bool isDark(const QPalette& palette);
QColor blend(const QColor& from, const QColor& to, double fraction); // 0: from, 1: to

// Returns the k-th of Okabe and Ito's seven colours, for curves on white (reports). Repeats.
QColor familyColour(int k);

} // namespace ui
