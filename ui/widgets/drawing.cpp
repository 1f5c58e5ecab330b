// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/drawing.h"

#include "engine/base/error.h"
#include "ui/widgets/save_file.h"

#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <cmath>

namespace ui
{

namespace
{

[[noreturn]] void failDrawing(const QString& path, const QString& why, const char* todo)
{
    throw engine::Error(engine::ErrorKind::output,
                        "can't write the figure to " + path.toStdString() + ": " + why.toStdString() + "; " + todo);
}

} // namespace

QSizeF sizeMmOf(const Drawing& drawing, const DrawingLook& look)
{
    return {look.widthMm, drawing.heightMm ? drawing.heightMm(look) : look.heightMm};
}

QSizeF pointsOf(const QSizeF& sizeMm)
{
    return sizeMm * 72 / 25.4;
}

QImage imageOf(const Drawing& drawing, const DrawingLook& look)
{
    const QSizeF points = pointsOf(sizeMmOf(drawing, look));
    const double perPoint = look.dotsPerInch / 72.0;
    QImage image((points * perPoint).toSize(), QImage::Format_RGB32);
    if (image.isNull())
        return image;
    image.setDotsPerMeterX(static_cast<int>(std::lround(look.dotsPerInch / 0.0254)));
    image.setDotsPerMeterY(image.dotsPerMeterX());
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.scale(perPoint, perPoint);
    drawing.draw(painter, points, look);
    return image;
}

QByteArray fileOf(const QString& path, const Drawing& drawing, const DrawingLook& look)
{
    if (!drawing)
        failDrawing(path, QStringLiteral("there is nothing to draw yet"), "reconstruct a slice first");
    const auto endsWith = [&path](const char* suffix) {
        return path.endsWith(QLatin1String(suffix), Qt::CaseInsensitive);
    };
    const QSizeF points = pointsOf(sizeMmOf(drawing, look));
    QByteArray bytes;
    QBuffer file(&bytes);
    file.open(QIODevice::WriteOnly);
    const auto drawOn = [&](QPaintDevice& device, double unitsPerPoint) {
        QPainter painter;
        if (!painter.begin(&device))
            failDrawing(path, QStringLiteral("it can't be drawn"), "choose another format");
        painter.setRenderHint(QPainter::LosslessImageRendering); // a PDF would hold JPEGs
        painter.scale(unitsPerPoint, unitsPerPoint);
        drawing.draw(painter, points, look);
        painter.end();
    };
    if (endsWith(".png")) {
        const QImage image = imageOf(drawing, look);
        if (image.isNull() || !image.save(&file, "PNG"))
            failDrawing(path, QStringLiteral("it is too large"), "choose a smaller width or resolution");
    } else if (endsWith(".svg")) {
        QSvgGenerator generator;
        generator.setOutputDevice(&file);
        generator.setTitle(QStringLiteral("Sinoscope"));
        generator.setResolution(72);
        generator.setSize(points.toSize());
        generator.setViewBox(QRectF(QPointF(), points));
        drawOn(generator, 1);
    } else if (endsWith(".pdf")) {
        constexpr int perInch = 1200;
        QPdfWriter writer(&file);
        writer.setCreator(QStringLiteral("Sinoscope"));
        writer.setPageMargins(QMarginsF(0, 0, 0, 0));
        writer.setResolution(perInch);
        writer.setPageSize(QPageSize(points, QPageSize::Point, {}, QPageSize::ExactMatch));
        drawOn(writer, perInch / 72.0);
    } else {
        failDrawing(path, QStringLiteral("unknown kind of file"), "end the name in .png, .svg or .pdf");
    }
    return bytes;
}

void writeDrawing(const QString& path, const Drawing& drawing, const DrawingLook& look)
{
    if (const QString why = saveFile(path, fileOf(path, drawing, look)); !why.isEmpty())
        failDrawing(path, why, "choose another folder or name");
}

Drawing drawingOf(const QString& name, const QImage& picture)
{
    if (picture.isNull())
        return {};
    return {
        .of = Drawing::Of::picture,
        .name = name,
        .heightMm = [picture](const DrawingLook& look) { return look.widthMm * picture.height() / picture.width(); },
        .draw =
            [picture](QPainter& painter, const QSizeF& points, const DrawingLook&) {
                painter.setRenderHint(QPainter::SmoothPixmapTransform);
                painter.drawImage(QRectF(QPointF(), points), picture);
            }};
}

} // namespace ui
