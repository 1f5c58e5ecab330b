// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/speed/card_drawing.h"

#include "ui/speed/speed_rows.h"
#include "ui/widgets/displayed_number.h"
#include "ui/widgets/saved_painter.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>

namespace ui
{

namespace
{

const QColor quietInk(0x60, 0x60, 0x60), ink(0x18, 0x18, 0x18), barInk(0x2b, 0x6c, 0xb0);

QString cardText(const char* text)
{
    return QCoreApplication::translate("ui::Card", text);
}

// Draws from top to bottom; all sizes in shares of the width.
class CardPainter
{
  public:
    CardPainter(QPainter& painter, const QSizeF& points) : m_painter(painter), m_width(points.width())
    {
        painter.fillRect(QRectF(QPointF(), points), Qt::white);
    }

    void line(const QString& text, double size, const QColor& colour, bool isBold = false)
    {
        setFont(size, isBold);
        m_painter.setPen(colour);
        const QRectF place(margin * m_width, m_top, (1 - 2 * margin) * m_width, m_painter.fontMetrics().height() * 1.1);
        m_painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter,
                           m_painter.fontMetrics().elidedText(text, Qt::ElideRight, int(place.width())));
        m_top += place.height();
    }
    void gap(double size) { m_top += size * m_width; }

    void headings()
    {
        setFont(0.016, true);
        m_painter.setPen(quietInk);
        cell(speedColumn, cardText("GU/s"));
        cell(methodColumn, cardText("fastest"));
        cell(limitColumn, cardText("share of the limit"));
        cell(errorColumn, cardText("error"));
        m_top += 0.03 * m_width;
    }

    void row(const engine::BenchmarkRow& speed, double fastestGups)
    {
        setFont(0.021);
        m_painter.setPen(ink);
        cell(margin, QString::fromStdString(toText(speed.interpolation) + ", " + toText(speed.precision)));
        const double barLength = 0.155 * m_width * speed.kernelGups / fastestGups;
        m_painter.fillRect(QRectF((speedColumn + 0.075) * m_width, m_top + 0.006 * m_width, barLength, 0.018 * m_width),
                           barInk);
        cell(speedColumn, gupsText(speed.kernelGups));
        setFont(0.017);
        cell(methodColumn,
             speed.slicesPerPass > 1
                 ? cardText("%1, %2 slices").arg(QString::fromStdString(speed.method)).arg(speed.slicesPerPass)
                 : QString::fromStdString(speed.method));
        if (!speed.limits.empty())
            cell(limitColumn, QString::fromStdString(engine::limiterText(speed.kernelGups, speed.limits)));
        cell(errorColumn, errorText(speed.relativeError));
        m_top += 0.036 * m_width;
    }

  private:
    static constexpr double margin = 0.04, speedColumn = 0.25, methodColumn = 0.5, limitColumn = 0.67,
                            errorColumn = 0.87;

    void setFont(double size, bool isBold = false)
    {
        QFont font(QStringLiteral("sans-serif"));
        font.setStyleHint(QFont::SansSerif);
        font.setPixelSize(std::max(1, int(size * m_width)));
        font.setBold(isBold);
        m_painter.setFont(font);
    }
    void cell(double column, const QString& text)
    {
        m_painter.drawText(QRectF(column * m_width, m_top, (1 - column) * m_width, 0.03 * m_width),
                           Qt::AlignLeft | Qt::AlignVCenter, text);
    }

    QPainter& m_painter;
    const double m_width;
    double m_top = 0.03 * m_width;
};

void draw(QPainter& painter, const QSizeF& points, const engine::Benchmark& card)
{
    const SavedPainter saved(painter);
    CardPainter page(painter, points);
    page.line(cardText("Sinoscope on %1").arg(QString::fromStdString(card.device)), 0.036, ink, true);
    page.line(cardText("Back-projection of %1 × %1 pixels from %2 projections; GU/s: 10⁹ voxel updates per second")
                  .arg(card.options.size)
                  .arg(card.options.projections),
              0.018, quietInk);
    page.gap(0.02);
    page.headings();
    double fastest = 0;
    for (const engine::BenchmarkRow& row : card.rows)
        fastest = std::max(fastest, row.kernelGups);
    for (const engine::BenchmarkRow& row : card.rows)
        page.row(row, fastest);
    page.gap(0.02);
    page.line(cardText("2048³ voxels from 2048 projections, linear, from memory to memory: %1")
                  .arg(secondsText(engine::figureOf(card.figures, "secondsFor2048Cubed"))),
              0.021, ink);
    const double passes = engine::figureOf(card.figures, "measuredPasses");
    const double slices = engine::figureOf(card.figures, "measuredSlices");
    page.line(passes > 1
                  ? cardText("Measured with %1 slices in %2 passes, whose copies and kernels overlap; scaled by the "
                             "number of updates")
                        .arg(slices)
                        .arg(passes)
                  : cardText("Measured with a pass of %1 slices; scaled by the number of updates").arg(slices),
              0.015, quietInk);
    page.line(
        cardText("Error: RMSE against the exact method (linear interpolation, double precision), as a share of the "
                 "image's range"),
        0.015, quietInk);
    page.line(QString::fromStdString(card.command), 0.015, quietInk);
    page.line(cardText("Sinoscope %1, %2").arg(QString::fromStdString(card.version), QString::fromStdString(card.date)),
              0.015, quietInk);
}

} // namespace

Drawing drawingOf(const engine::Benchmark& card)
{
    return {
        .of = Drawing::Of::picture,
        .name = QStringLiteral("card"),
        .heightMm = [](const DrawingLook& look) { return cardShape * look.widthMm; },
        .draw = [card](QPainter& painter, const QSizeF& points, const DrawingLook&) { draw(painter, points, card); }};
}

} // namespace ui
