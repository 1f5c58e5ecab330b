// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/plot_drawing.h"

#include "ui/widgets/saved_painter.h"

namespace ui
{

namespace
{

constexpr double pointsPerPixel = 0.75; // a pixel of a plot is 1/96 inch
constexpr int paperFontPixels = 11;     // 8 points

Drawing plotDrawing(const QString& name, const std::function<QPicture(const QSize&)>& record)
{
    return {.of = Drawing::Of::plot,
            .name = name,
            .draw = [record](QPainter& painter, const QSizeF& points, const DrawingLook&) {
                const SavedPainter saved(painter);
                painter.fillRect(QRectF(QPointF(), points), Qt::white);
                const QPicture picture = record((points / pointsPerPixel).toSize());
                // drawPicture() scales by the resolutions of both devices.
                const double scale = pointsPerPixel * picture.logicalDpiX() / painter.device()->logicalDpiX();
                painter.scale(scale, scale);
                painter.drawPicture(0, 0, picture);
            }};
}

} // namespace

void styleForPaper(QWidget& widget)
{
    QFont font = widget.font();
    font.setPixelSize(paperFontPixels); // not in points: the letters are scaled with the plot
    widget.setFont(font);
    widget.setPalette(paperPalette());
}

QPicture recorded(Plot& plot, const QSize& size, const std::function<void()>& fill)
{
    for (int turn = 0; turn < 2; ++turn) {
        plot.setViewport(QRect({}, size));
        fill();
        plot.replot(QCustomPlot::rpImmediateRefresh);
    }
    QPicture picture;
    QCPPainter painter;
    if (!painter.begin(&picture))
        return picture;
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    plot.toPainter(&painter, size.width(), size.height());
    painter.end();
    return picture;
}

Drawing drawingOf(const QString& name, const std::shared_ptr<Plot>& plot, const std::function<void()>& fill)
{
    return plotDrawing(name, [plot, fill](const QSize& size) { return recorded(*plot, size, fill); });
}

Drawing drawingOf(const QString& name, const std::shared_ptr<QWidget>& widget)
{
    Drawing drawing = plotDrawing(name, [widget](const QSize& size) {
        widget->resize(size);
        QPicture picture;
        widget->render(&picture, {}, {}, QWidget::DrawChildren);
        return picture;
    });
    drawing.of = Drawing::Of::picture;
    drawing.heightMm = [widget](const DrawingLook&) {
        return widget->sizeHint().height() * pointsPerPixel * 25.4 / 72;
    };
    return drawing;
}

} // namespace ui
