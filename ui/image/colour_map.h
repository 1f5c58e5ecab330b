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

// Grey, Inverted grey, and two maps of even lightness: Lagoon (blue, green, yellow), Ember (black, red, white).
const std::vector<ColourMap>& colourMaps();
// Blue, white, red: for differences, with zero in the middle.
const ColourTable& differenceColours();

} // namespace ui
