// SPDX-License-Identifier: GPL-3.0-or-later
// What a saved picture of the 3-D view looks like.
#pragma once

#include <QColor>
#include <QImage>
#include <QSize>

namespace ui
{

enum class Backdrop { asShown, white, black, transparent };

struct PictureLook {
    QSize size; // pixels
    Backdrop backdrop = Backdrop::asShown;
    bool hasScale = true; // the scale and the directions of the axes
};

// Returns the picture without its background, from pictures of the same scene on black and on white. Both have the
// format RGB32 and the same size.
QImage withoutBackground(const QImage& onBlack, const QImage& onWhite);

} // namespace ui
