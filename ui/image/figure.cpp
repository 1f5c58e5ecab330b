// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/figure.h"

#include "engine/base/error.h"
#include "ui/image/pixel_scale.h"
#include "ui/image/value_text.h"
#include "ui/widgets/saved_painter.h"

#include <QFontDatabase>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

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

Measures measuresOf(const Figure& figure, const FigureLook& look)
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

[[noreturn]] void failFigure(const QString& path, const QString& why, const char* todo)
{
    throw engine::Error(engine::ErrorKind::output,
                        "can't write the figure to " + path.toStdString() + ": " + why.toStdString() + "; " + todo);
}

} // namespace

QSizeF figureSizeMm(const Figure& figure, const FigureLook& look)
{
    return {look.widthMm, measuresOf(figure, look).height / pointsPerMm};
}

void drawFigure(QPainter& painter, const QSizeF& size, const Figure& figure, const FigureLook& look)
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

QImage figureImage(const Figure& figure, const FigureLook& look)
{
    const QSizeF points = figureSizeMm(figure, look) * pointsPerMm;
    const double perPoint = look.dotsPerInch / 72.0;
    QImage image((points * perPoint).toSize(), QImage::Format_RGB32);
    if (image.isNull())
        return image;
    image.setDotsPerMeterX(static_cast<int>(std::lround(look.dotsPerInch / 0.0254)));
    image.setDotsPerMeterY(image.dotsPerMeterX());
    QPainter painter(&image);
    painter.scale(perPoint, perPoint);
    drawFigure(painter, points, figure, look);
    return image;
}

void writeFigure(const QString& path, const Figure& figure, const FigureLook& look)
{
    if (figure.images.empty())
        failFigure(path, QStringLiteral("there is no image yet"), "reconstruct a slice first");
    const auto endsWith = [&path](const char* suffix) {
        return path.endsWith(QLatin1String(suffix), Qt::CaseInsensitive);
    };
    const QSizeF mm = figureSizeMm(figure, look), points = mm * pointsPerMm;
    QSaveFile file(path);
    if (!endsWith(".png") && !endsWith(".svg") && !endsWith(".pdf"))
        failFigure(path, QStringLiteral("unknown kind of file"), "end the name in .png, .svg or .pdf");
    if (!file.open(QIODevice::WriteOnly))
        failFigure(path, file.errorString(), "choose another folder or name");
    bool isWritten = false;
    const auto drawOn = [&](QPaintDevice& device, double unitsPerPoint) {
        QPainter painter;
        isWritten = painter.begin(&device);
        if (!isWritten)
            return;
        painter.scale(unitsPerPoint, unitsPerPoint);
        drawFigure(painter, points, figure, look);
        isWritten = painter.end();
    };
    if (endsWith(".png")) {
        const QImage image = figureImage(figure, look);
        if (image.isNull())
            failFigure(path, QStringLiteral("it is too large"), "choose a smaller width or resolution");
        isWritten = image.save(&file, "PNG");
    } else if (endsWith(".svg")) {
        QSvgGenerator generator;
        generator.setOutputDevice(&file);
        generator.setTitle(QStringLiteral("Sinoscope"));
        generator.setResolution(72);
        generator.setSize(points.toSize());
        generator.setViewBox(QRectF(QPointF(), points));
        drawOn(generator, 1);
    } else {
        QPdfWriter writer(&file);
        writer.setCreator(QStringLiteral("Sinoscope"));
        writer.setPageMargins(QMarginsF(0, 0, 0, 0));
        writer.setResolution(1200);
        writer.setPageSize(QPageSize(points, QPageSize::Point, {}, QPageSize::ExactMatch));
        drawOn(writer, 1200 / 72.0);
    }
    if (!isWritten || !file.commit())
        failFigure(path, file.errorString(), "choose another folder or name");
}

} // namespace ui
