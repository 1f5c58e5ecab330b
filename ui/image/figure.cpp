// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/figure.h"

#include "ui/image/pixel_scale.h"
#include "ui/image/value_text.h"
#include "ui/widgets/saved_painter.h"

#include <QPainter>
#include <QTextLayout>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>

namespace ui
{

namespace
{

// Lengths in points, 1/72 inch.
constexpr double pointsPerMm = 72 / 25.4;
constexpr double betweenImages = 8, belowTitle = 3, aboveColourBar = 4, colourBarHeight = 6, aboveColourText = 1,
                 betweenTexts = 4;
constexpr double lineHeight = 1.25; // of the letters
constexpr int largestLetters = 8, leastLetters = 6, mostTitleLines = 2;

QFont figureFont(int points)
{
    QFont font;
    font.setPixelSize(points); // the painter's unit is a point
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

// The text below a colour bar.
struct BarText {
    enum class Lines { one, unitBelow, all }; // one: both ends and the unit; all: a line for each of them
    int letters = leastLetters, digits = 2;
    Lines lines = Lines::all;

    int count() const { return 1 + static_cast<int>(lines); }
};

struct Measures {
    int columns = 1, rows = 1;
    double side = 0, imageHeight = 0; // of the widest image; of the highest
    double scale = 1;                 // of a pixel
    double top = 0, rowHeight = 0;    // above an image; of a row with its images, titles and colour bars
    int titleLetters = largestLetters;
    BarText bar;

    double height() const { return rows * rowHeight + (rows - 1) * betweenImages; }
};

// Splits a title into lines. wholeWords: returns an empty list if that takes too many lines; otherwise words are
// split, and the last line is elided.
QStringList titleLines(const QString& title, int letters, double width, bool wholeWords)
{
    const QFont font = figureFont(letters);
    QTextLayout layout(title, font);
    QTextOption option;
    option.setWrapMode(wholeWords ? QTextOption::WordWrap : QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    QStringList lines;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        const bool isLast = lines.size() + 1 == mostTitleLines;
        const QString text = isLast ? title.mid(line.textStart()) : title.mid(line.textStart(), line.textLength());
        const QFontMetricsF metrics(font);
        const bool fits = metrics.horizontalAdvance(text.trimmed()) <= width;
        if (wholeWords && !fits)
            return {};
        lines << metrics.elidedText(text.trimmed(), Qt::ElideMiddle, width);
        if (isLast)
            break;
    }
    layout.endLayout();
    return lines;
}

int titleLettersFor(const Figure& figure, double width)
{
    for (int letters = largestLetters; letters > leastLetters; --letters)
        if (std::ranges::all_of(figure.images, [&](const FigureImage& image) {
                return image.title.isEmpty() || !titleLines(image.title, letters, width, true).isEmpty();
            }))
            return letters;
    return leastLetters;
}

QStringList titleLines(const FigureImage& image, const Measures& measures)
{
    const QStringList whole = titleLines(image.title, measures.titleLetters, measures.side, true);
    return whole.isEmpty() ? titleLines(image.title, measures.titleLetters, measures.side, false) : whole;
}

bool fits(const Figure& figure, double width, const BarText& text)
{
    const QFontMetricsF metrics(figureFont(text.letters));
    return std::ranges::all_of(figure.images, [&](const FigureImage& image) {
        const double unit = image.unit.isEmpty() ? 0 : metrics.horizontalAdvance(image.unit) + betweenTexts;
        const double low = metrics.horizontalAdvance(valueText(image.colouring.window.low, text.digits)),
                     high = metrics.horizontalAdvance(valueText(image.colouring.window.high, text.digits));
        if (text.lines == BarText::Lines::one) // the unit is in the middle
            return unit + betweenTexts + 2 * std::max(low, high) <= width;
        return low + high + betweenTexts <= width;
    });
}

BarText barTextFor(const Figure& figure, double width)
{
    using enum BarText::Lines;
    constexpr BarText tried[] = {
        {8, 3, one}, {8, 3, unitBelow}, {7, 3, unitBelow}, {6, 3, unitBelow}, {6, 2, unitBelow}};
    for (const BarText& each : tried)
        if (fits(figure, width, each))
            return each;
    return {};
}

Measures measuresOf(const Figure& figure, const DrawingLook& look)
{
    Measures measures;
    measures.columns = std::max(1, columnsOf(figure));
    measures.rows = (static_cast<int>(figure.images.size()) + measures.columns - 1) / measures.columns;
    measures.side = (look.widthMm * pointsPerMm - (measures.columns - 1) * betweenImages) / measures.columns;
    double width = 1, height = 1;
    for (const FigureImage& image : figure.images) {
        width = std::max(width, image.part.width());
        height = std::max(height, image.stretch * image.part.height());
    }
    measures.scale = measures.side / width;
    measures.imageHeight = measures.scale * height;
    if (look.titles) {
        measures.titleLetters = titleLettersFor(figure, measures.side);
        qsizetype lines = 1;
        for (const FigureImage& image : figure.images)
            lines = std::max(lines, titleLines(image, measures).size());
        measures.top = static_cast<double>(lines) * lineHeight * measures.titleLetters + belowTitle;
    }
    measures.rowHeight = measures.top + measures.imageHeight;
    if (look.colourBars) {
        measures.bar = barTextFor(figure, measures.side);
        measures.rowHeight += aboveColourBar + colourBarHeight + aboveColourText +
                              measures.bar.count() * lineHeight * measures.bar.letters;
    }
    return measures;
}

// The last line ends above the image.
void drawTitle(QPainter& painter, const QPointF& imageCorner, const FigureImage& image, const Measures& measures)
{
    painter.setPen(Qt::black);
    painter.setFont(figureFont(measures.titleLetters));
    const QStringList lines = titleLines(image, measures);
    const double high = lineHeight * measures.titleLetters;
    double top = imageCorner.y() - belowTitle - static_cast<double>(lines.size()) * high;
    for (const QString& line : lines) {
        painter.drawText(QRectF(imageCorner.x(), top, measures.side, high), Qt::AlignLeft | Qt::AlignVCenter, line);
        top += high;
    }
}

void drawColourBar(QPainter& painter, const QRectF& bar, const FigureImage& image, const BarText& text)
{
    QImage colours(256, 1, QImage::Format_RGB32);
    std::copy_n(image.colouring.colours.begin(), 256, reinterpret_cast<QRgb*>(colours.scanLine(0)));
    painter.drawImage(bar, colours);
    painter.setPen(QPen(Qt::black, 0.4));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar);
    const QFont font = figureFont(text.letters);
    painter.setFont(font);
    const double high = lineHeight * text.letters;
    const auto write = [&](int line, Qt::Alignment alignment, const QString& words) {
        painter.drawText(QRectF(bar.left(), bar.bottom() + aboveColourText + line * high, bar.width(), high),
                         alignment | Qt::AlignVCenter,
                         QFontMetricsF(font).elidedText(words, Qt::ElideRight, bar.width()));
    };
    write(0, Qt::AlignLeft, valueText(image.colouring.window.low, text.digits));
    write(text.lines == BarText::Lines::all ? 1 : 0, Qt::AlignRight,
          valueText(image.colouring.window.high, text.digits));
    write(text.count() - 1, Qt::AlignHCenter, image.unit);
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
    const double half = QFontMetricsF(painter.font()).horizontalAdvance(bar.text) / 2;
    const double middle = std::max(line.center().x(), place.left() + half + 3); // within the image
    text.addText(middle - half, line.top() - 3, painter.font(), bar.text);
    painter.setPen(QPen(Qt::black, 1.2));
    painter.drawPath(text);
    painter.fillPath(text, Qt::white);
}

void drawMarksOn(QPainter& painter, const QRectF& place, double scale, const FigureImage& image)
{
    const SavedPainter saved(painter);
    painter.setClipRect(place);
    QTransform toFigure;
    toFigure.translate(place.left(), place.top());
    toFigure.scale(scale, scale * image.stretch);
    toFigure.translate(0.5 - image.part.left(), 0.5 - image.part.top()); // pixel centres are whole numbers
    Overlay overlay{.marks = image.marks};
    overlay.marks.lineId = overlay.marks.areaId = 0; // the chosen ones have handles
    drawMarks(painter, overlay, toFigure, image.size, {});
}

// pictures: of the figure's images, one image pixel per pixel of the slice
void drawFigure(QPainter& painter, const QSizeF& size, const Figure& figure, const std::vector<QImage>& pictures,
                const DrawingLook& look)
{
    const Measures measures = measuresOf(figure, look);
    // The scale bar is in the first of the highest images that aren't stretched.
    const auto scaled = std::ranges::max_element(
        figure.images, {}, [](const FigureImage& image) { return image.stretch == 1 ? image.part.height() : 0; });
    painter.fillRect(QRectF(QPointF(), size), Qt::white);
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t k = 0; k < figure.images.size(); ++k) {
        const FigureImage& image = figure.images[k];
        const int row = static_cast<int>(k) / measures.columns, column = static_cast<int>(k) % measures.columns;
        const QRectF place(column * (measures.side + betweenImages),
                           row * (measures.rowHeight + betweenImages) + measures.top,
                           measures.scale * image.part.width(), measures.scale * image.stretch * image.part.height());
        if (look.titles)
            drawTitle(painter, place.topLeft(), image, measures);
        painter.drawImage(place, pictures[k], image.part);
        painter.setFont(figureFont(largestLetters));
        if (look.marks)
            drawMarksOn(painter, place, measures.scale, image);
        if (look.scaleBar && &image == &*scaled && image.stretch == 1)
            drawScaleBar(painter, place, measures.scale, image.pixelSizeMm);
        painter.setPen(Qt::black);
        if (look.colourBars)
            drawColourBar(
                painter,
                {place.left(), place.top() + measures.imageHeight + aboveColourBar, measures.side, colourBarHeight},
                image, measures.bar);
    }
}

} // namespace

QImage pictureOf(const FigureImage& image)
{
    return shade(image.pixels, image.colouring.window, image.colouring.colours);
}

int columnsOf(const Figure& figure)
{
    const auto count = static_cast<int>(figure.images.size());
    return figure.across > 0 ? std::min(figure.across, count) : count;
}

Drawing drawingOf(const Figure& figure)
{
    if (figure.images.empty())
        return {};
    return {.of = Drawing::Of::images,
            .name = QStringLiteral("figure"),
            .heightMm = [figure](const DrawingLook& look) { return measuresOf(figure, look).height() / pointsPerMm; },
            .draw =
                [figure, pictures = std::make_shared<std::vector<QImage>>()](QPainter& painter, const QSizeF& points,
                                                                             const DrawingLook& look) {
                    if (pictures->empty())
                        std::ranges::transform(figure.images, std::back_inserter(*pictures), pictureOf);
                    drawFigure(painter, points, figure, *pictures, look);
                }};
}

} // namespace ui
