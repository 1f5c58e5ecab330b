// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/curve_colours.h"

#include <QPainter>

#include <array>
#include <cmath>

namespace ui
{

namespace
{

constexpr int settingColours = 8;

} // namespace

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
    k %= settingColours;
    if (k < 2)
        return k == 0 ? curveColours(palette).a : curveColours(palette).b;
    // Green, pink, ochre, blue, purple, brown.
    static const std::array onLight = {QColor(0x00, 0x80, 0x5a), QColor(0xc4, 0x50, 0x8f), QColor(0x8f, 0x6a, 0x00),
                                       QColor(0x00, 0x56, 0xb2), QColor(0x7b, 0x3f, 0xa0), QColor(0x5a, 0x3a, 0x1e)};
    static const std::array onDark = {QColor(0x3f, 0xce, 0x8f), QColor(0xe5, 0x8b, 0xc0), QColor(0xe8, 0xd4, 0x4d),
                                      QColor(0x6f, 0x98, 0xff), QColor(0xb3, 0x88, 0xeb), QColor(0x86, 0x70, 0x4a)};
    return (isDark(palette) ? onDark : onLight)[static_cast<std::size_t>(k - 2)];
}

Stroke settingStroke(int k)
{
    constexpr std::array strokes = {Stroke::solid, Stroke::dash, Stroke::dot, Stroke::dashDot};
    return strokes[static_cast<std::size_t>(k + k / settingColours) % strokes.size()]; // others with the same colour
}

QPen settingPen(const QPalette& palette, int k, double width)
{
    QPen pen(settingColour(palette, k), width);
    pen.setCapStyle(Qt::FlatCap);
    pen.setJoinStyle(Qt::BevelJoin); // no spikes at noisy peaks
    // Lengths in pixels: a thinner curve has the same dashes.
    const auto dashes = [&](std::initializer_list<double> pixels) {
        QList<qreal> pattern;
        for (const double length : pixels)
            pattern << length / width;
        pen.setDashPattern(pattern);
    };
    switch (settingStroke(k)) {
    case Stroke::solid:
        break;
    case Stroke::dash:
        dashes({8, 4});
        break;
    case Stroke::dashDot:
        dashes({9, 3, 2, 3});
        break;
    case Stroke::dot:
        dashes({2, 3});
        break;
    }
    return pen;
}

QPixmap strokeSample(const QPalette& palette, int k, double devicePixelRatio)
{
    QPixmap sample(strokeSampleSize * devicePixelRatio);
    sample.setDevicePixelRatio(devicePixelRatio);
    sample.fill(Qt::transparent);
    QPainter painter(&sample);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette.color(QPalette::Active, QPalette::Base)); // visible on a selected row, too
    painter.drawRoundedRect(QRectF({}, QSizeF(strokeSampleSize)), 3, 3);
    const double middle = strokeSampleSize.height() / 2.0;
    painter.setPen(settingPen(palette, k, 4));
    painter.drawLine(QPointF(2, middle), QPointF(strokeSampleSize.width() - 2, middle));
    return sample;
}

QIcon strokeIcon(const QPalette& palette, int k, double devicePixelRatio)
{
    QIcon icon;
    for (const QIcon::Mode mode : {QIcon::Normal, QIcon::Selected, QIcon::Disabled}) // tinted in none of these rows
        icon.addPixmap(strokeSample(palette, k, devicePixelRatio), mode);
    return icon;
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
