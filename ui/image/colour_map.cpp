// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/colour_map.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ui
{

namespace
{

struct Polar { // CIELAB in polar form: lightness 0…100, chroma, hue in degrees
    double lightness, chroma, hueDegrees;
};

struct Linear { // sRGB before its transfer curve
    double red, green, blue;
    bool inGamut() const { return std::min({red, green, blue}) >= -1e-6 && std::max({red, green, blue}) <= 1 + 1e-6; }
};

// Converts CIELAB (CIE 15:2004, white point D65) to linear sRGB. The primaries, and the transfer curve in toByte(),
// are those of IEC 61966-2-1.
Linear toLinear(const Polar& colour)
{
    const double hue = colour.hueDegrees * std::numbers::pi / 180;
    const double fy = (colour.lightness + 16) / 116;
    const double fx = fy + colour.chroma * std::cos(hue) / 500;
    const double fz = fy - colour.chroma * std::sin(hue) / 200;
    const auto cube = [](double f) { return f > 6.0 / 29 ? f * f * f : 3 * (6.0 / 29) * (6.0 / 29) * (f - 4.0 / 29); };
    const double x = 0.95047 * cube(fx), y = cube(fy), z = 1.08883 * cube(fz);
    return {3.2404542 * x - 1.5371385 * y - 0.4985314 * z, -0.9692660 * x + 1.8760108 * y + 0.0415560 * z,
            0.0556434 * x - 0.2040259 * y + 1.0572252 * z};
}

int toByte(double linear)
{
    linear = std::clamp(linear, 0.0, 1.0);
    const double encoded = linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
    return static_cast<int>(std::lround(255 * encoded));
}

// Converts to sRGB. Colours outside the gamut of sRGB keep their lightness and hue, and lose chroma.
QRgb toRgb(Polar colour)
{
    Linear linear = toLinear(colour);
    while (!linear.inGamut() && colour.chroma > 0) {
        colour.chroma = std::max(0.0, colour.chroma - 0.5);
        linear = toLinear(colour);
    }
    return qRgb(toByte(linear.red), toByte(linear.green), toByte(linear.blue));
}

template <typename Colour>
ColourTable table(Colour colourAt)
{
    ColourTable colours;
    for (int i = 0; i < 256; ++i)
        colours[i] = colourAt(i / 255.0);
    colours[notFiniteEntry] = notFiniteColour().rgb();
    return colours;
}

QRgb lagoon(double t)
{
    return toRgb({12 + 80 * t, 52, 300 - 202 * t});
}

// From black through purple, red and orange to a warm white; chroma follows half a sine wave.
QRgb ember(double t)
{
    return toRgb({98 * t, 60 * std::pow(std::sin(std::numbers::pi * t), 0.8), 310 + 140 * t});
}

// Lightness falls and chroma rises equally on both sides of zero, so that neither sign looks larger.
QRgb blueWhiteRed(double t)
{
    const double distance = std::abs(2 * t - 1);
    return toRgb({97 - 62 * distance, 52 * std::pow(distance, 0.85), t < 0.5 ? 285.0 : 30.0});
}

// Counterpart of blueWhiteRed() for dark themes: small differences are dark.
QRgb blueBlackOrange(double t)
{
    const double distance = std::abs(2 * t - 1);
    return toRgb({5 + 75 * distance, 62 * std::pow(distance, 0.7), t < 0.5 ? 262.0 : 62.0});
}

// Viridis by Nathaniel Smith and Stéfan van der Walt (matplotlib, 2015, CC0): its colours at every tenth,
// interpolated linearly in between.
QRgb viridis(double t)
{
    static constexpr std::array<QRgb, 11> tenths = {0x440154, 0x482475, 0x414487, 0x355f8d, 0x2a788e, 0x21918c,
                                                    0x22a884, 0x44bf70, 0x7ad151, 0xbddf26, 0xfde725};
    const int k = std::min(static_cast<int>(10 * t), 9);
    const auto between = [&](int (*part)(QRgb)) {
        return qRound(part(tenths[k]) + (10 * t - k) * (part(tenths[k + 1]) - part(tenths[k])));
    };
    return qRgb(between(qRed), between(qGreen), between(qBlue));
}

} // namespace

QColor notFiniteColour()
{
    return QColor(255, 0, 255);
}

const std::vector<ColourMap>& colourMaps()
{
    static const std::vector<ColourMap> maps = {
        {QStringLiteral("Grey"),
         table([](double t) { return qRgb(qRound(255 * t), qRound(255 * t), qRound(255 * t)); })},
        {QStringLiteral("Inverted grey"),
         table([](double t) { return qRgb(qRound(255 * (1 - t)), qRound(255 * (1 - t)), qRound(255 * (1 - t))); })},
        {QStringLiteral("Lagoon"), table(lagoon)},
        {QStringLiteral("Ember"), table(ember)},
        {QStringLiteral("Viridis"), table(viridis)},
    };
    return maps;
}

const ColourTable& differenceColours(bool dark)
{
    static const ColourTable onLight = table(blueWhiteRed), onDark = table(blueBlackOrange);
    return dark ? onDark : onLight;
}

const ColourTable& absoluteColours(bool dark)
{
    static const ColourTable onLight = table([](double t) { return blueWhiteRed(0.5 + t / 2); }),
                             onDark = table([](double t) { return blueBlackOrange(0.5 + t / 2); });
    return dark ? onDark : onLight;
}

ColourTable shadesOf(const QColor& colour)
{
    return table([&colour](double t) {
        return qRgb(qRound(t * colour.red()), qRound(t * colour.green()), qRound(t * colour.blue()));
    });
}

} // namespace ui
