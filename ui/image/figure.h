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
    QRectF part;  // that is shown, in pixels
    int size = 0; // of the whole image: its longer side, in pixels
    engine::Marks marks = {};
    double stretch = 1;                     // of its height
    std::optional<double> pixelSizeMm = {}; // along its rows
};

QImage pictureOf(const FigureImage& image); // one image pixel per pixel of the slice

struct Figure {
    std::vector<FigureImage> images; // from left to right, row by row; all widths in one scale
    int across = 0;                  // images in a row; 0: all of them
};

int columnsOf(const Figure& figure);

// Empty without images, which are shaded when they are drawn first. Where there is little room, titles have two lines
// and units a line of their own, then the letters are smaller.
Drawing drawingOf(const Figure& figure);

} // namespace ui
