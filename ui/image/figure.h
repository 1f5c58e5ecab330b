// SPDX-License-Identifier: GPL-3.0-or-later
// A figure for a publication: images in rows, with titles, colour bars, a scale bar, lines and areas, black
// on white.
#pragma once

#include "ui/image/overlay.h"
#include "ui/image/pixels.h"
#include "ui/image/shading.h"
#include "ui/widgets/drawing.h"

#include <QImage>
#include <QRectF>
#include <QString>

#include <optional>
#include <vector>

namespace ui
{

struct FigureImage {
    QString title;
    Pixels pixels;
    Colouring colouring;
    QString unit;
};

QImage pictureOf(const FigureImage& image); // one image pixel per pixel of the slice

struct Figure {
    std::vector<FigureImage> images; // from left to right, row by row
    int across = 0;                  // images in a row; 0: all of them
    QRectF part;                     // the part of the slice that is shown, in pixels
    int sliceSize = 0;
    std::optional<double> pixelSizeMm;
    engine::Marks marks;
};

int columnsOf(const Figure& figure);

// Empty without images, which are shaded when they are drawn first. Where there is little room, titles have two lines
// and units a line of their own, then the letters are smaller.
Drawing drawingOf(const Figure& figure);

} // namespace ui
