// SPDX-License-Identifier: GPL-3.0-or-later
// A report's page as a list of blocks, from top to bottom: one description, which becomes HTML and PDF. All text is
// plain, so that names are never interpreted as markup.
#pragma once

#include <QByteArray>
#include <QColor>
#include <QImage>
#include <QPicture>
#include <QSize>
#include <QString>
#include <QStringList>

#include <stop_token>
#include <variant>
#include <vector>

namespace ui
{

struct Heading {
    QString text;
};

struct TextSpan {
    QString text;
    QString file = {}; // file beside the page that the text links to
    bool isStrong = false;
};

struct Paragraph {
    std::vector<TextSpan> texts;
    bool isQuiet = false;
};

struct Fact {
    QString name, value; // a fact without a value is left out
};

struct Facts {
    std::vector<Fact> facts;
};

struct Commands {
    QStringList lines; // shell commands
};

struct TableGroup {
    QString name; // may be empty
    int columns = 1;
};

struct TableColumn {
    QString name;
    QString unit = {};   // below the name
    bool isText = false; // left-aligned; numbers are right-aligned
};

struct TableCell {
    QString text;
    QString below = {}; // smaller text below
};

struct TableRow {
    std::vector<TableCell> cells; // one per column
    QColor mark = {};             // colour of its curve, before the first cell
    bool isShaded = false;
};

struct Table {
    std::vector<TableGroup> groups; // headings over groups of columns; may be empty
    std::vector<TableColumn> columns;
    std::vector<TableRow> rows;
    QString caption;
};

struct ColourKey {
    std::vector<QRgb> colours; // evenly spread from low to high; empty: no key
    QString low, high;
};

// Pixels, a vector drawing, or a file beside the page. Without any of them, only the caption is shown.
struct Picture {
    QImage image = {};
    QPicture drawing = QPicture();
    QSize drawn = {};         // size of the drawing, in pixels of the screen
    QString file = {};        // file beside an HTML page, shown instead of an embedded picture
    QString linked = {};      // file beside the HTML page that a click opens
    QString alternative = {}; // description for those who don't see the picture
    QString caption = {};
    ColourKey key = {};
};

// Pictures side by side under a title. A page break never separates them.
struct PictureGroup {
    QString title;
    QColor mark = {};
    std::vector<Picture> pictures = {};
};

struct Gallery {
    std::vector<PictureGroup> groups;
};

using Block = std::variant<Heading, Paragraph, Facts, Commands, Table, Gallery>;

struct Page {
    QString title, subtitle;
    std::vector<Block> blocks;
};

// Returns a single file, apart from the files that its pictures name. It is well-formed XML, too.
QByteArray htmlOf(const Page& page);
// Returns A4 sheets with vector drawings. Runs in any thread. Throws engine::Error(cancelled), and (output) if the
// PDF can't be made.
QByteArray pdfOf(const Page& page, const std::stop_token& stop = {});

} // namespace ui
