// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks of a page laid out on sheets of A4, one below the other.
#pragma once

#include "ui/report/page.h"

#include <QFont>
#include <QRectF>
#include <QTextLayout>

#include <memory>

class QPainter;
class QPdfWriter;

namespace ui
{

// Words laid out in lines, ready to be drawn.
struct Laid {
    std::unique_ptr<QTextLayout> layout;
    double width = 0, height = 0; // of the widest line, of all
};

// Lengths are in pixels of the writer's resolution, those that are named in points of 1/72 inch. Laid out twice: once
// without drawing, to know how many sheets there are.
class PdfLayout
{
  public:
    // sheets: in all; 0: nothing is drawn, they are counted
    PdfLayout(QPdfWriter& writer, QPainter& painter, const Page& page, int sheets, const std::stop_token& stop);

    int lay(); // all of the page; gives the number of sheets

    void operator()(const Heading& heading);
    void operator()(const Paragraph& paragraph);
    void operator()(const Facts& facts);
    void operator()(const Commands& commands);
    void operator()(const Table& table); // pdf_table.cpp
    void operator()(const Gallery& gallery);

  private:
    struct TableForm { // pdf_table.cpp
        double points = 0;
        std::vector<double> widths; // of columns, with the room between them
    };

    double points(double length) const;
    QFont font(double size, bool isBold = false) const;
    // Within a width; broken anywhere where a word is longer.
    Laid laid(const QString& text, const QFont& font, double width, Qt::Alignment side = Qt::AlignLeft,
              const QList<QTextLayout::FormatRange>& formats = {}) const;
    void draw(const Laid& words, double x, double y, const QColor& colour);
    void fill(const QRectF& rectangle, const QColor& colour);
    // From here on, line by line over as many sheets as it takes.
    void flow(const Laid& words, double x, const QColor& colour, const QColor& ground = {});
    void begin();           // a sheet
    void need(double room); // on this sheet, or the next begins
    double leastHeight(const Block& block);

    double heightOf(const PictureGroup& group) const;
    double pictureWidth(const PictureGroup& group) const;
    void draw(const PictureGroup& group);
    double draw(const Picture& picture, double x, double y, double width); // its height

    TableForm formOf(const Table& table) const;
    std::vector<double> widthsOf(const Table& table, double points) const;
    double heightOfHead(const Table& table, const TableForm& form) const;
    void drawHead(const Table& table, const TableForm& form);
    void drawRow(const Table& table, const TableForm& form, const TableRow& row);
    double heightOf(const Table& table, const TableForm& form, const TableRow& row) const;

    QPdfWriter& m_writer;
    QPainter& m_painter;
    const Page& m_page;
    int m_sheets, m_sheet = 0;
    std::stop_token m_stop;
    QRectF m_room; // of a sheet, without its margins and its foot
    double m_y = 0;
};

} // namespace ui
