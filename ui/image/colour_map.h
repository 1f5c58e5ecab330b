// SPDX-License-Identifier: GPL-3.0-or-later
// Colour maps: 256 colours for the values within a grey window, and one for values that are not finite.
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

// Returns the colour of pixels that are not finite: a magenta that is far from the colours of all maps.
QColor notFiniteColour();

struct ColourMap {
    QString name;
    ColourTable colours;
};

// Returns Grey, Inverted grey, Lagoon (blue, green, yellow), Ember (black, red, white) and Viridis. The lightness of
// Lagoon and Ember rises linearly.
const std::vector<ColourMap>& colourMaps();
// Returns the colours for signed differences, with zero in the middle: blue, white, red; for dark themes blue, black,
// orange.
const ColourTable& differenceColours(bool dark = false);
// Returns the colours for absolute differences: the upper half of differenceColours(), from zero on.
const ColourTable& absoluteColours(bool dark = false);
ColourTable shadesOf(const QColor& colour); // from black to `colour`

} // namespace ui
