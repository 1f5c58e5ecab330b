// SPDX-License-Identifier: GPL-3.0-or-later
// Layout of a page's blocks on sheets of A4, one below the other.
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

// Text laid out in lines, ready to be drawn.
struct Laid {
    std::unique_ptr<QTextLayout> layout;
    double width = 0, height = 0; // width of the widest line, height of all lines
};

// Layout of a page. Lengths are in pixels of the writer's resolution, those named points in 1/72 inch. A page is laid
// out twice: first without drawing, to count its sheets.
class PdfLayout
{
  public:
    // sheets: their total number; 0: nothing is drawn, the sheets are counted.
    PdfLayout(QPdfWriter& writer, QPainter& painter, const Page& page, int sheets, const std::stop_token& stop);

    int lay(); // lays out the whole page; returns the number of sheets

    void operator()(const Heading& heading);
    void operator()(const Paragraph& paragraph);
    void operator()(const Facts& facts);
    void operator()(const Commands& commands);
    void operator()(const Table& table); // in pdf_table.cpp
    void operator()(const Gallery& gallery);

  private:
    struct TableForm { // in pdf_table.cpp
        double points = 0;
        std::vector<double> widths; // of columns, including the gaps between them
    };

    double points(double length) const;
    QFont font(double size, bool isBold = false) const;
    // Lays out text within a width. A longer word is broken anywhere.
    Laid laid(const QString& text, const QFont& font, double width, Qt::Alignment side = Qt::AlignLeft,
              const QList<QTextLayout::FormatRange>& formats = {}) const;
    void draw(const Laid& words, double x, double y, const QColor& colour);
    void fill(const QRectF& rectangle, const QColor& colour);
    // Draws text from the present position, line by line over as many sheets as needed.
    void flow(const Laid& words, double x, const QColor& colour, const QColor& ground = {});
    void begin();           // begins a sheet
    void need(double room); // begins the next sheet unless this one has that much room
    double leastHeight(const Block& block);

    double heightOf(const PictureGroup& group) const;
    double pictureWidth(const PictureGroup& group) const;
    void draw(const PictureGroup& group);
    double draw(const Picture& picture, double x, double y, double width); // returns its height

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
    QRectF m_room; // of a sheet, without its margins and its footer
    double m_y = 0;
};

} // namespace ui
