// SPDX-License-Identifier: GPL-3.0-or-later
// A figure for a publication: images beside each other, with titles, colour bars, a scale bar, lines and areas, black
// on white.
#pragma once

#include "ui/image/overlay.h"
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

Drawing drawingOf(const Figure& figure); // empty without images

} // namespace ui
