// SPDX-License-Identifier: GPL-3.0-or-later
// What charts of horizontal bars draw on and beside a bar: marks, the spread of its runs, its error.
#pragma once

#include "engine/measure/speed_spread.h"

#include <QFontMetrics>
#include <QPainter>
#include <QPalette>
#include <QString>

#include <optional>
#include <vector>

namespace ui
{

enum class BarMark { hollow, filled };
void drawDiamond(QPainter& painter, QPointF middle, double size, const QPalette& palette, BarMark mark);

// The runs of a bar: quartiles as a box; as whiskers the slowest and the fastest run, but at most 1.5 lengths of the
// box beyond it, so that a single odd run doesn't stretch the chart.
struct SpreadBox {
    double least, lower, upper, most;
};
SpreadBox boxOf(const engine::Spread& spread);
// box: positions on the painter.
void drawSpread(QPainter& painter, const SpreadBox& box, double middle, double height, const QPalette& palette);

// A column of errors beside a chart: a dot for each bar on a logarithmic scale of whole powers of ten, and the number.
// An error of 0 is a bar without a difference, and has no dot.
class ErrorColumn
{
  public:
    ErrorColumn() = default;
    explicit ErrorColumn(std::vector<std::optional<double>> errors);

    bool isShown() const { return m_isShown; } // whether an error is known
    // Returns the width of the column in a chart of this width; 0: it isn't shown.
    int width(const QFontMetrics& metrics, int chart) const;
    // Draws the ends of the scale and the name above the rows.
    void drawHeading(QPainter& painter, const QRect& line, const QString& name, const QPalette& palette) const;
    void drawRow(QPainter& painter, const QRect& line, std::size_t row, const QPalette& palette) const;
    static QString textOf(const std::optional<double>& error); // "2.10e−4", "identical", "–"

  private:
    double placeOf(double error) const; // 0…1

    std::vector<std::optional<double>> m_errors;
    bool m_isShown = false;
    int m_lowest = 0, m_highest = 1; // powers of ten
};

} // namespace ui
