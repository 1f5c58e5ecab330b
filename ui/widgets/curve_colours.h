// SPDX-License-Identifier: GPL-3.0-or-later
// Colours of curves and bars: readable in light and dark, and told apart by colour-blind eyes.
#pragma once

#include <QColor>
#include <QPalette>

namespace ui
{

struct CurveColours {
    QColor a, b;           // the accent of the window, and the one colour beside it
    QColor exact, phantom; // neutral
    QColor background, text, quietText, grid;
};

// The theme's accent and the orange of Okabe and Ito (2008), each in the tone that stands out from
// the palette's base.
CurveColours curveColours(const QPalette& palette);
// Of the k-th setting: a, b, then a family in tones that stand out from the palette's base. Repeats.
QColor settingColour(const QPalette& palette, int k);
QPalette paperPalette(); // black on white, for exported figures

bool isDark(const QPalette& palette);
QColor blend(const QColor& from, const QColor& to, double fraction); // 0: from, 1: to

// The k-th of a family of curves (reports): Okabe and Ito's seven, on white. Repeats.
QColor familyColour(int k);

} // namespace ui
