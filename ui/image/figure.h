// SPDX-License-Identifier: GPL-3.0-or-later
// A figure for a publication: images beside each other, with titles, colour bars, a scale bar, lines and areas, black
// on white.
#pragma once

#include "ui/image/overlay.h"
#include "ui/image/shading.h"

#include <QImage>
#include <QRectF>
#include <QSizeF>
#include <QString>

#include <optional>
#include <vector>

class QPainter;

namespace ui
{

struct FigureImage {
    QString title;
    QImage picture; // in its colours, one image pixel per pixel of the slice
    Colouring colouring;
    QString unit;
};

struct Figure {
    std::vector<FigureImage> images; // from left to right
    QRectF part;                     // the part of the slice that is shown, in pixels
    int sliceSize = 0;
    std::optional<double> pixelSizeMm;
    engine::Marks marks;
};

struct FigureLook {
    double widthMm = 160;
    int dotsPerInch = 300; // of PNG files, and of the images in SVG and PDF files at most those of the slice
    bool titles = true, colourBars = true, scaleBar = true, marks = false;
    bool operator==(const FigureLook&) const = default;
};

QSizeF figureSizeMm(const Figure& figure, const FigureLook& look);
void drawFigure(QPainter& painter, const QSizeF& size, const Figure& figure, const FigureLook& look); // size: in points

QImage figureImage(const Figure& figure, const FigureLook& look); // null if it is too large

// Writes .png, .svg or .pdf, depending on the suffix: under a temporary name, which is then renamed. Throws
// engine::Error(output).
void writeFigure(const QString& path, const Figure& figure, const FigureLook& look);

} // namespace ui
