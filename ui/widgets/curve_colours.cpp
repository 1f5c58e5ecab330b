// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/curve_colours.h"

#include <array>
#include <cmath>

namespace ui
{

bool isDark(const QPalette& palette)
{
    return palette.color(QPalette::Base).lightnessF() < 0.5;
}

QColor blend(const QColor& from, const QColor& to, double fraction)
{
    const auto mix = [fraction](float x, float y) { return static_cast<float>(x + (y - x) * fraction); };
    return QColor::fromRgbF(mix(from.redF(), to.redF()), mix(from.greenF(), to.greenF()),
                            mix(from.blueF(), to.blueF()));
}

CurveColours curveColours(const QPalette& palette)
{
    const bool dark = isDark(palette);
    CurveColours colours;
    colours.background = palette.color(QPalette::Base);
    colours.text = palette.color(QPalette::Text);
    colours.quietText = blend(colours.text, colours.background, 0.38);
    colours.grid = blend(colours.background, colours.text, dark ? 0.14 : 0.10);
    colours.a = dark ? QColor(0x5c, 0xc0, 0xd6) : QColor(0x0f, 0x6e, 0x84);
    colours.b = dark ? QColor(0xf0, 0x9d, 0x3c) : QColor(0xd5, 0x5e, 0x00);
    colours.exact = blend(colours.background, colours.text, dark ? 0.45 : 0.36);
    colours.phantom = blend(colours.background, colours.text, 0.75);
    return colours;
}

QColor settingColour(const QPalette& palette, int k)
{
    if (k < 2)
        return k == 0 ? curveColours(palette).a : curveColours(palette).b;
    static const std::array colours = {QColor(0x00, 0x9e, 0x73), QColor(0xcc, 0x79, 0xa7), QColor(0x00, 0x72, 0xb2),
                                       QColor(0xe6, 0x9f, 0x00), QColor(0x8c, 0x6b, 0xb1), QColor(0x56, 0xb4, 0xe9)};
    const QColor colour = colours[static_cast<std::size_t>(k - 2) % colours.size()];
    return isDark(palette) ? colour.lighter(125) : colour.darker(112);
}

QPalette paperPalette()
{
    QPalette palette(Qt::white);
    palette.setColor(QPalette::Base, Qt::white);
    palette.setColor(QPalette::Text, Qt::black);
    return palette;
}

QColor familyColour(int k)
{
    static const std::array colours = {QColor(0x00, 0x72, 0xb2), QColor(0xd5, 0x5e, 0x00), QColor(0x00, 0x9e, 0x73),
                                       QColor(0xcc, 0x79, 0xa7), QColor(0xe6, 0x9f, 0x00), QColor(0x56, 0xb4, 0xe9),
                                       QColor(0x55, 0x55, 0x55)};
    return colours[static_cast<std::size_t>(k) % colours.size()];
}

} // namespace ui
