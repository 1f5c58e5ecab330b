// SPDX-License-Identifier: GPL-3.0-or-later
// A report's page as what stands on it, from top to bottom: one description, which becomes HTML and PDF. Plain text
// throughout, so that names are no markup.
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

struct Text {
    QString text;
    QString file = {}; // beside the page, that the words lead to
    bool isStrong = false;
};

struct Paragraph {
    std::vector<Text> texts;
    bool isQuiet = false;
};

struct Fact {
    QString name, value; // a fact without a value is left out
};

struct Facts {
    std::vector<Fact> facts;
};

struct Commands {
    QStringList lines; // for a shell
};

struct TableGroup {
    QString name; // may be empty
    int columns = 1;
};

struct TableColumn {
    QString name;
    QString unit = {};   // stands below
    bool isText = false; // numbers stand on the right
};

struct TableCell {
    QString text;
    QString below = {}; // smaller
};

struct TableRow {
    std::vector<TableCell> cells; // one a column
    QColor mark = {};             // of its curve, before the first
    bool isShaded = false;
};

struct Table {
    std::vector<TableGroup> groups; // over the columns; may be empty
    std::vector<TableColumn> columns;
    std::vector<TableRow> rows;
    QString caption;
};

struct ColourKey {
    std::vector<QRgb> colours; // evenly spread from low to high; none: no key
    QString low, high;
};

// Pixels, or a drawing of vectors, or a file beside the page; where there is none of them, its caption alone.
struct Picture {
    QImage image = {};
    QPicture drawing = QPicture();
    QSize drawn = {};         // of the drawing, in pixels of the screen
    QString file = {};        // beside an HTML page, which shows it instead of holding the picture
    QString linked = {};      // beside it too, where a click leads
    QString alternative = {}; // what it shows, for those who don't see it
    QString caption = {};
    ColourKey key = {};
};

// Beside each other under a title; never parted by the end of a page.
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

// One file of its own, but for the files that its pictures name. Well-formed as XML too.
QByteArray htmlOf(const Page& page);
// A4, its drawings as vectors. From any thread. Throws engine::Error(cancelled), and (output) where it can't be made.
QByteArray pdfOf(const Page& page, const std::stop_token& stop = {});

} // namespace ui
