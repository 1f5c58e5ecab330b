// SPDX-License-Identifier: GPL-3.0-or-later
// Colour maps: 256 colours for the values between the ends of a grey window, one more for no number.
#pragma once

#include <QColor>
#include <QString>

#include <array>
#include <vector>

namespace ui
{

// [0…255] from the low end of the window to the high one; [256] for NaN and infinity.
using ColourTable = std::array<QRgb, 257>;
constexpr int notFiniteEntry = 256;

// Pixels that are no number: a magenta that none of the maps comes near.
QColor notFiniteColour();

struct ColourMap {
    QString name;
    ColourTable colours;
};

// Grey, Inverted grey, and two maps of even lightness: Lagoon (blue, green, yellow), Ember (black, red, white),
// and Viridis.
const std::vector<ColourMap>& colourMaps();
// For differences, with zero in the middle: blue, white, red; in the dark, blue, black, orange.
const ColourTable& differenceColours(bool dark = false);
// For their size alone: the upper half of them, from zero on.
const ColourTable& absoluteColours(bool dark = false);
ColourTable shadesOf(const QColor& colour); // from black to it

} // namespace ui
