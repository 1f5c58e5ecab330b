// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/scene_picture.h"

#include <algorithm>

namespace ui
{

// A pixel of opacity a shows a·colour on black, and a·colour + (1 − a)·white on white.
QImage withoutBackground(const QImage& onBlack, const QImage& onWhite)
{
    QImage picture(onBlack.size(), QImage::Format_ARGB32_Premultiplied);
    for (int y = 0; y < picture.height(); ++y) {
        const auto* const black = reinterpret_cast<const QRgb*>(onBlack.constScanLine(y));
        const auto* const white = reinterpret_cast<const QRgb*>(onWhite.constScanLine(y));
        auto* const pixels = reinterpret_cast<QRgb*>(picture.scanLine(y));
        for (int x = 0; x < picture.width(); ++x) {
            const int least = std::min({qRed(white[x]) - qRed(black[x]), qGreen(white[x]) - qGreen(black[x]),
                                        qBlue(white[x]) - qBlue(black[x])});
            const int alpha = 255 - std::clamp(least, 0, 255);
            pixels[x] = qRgba(std::min(qRed(black[x]), alpha), std::min(qGreen(black[x]), alpha),
                              std::min(qBlue(black[x]), alpha), alpha);
        }
    }
    return picture;
}

} // namespace ui
