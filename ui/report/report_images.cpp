// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_images.h"
#include "ui/image/image_statistics.h"
#include "ui/widgets/new_image.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace ui
{

GreyRange greyWindowOf(std::span<const float> values)
{
    std::vector<float> finite;
    std::copy_if(values.begin(), values.end(), std::back_inserter(finite), [](float v) { return std::isfinite(v); });
    if (finite.empty())
        return {};
    GreyRange window{percentile(finite, 0.005), percentile(finite, 0.995)};
    if (!(window.white > window.black))
        window.white = window.black + std::max(1e-12, std::abs(window.black));
    return window;
}

double differenceScaleOf(std::span<const float> difference)
{
    std::vector<float> sizes;
    for (const float value : difference)
        if (std::isfinite(value))
            sizes.push_back(std::abs(value));
    const double scale = sizes.empty() ? 0 : percentile(sizes, 0.995);
    return scale > 0 ? scale : 1e-12;
}

QImage greyImage(std::span<const float> values, int width, int height, const GreyRange& window)
{
    QImage image = newImage(width, height, QImage::Format_Grayscale8);
    const double scale = 255 / (window.white - window.black);
    for (int row = 0; row < height; ++row) {
        uchar* line = image.scanLine(row);
        for (int column = 0; column < width; ++column) {
            const double grey = (values[static_cast<std::size_t>(row) * width + column] - window.black) * scale;
            line[column] = grey > 0 ? static_cast<uchar>(std::min(255.0, grey + 0.5)) : 0;
        }
    }
    return image;
}

QRgb differenceColour(double fraction)
{
    if (std::isnan(fraction))
        return qRgb(128, 128, 128);
    using Colour = std::array<double, 3>;
    static constexpr Colour white{250, 250, 250};
    // From light to dark. Each half has one hue, so that the hue shows the sign and the lightness the size.
    static constexpr std::array<Colour, 2> blue{{{100, 160, 210}, {8, 48, 107}}}, red{{{233, 140, 95}, {127, 15, 20}}};
    const std::array<Colour, 2>& side = fraction < 0 ? blue : red;
    const double size = std::min(1.0, std::abs(fraction)) * 2;
    const Colour& from = size < 1 ? white : side[0];
    const Colour& to = size < 1 ? side[0] : side[1];
    const double mix = size < 1 ? size : size - 1;
    const auto channel = [&](std::size_t k) {
        return static_cast<int>(std::lround(from[k] + (to[k] - from[k]) * mix));
    };
    return qRgb(channel(0), channel(1), channel(2));
}

QImage differenceImage(std::span<const float> difference, int width, int height, double scale)
{
    QImage image = newImage(width, height, QImage::Format_RGB32);
    for (int row = 0; row < height; ++row) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(row));
        for (int column = 0; column < width; ++column)
            line[column] = differenceColour(difference[static_cast<std::size_t>(row) * width + column] / scale);
    }
    return image;
}

} // namespace ui
