// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/figure.h"

#include "ui/image/pixel_scale.h"
#include "ui/image/value_text.h"
#include "ui/widgets/saved_painter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

// Lengths in points, 1/72 inch.
constexpr double pointsPerMm = 72 / 25.4;
constexpr double betweenImages = 8, figureFontSize = 8, figureTitleHeight = 13, aboveColourBar = 4, colourBarHeight = 6,
                 colourTextHeight = 11;

struct Measures {
    double side = 0; // width of each image
    double imageHeight = 0, top = 0, height = 0;
};

Measures measuresOf(const Figure& figure, const DrawingLook& look)
{
    const double count = std::max<double>(1, static_cast<double>(figure.images.size()));
    Measures measures;
    measures.side = (look.widthMm * pointsPerMm - (count - 1) * betweenImages) / count;
    measures.imageHeight =
        figure.part.isEmpty() ? measures.side : measures.side * figure.part.height() / figure.part.width();
    measures.top = look.titles ? figureTitleHeight : 0;
    measures.height = measures.top + measures.imageHeight +
                      (look.colourBars ? aboveColourBar + colourBarHeight + colourTextHeight : 0);
    return measures;
}

void drawColourBar(QPainter& painter, const QRectF& bar, const FigureImage& image)
{
    QImage colours(256, 1, QImage::Format_RGB32);
    std::copy_n(image.colouring.colours.begin(), 256, reinterpret_cast<QRgb*>(colours.scanLine(0)));
    painter.drawImage(bar, colours);
    painter.setPen(QPen(Qt::black, 0.4));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar);
    const QRectF text(bar.left(), bar.bottom(), bar.width(), colourTextHeight);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignBottom, valueText(image.colouring.window.low, 3));
    painter.drawText(text, Qt::AlignHCenter | Qt::AlignBottom, image.unit);
    painter.drawText(text, Qt::AlignRight | Qt::AlignBottom, valueText(image.colouring.window.high, 3));
}

// White with a black rim, so that it is seen on any image.
void drawScaleBar(QPainter& painter, const QRectF& place, double scale, const std::optional<double>& pixelSizeMm)
{
    const ScaleBar bar = scaleBar(scale, pixelSizeMm, place.width() / 3);
    const QRectF line(place.left() + 6, place.bottom() - 8, bar.length, 2.5);
    painter.setPen(QPen(Qt::black, 0.5));
    painter.setBrush(Qt::white);
    painter.drawRect(line);
    QPainterPath text;
    const QFontMetricsF metrics(painter.font());
    text.addText(line.center().x() - metrics.horizontalAdvance(bar.text) / 2, line.top() - 3, painter.font(), bar.text);
    painter.setPen(QPen(Qt::black, 1.2));
    painter.drawPath(text);
    painter.fillPath(text, Qt::white);
}

void drawFigure(QPainter& painter, const QSizeF& size, const Figure& figure, const DrawingLook& look)
{
    const Measures measures = measuresOf(figure, look);
    painter.fillRect(QRectF(QPointF(), size), Qt::white);
    painter.setRenderHint(QPainter::Antialiasing);
    QFont font = painter.font();
    font.setPixelSize(static_cast<int>(figureFontSize)); // the painter's unit is a point
    painter.setFont(font);
    double left = 0;
    for (const FigureImage& image : figure.images) {
        const QRectF place(left, measures.top, measures.side, measures.imageHeight);
        painter.setPen(Qt::black);
        if (look.titles)
            painter.drawText(QRectF(left, 0, measures.side, figureTitleHeight), Qt::AlignLeft | Qt::AlignVCenter,
                             QFontMetricsF(font).elidedText(image.title, Qt::ElideMiddle, measures.side));
        painter.drawImage(place, image.picture, figure.part);
        const double scale = measures.side / figure.part.width();
        if (look.marks) {
            const SavedPainter saved(painter);
            painter.setClipRect(place);
            QTransform toFigure;
            toFigure.translate(place.left(), place.top());
            toFigure.scale(scale, scale);
            toFigure.translate(0.5 - figure.part.left(), 0.5 - figure.part.top()); // pixel centres are whole numbers
            drawMarks(painter, {.marks = figure.marks}, toFigure, figure.sliceSize, {});
        }
        if (look.scaleBar && &image == &figure.images.front())
            drawScaleBar(painter, place, scale, figure.pixelSizeMm);
        painter.setPen(Qt::black);
        if (look.colourBars)
            drawColourBar(painter, {left, place.bottom() + aboveColourBar, measures.side, colourBarHeight}, image);
        left += measures.side + betweenImages;
    }
}

} // namespace

Drawing drawingOf(const Figure& figure)
{
    if (figure.images.empty())
        return {};
    return {.of = Drawing::Of::images,
            .name = QStringLiteral("figure"),
            .heightMm = [figure](const DrawingLook& look) { return measuresOf(figure, look).height / pointsPerMm; },
            .draw = [figure](QPainter& painter, const QSizeF& points,
                             const DrawingLook& look) { drawFigure(painter, points, figure, look); }};
}

} // namespace ui
