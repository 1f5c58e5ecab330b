// SPDX-License-Identifier: GPL-3.0-or-later
// Tables on paper: as wide as the sheet, with their heads repeated on each sheet.
#include "ui/report/pdf_layout.h"

#include <QFontMetricsF>
#include <QPdfWriter>

#include <algorithm>
#include <numeric>

namespace ui
{

namespace
{

constexpr double largestPoints = 8.5, smallestPoints = 5.5, smaller = 0.85; // smaller: factor for text below
constexpr double gapPoints = 7, lineSpace = 2, leastTextPoints = 70, markPoints = 9;
const QColor tableInk(0x1c, 0x22, 0x26), tableQuiet(0x5a, 0x63, 0x6a), rule(0xd0, 0xd4, 0xd8),
    shadeInk(0xf2, 0xf3, 0xf4), accent(0x0f, 0x6e, 0x84);

bool hasMarks(const Table& table)
{
    return std::ranges::any_of(table.rows, [](const TableRow& row) { return row.mark.isValid(); });
}

double sumOf(const std::vector<double>& widths)
{
    return std::accumulate(widths.begin(), widths.end(), 0.0);
}

Qt::Alignment sideOf(const Table& table, std::size_t column)
{
    return column == 0 || table.columns[column].isText ? Qt::AlignLeft : Qt::AlignRight;
}

} // namespace

// Returns the widths of columns with their text in one line.
std::vector<double> PdfLayout::widthsOf(const Table& table, double size) const
{
    const QFontMetricsF body(font(size), &m_writer), small(font(smaller * size), &m_writer),
        bold(font(size, true), &m_writer);
    std::vector<double> widths;
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
        const TableColumn& column = table.columns[k];
        double width = std::max(bold.horizontalAdvance(column.name), small.horizontalAdvance(column.unit));
        for (const TableRow& row : table.rows)
            width = std::max(
                {width, body.horizontalAdvance(row.cells[k].text), small.horizontalAdvance(row.cells[k].below)});
        if (k == 0 && hasMarks(table))
            width += points(markPoints);
        widths.push_back(width + points(gapPoints + 1.5)); // with a reserve for rounding
    }
    return widths;
}

// Returns the largest font size at which all numbers stand in one line; text may take several.
PdfLayout::TableForm PdfLayout::formOf(const Table& table) const
{
    const double room = m_room.width();
    for (double size = largestPoints;; size -= 0.5) {
        std::vector<double> widths = widthsOf(table, size);
        double over = sumOf(widths) - room;
        std::vector<double> spare(widths.size(), 0);
        for (std::size_t k = 0; k < widths.size(); ++k)
            if (sideOf(table, k) == Qt::AlignLeft)
                spare[k] = std::max(0.0, widths[k] - points(leastTextPoints));
        const double spared = sumOf(spare);
        const bool isLast = size <= smallestPoints;
        if (over > spared && !isLast)
            continue;
        if (over > 0)
            for (std::size_t k = 0; k < widths.size(); ++k)
                widths[k] -= spared > 0 ? spare[k] * std::min(1.0, over / spared) : 0;
        over = sumOf(widths) - room;
        for (double& width : widths) // room that is left is shared out; text that still doesn't fit is broken
            width = over > 0 ? width * room / (room + over) : width - over / static_cast<double>(widths.size());
        return {size, widths};
    }
}

double PdfLayout::heightOf(const Table& table, const TableForm& form, const TableRow& row) const
{
    double tallest = 0;
    for (std::size_t k = 0; k < row.cells.size(); ++k) {
        const double width = form.widths[k] - points(gapPoints) - (k == 0 && hasMarks(table) ? points(markPoints) : 0);
        double height = laid(row.cells[k].text, font(form.points), width).height;
        if (!row.cells[k].below.isEmpty())
            height += laid(row.cells[k].below, font(smaller * form.points), width).height;
        tallest = std::max(tallest, height);
    }
    return tallest + 2 * points(lineSpace);
}

void PdfLayout::drawRow(const Table& table, const TableForm& form, const TableRow& row)
{
    const double height = heightOf(table, form, row);
    if (row.isShaded)
        fill({m_room.left(), m_y, m_room.width(), height}, shadeInk);
    double x = m_room.left();
    for (std::size_t k = 0; k < row.cells.size(); ++k) {
        const double before = k == 0 && hasMarks(table) ? points(markPoints) : 0;
        const double left = x + before + (k == 0 ? 0 : points(gapPoints));
        const double width = form.widths[k] - before - points(gapPoints);
        const Laid text = laid(row.cells[k].text, font(form.points), width, sideOf(table, k));
        draw(text, left, m_y + points(lineSpace), tableInk);
        if (k == 0 && row.mark.isValid())
            fill({x, m_y + points(lineSpace) + 0.25 * points(form.points), 0.7 * points(form.points),
                  0.7 * points(form.points)},
                 row.mark);
        if (!row.cells[k].below.isEmpty())
            draw(laid(row.cells[k].below, font(smaller * form.points), width, sideOf(table, k)), left,
                 m_y + points(lineSpace) + text.height, tableQuiet);
        x += form.widths[k];
    }
    m_y += height;
    fill({m_room.left(), m_y, m_room.width(), points(0.4)}, rule);
}

double PdfLayout::heightOfHead(const Table& table, const TableForm& form) const
{
    double names = 0, units = 0;
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
        const double width = form.widths[k] - points(gapPoints);
        names = std::max(names, laid(table.columns[k].name, font(form.points, true), width).height);
        if (!table.columns[k].unit.isEmpty())
            units = std::max(units, laid(table.columns[k].unit, font(smaller * form.points), width).height);
    }
    const double groups =
        table.groups.empty() ? 0 : laid(QStringLiteral("A"), font(form.points), 100).height + points(4);
    return groups + names + units + points(lineSpace);
}

void PdfLayout::drawHead(const Table& table, const TableForm& form)
{
    double x = m_room.left();
    std::size_t first = 0;
    double tallest = 0;
    for (const TableGroup& group : table.groups) {
        double width = 0;
        for (int k = 0; k < group.columns; ++k)
            width += form.widths[first++];
        const Laid name = laid(group.name, font(form.points, true), width - points(gapPoints), Qt::AlignHCenter);
        draw(name, x + points(gapPoints), m_y, tableInk);
        if (!group.name.isEmpty())
            fill({x + points(gapPoints), m_y + name.height + points(1), width - points(gapPoints), points(0.8)},
                 accent);
        tallest = std::max(tallest, name.height + points(4));
        x += width;
    }
    const double bottom = m_y + heightOfHead(table, form) - points(lineSpace);
    m_y += tallest;
    double units = 0;
    for (const TableColumn& column : table.columns)
        if (!column.unit.isEmpty())
            units = std::max(units, laid(column.unit, font(smaller * form.points), points(500)).height);
    x = m_room.left();
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
        const double left = x + (k == 0 ? 0 : points(gapPoints)), width = form.widths[k] - points(gapPoints);
        const Laid name = laid(table.columns[k].name, font(form.points, true), width, sideOf(table, k));
        draw(name, left, bottom - units - name.height, tableInk);
        if (!table.columns[k].unit.isEmpty())
            draw(laid(table.columns[k].unit, font(smaller * form.points), width, sideOf(table, k)), left,
                 bottom - units, tableQuiet);
        x += form.widths[k];
    }
    m_y = bottom + points(lineSpace);
    fill({m_room.left(), m_y, m_room.width(), points(0.8)}, tableQuiet);
}

void PdfLayout::operator()(const Table& table)
{
    if (table.rows.empty())
        return;
    const TableForm form = formOf(table);
    need(heightOfHead(table, form) + heightOf(table, form, table.rows.front()));
    drawHead(table, form);
    for (const TableRow& row : table.rows) {
        if (m_y + heightOf(table, form, row) > m_room.bottom()) {
            begin();
            drawHead(table, form);
        }
        drawRow(table, form, row);
    }
    m_y += points(4);
    if (!table.caption.isEmpty())
        flow(laid(table.caption, font(7.5), m_room.width()), m_room.left(), tableQuiet);
    m_y += points(4);
}

} // namespace ui
