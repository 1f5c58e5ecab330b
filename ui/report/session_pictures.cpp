// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/session_pictures.h"

#include "engine/base/error.h"
#include "ui/image/image_statistics.h"
#include "ui/image/overlay.h"
#include "ui/image/pixel_scale.h"
#include "ui/numbers/speed_quality_plot.h"
#include "ui/profile/profile_plot.h"
#include "ui/report/report_facts.h"
#include "ui/widgets/curve_colours.h"
#include "ui/widgets/displayed_number.h"
#include "ui/widgets/plot_drawing.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

constexpr int edgePixels = 768;          // longest edge of a picture
constexpr qsizetype longestCaption = 40; // characters of a name
constexpr QSize plotSize(900, 560);      // of profiles
constexpr QSize cloudSize(900, 460);     // of speed and quality

struct Drawn {
    QImage image;
    double scale = 1; // pixels of the picture per pixel of the slice
    QPointF origin;   // position of the slice's first pixel in the picture
    QPointF at(double x, double y) const { return origin + scale * QPointF(x, y); }
};

Drawn drawn(const Pixels& pixels, const GreyWindow& window, const ColourTable& colours)
{
    const QRectF area = pixels.area();
    const double longest = std::max(area.width(), area.height());
    double scale = edgePixels / longest;
    if (scale > 1)
        scale = std::floor(scale); // a whole factor keeps pixels square
    const QPointF offset = -scale * area.topLeft();
    const QSize size(qRound(scale * area.width()), qRound(scale * area.height()));
    return {shade(resample(pixels, scale, offset, size), window, colours).convertToFormat(QImage::Format_RGB32), scale,
            offset};
}

// Draws in the lower right corner, white on black.
void drawScaleBar(Drawn& picture, const std::optional<double>& pixelSizeMm)
{
    QPainter painter(&picture.image);
    painter.setRenderHint(QPainter::Antialiasing);
    QFont font;
    font.setPixelSize(std::max(9, picture.image.width() / 30));
    painter.setFont(font);
    const ScaleBar bar = scaleBar(picture.scale, pixelSizeMm, picture.image.width() / 4.0);
    const QFontMetricsF metrics(font);
    const double room = metrics.height() / 3, thick = std::max(2.0, picture.image.width() / 160.0);
    const double width = std::max(bar.length, metrics.horizontalAdvance(bar.text)) + 2 * room;
    const QRectF plate(picture.image.width() - width - room,
                       picture.image.height() - metrics.height() - thick - 3 * room, width,
                       metrics.height() + thick + 2 * room);
    painter.fillRect(plate, QColor(0, 0, 0, 170));
    painter.setPen(Qt::white);
    painter.drawText(plate.adjusted(0, room / 2, 0, 0), Qt::AlignHCenter | Qt::AlignTop, bar.text);
    painter.fillRect(QRectF(plate.center().x() - bar.length / 2, plate.bottom() - room - thick, bar.length, thick),
                     Qt::white);
}

// Draws the lines of the profiles and the areas of the figures, as the window does.
void drawMarks(Drawn& picture, const SessionResults& results, const engine::SliceGrid& grid)
{
    QPainter painter(&picture.image);
    painter.setRenderHint(QPainter::Antialiasing);
    Overlay overlay{results.session.marks};
    for (engine::Mark& one : overlay.marks.marks)
        one.visible = one.visible || one.id == overlay.marks.areaId || one.id == overlay.marks.lineId;
    QFont font;
    font.setPixelSize(std::max(9, picture.image.width() / 40));
    painter.setFont(font);
    const QTransform toPicture(picture.scale, 0, 0, picture.scale, picture.origin.x(), picture.origin.y());
    ui::drawMarks(painter, overlay, toPicture, grid.size, {});
}

std::vector<QRgb> stopsOf(const ColourTable& colours)
{
    std::vector<QRgb> stops;
    for (int k = 0; k <= 8; ++k)
        stops.push_back(colours[static_cast<std::size_t>(qRound(k * 255 / 8.0))]);
    return stops;
}

const ColourTable& greys()
{
    return colourMaps().front().colours;
}

Pixels differenceOf(const Comparison& comparison, const Compared& one)
{
    return Pixels::difference(Pixels(comparison.planeOf(one)), Pixels(comparison.referenceOf(one)));
}

Picture slicePicture(const GridSlice& plane, const PictureScales& scales, const SessionResults& results, bool isMarked)
{
    Drawn picture = drawn(Pixels(plane), {scales.black, scales.white}, greys());
    if (isMarked)
        drawMarks(picture, results, plane.grid);
    drawScaleBar(picture, results.scan->pixelSizeMm());
    return {.image = picture.image,
            .key = {stopsOf(greys()), fourDigitsText(scales.black), fourDigitsText(scales.white) + u' ' + scales.unit}};
}

Picture differencePicture(const Comparison& comparison, const Compared& one, const PictureScales& scales,
                          const SessionResults& results)
{
    const Pixels pixels = differenceOf(comparison, one);
    const QString name = shortened(one.name, longestCaption) + QStringLiteral(" − ") +
                         shortened(comparison.referenceName(), longestCaption);
    if (!pixels)
        return {.caption = name + QStringLiteral(": the images have different pixels.")};
    const double own = automaticRange(sampleDisc(pixels), PictureScales::share);
    const bool isOwn = own * PictureScales::finest < scales.difference;
    const double scale = isOwn ? own : scales.difference;
    Drawn picture = drawn(pixels, {-scale, scale}, differenceColours());
    drawScaleBar(picture, results.scan->pixelSizeMm());
    const bool isEqual = one.metrics && one.metrics->maximum == 0;
    const QString figures = isEqual ? QStringLiteral(": identical in the area")
                            : one.metrics
                                ? QStringLiteral(": RMSE %1, largest %2 %3")
                                      .arg(errorText(one.metrics->rmse), errorText(one.metrics->maximum), scales.unit)
                                : QString();
    return {.image = picture.image,
            .alternative = QStringLiteral("The difference ") + name,
            .caption = name + figures + (isOwn ? QStringLiteral(". A scale of its own") : QString()),
            .key = {stopsOf(differenceColours()), QStringLiteral("−") + errorText(scale),
                    QStringLiteral("+") + errorText(scale) + u' ' + scales.unit}};
}

// Names the settings with that reference: "A, C"; empty if all have it.
QString ownersOf(const Comparison& comparison, const Image& reference)
{
    QStringList names;
    for (const Compared& one : comparison.compared)
        if (one.reference == reference)
            names << shortened(one.name, longestCaption);
    return names.size() == qsizetype(comparison.compared.size()) ? QString() : names.join(QStringLiteral(", "));
}

Picture pictureOf(Plot& plot, const QSize& size, const std::function<void()>& fill)
{
    return {.drawing = recorded(plot, size, fill), .drawn = size};
}

// Returns " Edge width, 10–90 %: A 2.31 px, exact 2.10 px." for the curves that cross one clear edge.
QString edgesText(const ProfileCurves& curves)
{
    const QStringList parts = edgeWidthTexts(curves);
    return parts.isEmpty() ? QString()
                           : QStringLiteral(" Edge width, 10–90 %: %1.").arg(parts.join(QStringLiteral(", ")));
}

Picture profileOf(const SessionResults& results, const engine::Mark& line)
{
    ProfilePlot plot(true);
    const ProfileCurves curves = profileCurves(results.comparison, line);
    plot.setLogarithmic(true);
    Picture made = pictureOf(plot, plotSize, [&] { plot.setCurves(curves); });
    made.alternative = QStringLiteral("Values along the line, and absolute differences");
    made.caption =
        QString::fromStdString(line.name) + QStringLiteral(": ") +
        QStringLiteral("Values along the %1 in pixels of the slice%2, and below the absolute difference of each "
                       "setting to its reference, on a logarithmic scale.%3")
            .arg(QString::fromStdString(engine::toText(line.shape)),
                 line.width > 1 ? QStringLiteral(", the mean over %1 pixels across it").arg(line.width) : QString(),
                 edgesText(curves));
    return made;
}

Picture speedQualityOf(const SessionResults& results)
{
    SpeedQualityPlot plot;
    plot.setPalette(paperPalette());
    Picture made = pictureOf(plot, cloudSize, [&] { plot.show(results.comparison, results.tried); });
    made.alternative = QStringLiteral("Error over speed of every setting that was tried");
    made.caption =
        QStringLiteral("RMSE against ") + againstText(results.comparison) +
        QStringLiteral(
            ", over the median speed of back-projection. The line joins the settings that no other setting beats in "
            "both speed and error. ");
    if (std::ranges::any_of(plot.dots(), [](const TriedDot& dot) { return dot.id == 0; }))
        made.caption += QStringLiteral("Hollow: tried before, and changed, hidden or removed since. ");
    return made;
}

} // namespace

SessionDrawings drawingsOf(const SessionResults& results)
{
    SessionDrawings made;
    for (const engine::Mark& line : results.lines)
        made.profiles.push_back(profileOf(results, line));
    made.speedQuality = speedQualityOf(results);
    return made;
}

PictureScales scalesOf(const SessionResults& results)
{
    const Comparison& comparison = results.comparison;
    const GreyWindow window = automaticWindow(sampleDisc(Pixels(comparison.planeA())));
    PictureScales scales{window.low, window.high, 0, QString::fromStdString(comparison.a().result->unit)};
    for (const Compared& one : comparison.compared)
        if (const Pixels pixels = differenceOf(comparison, one); pixels && one.result != one.reference)
            scales.difference = std::max(scales.difference, automaticRange(sampleDisc(pixels), PictureScales::share));
    if (!(scales.difference > 0))
        scales.difference = 1e-6;
    return scales;
}

Gallery imagesOf(const SessionResults& results, const PictureScales& scales, const std::stop_token& stop)
{
    const Comparison& comparison = results.comparison;
    Gallery gallery;
    std::vector<Image> references;
    for (const Compared& one : comparison.compared) {
        if (stop.stop_requested())
            throw engine::Error(engine::ErrorKind::cancelled, "cancelled");
        const bool isReference = one.result == one.reference;
        Picture slice = slicePicture(comparison.planeOf(one), scales, results, isReference);
        slice.alternative = QStringLiteral("The slice with ") + one.name;
        PictureGroup group{shortened(one.name, 4 * longestCaption) + QStringLiteral(" · ") + one.description(),
                           settingColour(paperPalette(), one.colour),
                           {}};
        if (isReference) {
            slice.caption =
                shortened(one.name, longestCaption) +
                QStringLiteral(": the reference, with the line of the profiles and the outline of the area");
            group.pictures = {slice, {}};
        } else {
            group.pictures = {slice, differencePicture(comparison, one, scales, results)};
        }
        gallery.groups.push_back(std::move(group));
        if (!isReference && std::ranges::find(references, one.reference) == references.end() &&
            std::ranges::none_of(comparison.compared,
                                 [&](const Compared& other) { return other.result == one.reference; }))
            references.push_back(one.reference);
    }
    for (std::size_t k = 0; k < references.size(); ++k) {
        const QString owners = ownersOf(comparison, references[k]);
        Picture slice = slicePicture(planeOf(references[k], comparison.slice, {}), scales, results, true);
        slice.alternative = QStringLiteral("The reference");
        slice.caption = comparison.referenceName() + (owners.isEmpty() ? QString() : QStringLiteral(", of ") + owners) +
                        QStringLiteral(": the reference, with the line of the profiles (its filled end is the "
                                       "beginning) and the outline of the area of the figures");
        if (k % 2 == 0) // two references side by side
            gallery.groups.push_back({comparison.referenceTitle(), {}, {{}, {}}});
        gallery.groups.back().pictures[k % 2] = slice;
    }
    return gallery;
}

} // namespace ui
