// SPDX-License-Identifier: GPL-3.0-or-later
// A page for a browser.
#include "ui/report/page.h"

#include <QBuffer>
#include <QPainter>

#include <algorithm>

namespace ui
{

namespace
{

constexpr int drawnTwice = 2; // pixels of a drawing per pixel of the screen

// Follows the reader's light or dark setting. The pictures keep their own white or black.
const char* const style = R"css(
:root { color-scheme: light dark; --text: #1c2226; --quiet: #626b72; --line: #d9dde0; --page: #ffffff; --panel: #f4f5f6; --accent: #0f6e84; }
@media (prefers-color-scheme: dark) { :root { --text: #e3e7ea; --quiet: #98a1a7; --line: #3a4045; --page: #1b1e20; --panel: #24282b; --accent: #5cc0d6; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1240px; padding: 2rem 1.5rem 4rem; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.7rem; font-weight: 600; margin: 0 0 .2rem; }
h2 { font-size: 1.15rem; font-weight: 600; margin: 2.4rem 0 .6rem; }
p { margin: .4rem 0; max-width: 50rem; }
.quiet, figcaption, caption { color: var(--quiet); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.2rem; margin: .8rem 0; }
dt { color: var(--quiet); } dd { margin: 0; max-width: 50rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; width: 100%; font-size: .86rem; }
caption { caption-side: bottom; text-align: left; padding-top: .5rem; font-size: .88rem; }
th, td { padding: .34rem .45rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; vertical-align: bottom; } small { font-weight: 400; color: var(--quiet); display: block; }
th.group { text-align: center; border-bottom: 2px solid var(--accent); }
th.words, td.words, th:first-child, td:first-child { text-align: left; white-space: normal; min-width: 9rem; }
tr.reference td { background: var(--panel); }
.mark { display: inline-block; width: .7em; height: .7em; margin-right: .5em; }
.pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(460px, 100%), 1fr)); gap: 1.6rem 1.4rem; }
.pair { break-inside: avoid; }
.pair h3 { font-size: 1rem; font-weight: 600; margin: 0 0 .4rem; }
.pair div.beside { display: grid; grid-template-columns: 1fr 1fr; gap: 6px; }
figure { margin: 0; } figure img { display: block; width: 100%; height: auto; }
.wide img { background: #fff; border: 1px solid var(--line); }
figcaption { font-size: .84rem; margin-top: .3rem; }
.key { display: flex; gap: .4em; align-items: center; white-space: nowrap; font-size: .78rem; color: var(--quiet); margin-top: .3rem; } .scale { flex: 1; height: .7em; border: 1px solid var(--line); }
pre { background: var(--panel); padding: .5rem .7rem; margin: .5rem 0; white-space: pre-wrap; font-size: .84rem; }
a { color: var(--accent); }
@media print { body { max-width: none; padding: 0; } .scroll { overflow: visible; } table { font-size: 7pt; } th, td { padding: .2rem .25rem; } th.words, td.words, th:first-child, td:first-child { min-width: 0; } tr, pre { break-inside: avoid; } h2 { break-after: avoid; } }
)css";

// Escapes text. Control characters become spaces, except those that XML can express.
QString html(QString text)
{
    for (QChar& c : text)
        if (c.unicode() < 0x20 && c != u'\n' && c != u'\t')
            c = u' ';
    return text.toHtmlEscaped();
}

QString gradient(const std::vector<QRgb>& colours)
{
    QStringList stops;
    for (const QRgb colour : colours)
        stops << QColor::fromRgb(colour).name();
    return QStringLiteral("linear-gradient(to right, %1)").arg(stops.join(QStringLiteral(", ")));
}

QString mark(const QColor& colour)
{
    return colour.isValid() ? QStringLiteral("<span class=\"mark\" style=\"background: %1\"></span>").arg(colour.name())
                            : QString();
}

QImage painted(const Picture& picture)
{
    if (picture.drawing.isNull())
        return picture.image;
    QImage image(picture.drawn * drawnTwice, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    painter.scale(drawnTwice, drawnTwice);
    painter.drawPicture(0, 0, picture.drawing);
    return image;
}

// Returns where the picture is: a file beside the page, or data in it.
QString sourceOf(const Picture& picture)
{
    if (!picture.file.isEmpty())
        return html(picture.file);
    QByteArray png;
    QBuffer buffer(&png);
    buffer.open(QIODevice::WriteOnly);
    painted(picture).save(&buffer, "PNG");
    return QStringLiteral("data:image/png;base64,") + QString::fromLatin1(png.toBase64());
}

QString cellHtml(const QString& name, const QString& attributes, const QString& text, const QString& below)
{
    const QString small = below.isEmpty() ? QString() : QStringLiteral("<small>%1</small>").arg(html(below));
    return u'<' + name + attributes + u'>' + text + small + QStringLiteral("</") + name + u'>';
}

struct HtmlWriter {
    QString made;

    void operator()(const Heading& heading)
    {
        made += QStringLiteral("<h2>") + html(heading.text) + QStringLiteral("</h2>\n");
    }

    void operator()(const Paragraph& paragraph)
    {
        made += paragraph.isQuiet ? QStringLiteral("<p class=\"quiet\">") : QStringLiteral("<p>");
        for (const TextSpan& text : paragraph.texts) {
            QString words = html(text.text);
            if (text.isStrong)
                words = QStringLiteral("<b>") + words + QStringLiteral("</b>");
            if (!text.file.isEmpty())
                words = QStringLiteral("<a href=\"") + html(text.file) + QStringLiteral("\">") + words +
                        QStringLiteral("</a>");
            made += words;
        }
        made += QStringLiteral("</p>\n");
    }

    void operator()(const Facts& facts)
    {
        made += QStringLiteral("<dl>\n");
        for (const Fact& fact : facts.facts)
            if (!fact.value.isEmpty())
                made += QStringLiteral("<dt>") + html(fact.name) + QStringLiteral("</dt><dd>") + html(fact.value) +
                        QStringLiteral("</dd>\n");
        made += QStringLiteral("</dl>\n");
    }

    void operator()(const Commands& commands)
    {
        for (const QString& line : commands.lines)
            made += QStringLiteral("<pre>") + html(line) + QStringLiteral("</pre>\n");
    }

    void operator()(const Table& table)
    {
        made += QStringLiteral("<div class=\"scroll\"><table>\n<caption>") + html(table.caption) +
                QStringLiteral("</caption>\n<thead>");
        if (!table.groups.empty())
            made += QStringLiteral("<tr>");
        for (const TableGroup& group : table.groups)
            made +=
                cellHtml(QStringLiteral("th"),
                         group.name.isEmpty() ? QStringLiteral(" colspan=\"%1\"").arg(group.columns)
                                              : QStringLiteral(" class=\"group\" colspan=\"%1\"").arg(group.columns),
                         html(group.name), {});
        made += table.groups.empty() ? QStringLiteral("<tr>") : QStringLiteral("</tr>\n<tr>");
        const auto classOf = [](const TableColumn& column) {
            return column.isText ? QStringLiteral(" class=\"words\"") : QString();
        };
        for (const TableColumn& column : table.columns)
            made += cellHtml(QStringLiteral("th"), classOf(column), html(column.name),
                             column.unit.isEmpty() ? QString(QChar(0xa0)) : column.unit);
        made += QStringLiteral("</tr></thead>\n<tbody>\n");
        for (const TableRow& row : table.rows) {
            made += row.isShaded ? QStringLiteral("<tr class=\"reference\">") : QStringLiteral("<tr>");
            for (std::size_t k = 0; k < row.cells.size(); ++k)
                made += cellHtml(QStringLiteral("td"), classOf(table.columns[k]),
                                 (k == 0 ? mark(row.mark) : QString()) + html(row.cells[k].text), row.cells[k].below);
            made += QStringLiteral("</tr>\n");
        }
        made += QStringLiteral("</tbody>\n</table></div>\n");
    }

    void operator()(const Gallery& gallery)
    {
        const bool isWide =
            std::ranges::all_of(gallery.groups, [](const PictureGroup& group) { return group.pictures.size() == 1; });
        made += isWide ? QStringLiteral("<div class=\"wide\">\n") : QStringLiteral("<div class=\"pictures\">\n");
        for (const PictureGroup& group : gallery.groups) {
            made += QStringLiteral("<section class=\"pair\">");
            if (!group.title.isEmpty())
                made += QStringLiteral("<h3>") + mark(group.mark) + html(group.title) + QStringLiteral("</h3>");
            made += isWide ? QStringLiteral("<div>\n") : QStringLiteral("<div class=\"beside\">\n");
            for (const Picture& picture : group.pictures)
                add(picture);
            made += QStringLiteral("</div></section>\n");
        }
        made += QStringLiteral("</div>\n");
    }

    void add(const Picture& picture)
    {
        made += QStringLiteral("<figure>");
        if (!picture.linked.isEmpty())
            made += QStringLiteral("<a href=\"") + html(picture.linked) + QStringLiteral("\">");
        if (!picture.file.isEmpty() || !picture.image.isNull() || !picture.drawing.isNull())
            made += QStringLiteral("<img src=\"") + sourceOf(picture) + QStringLiteral("\" alt=\"") +
                    html(picture.alternative) + QStringLiteral("\"/>");
        if (!picture.linked.isEmpty())
            made += QStringLiteral("</a>");
        if (!picture.key.colours.empty())
            made += QStringLiteral("<div class=\"key\">") + html(picture.key.low) +
                    QStringLiteral(" <span class=\"scale\" style=\"background: ") + gradient(picture.key.colours) +
                    QStringLiteral("\"></span> ") + html(picture.key.high) + QStringLiteral("</div>");
        if (!picture.caption.isEmpty())
            made += QStringLiteral("<figcaption>") + html(picture.caption) + QStringLiteral("</figcaption>");
        made += QStringLiteral("</figure>\n");
    }
};

} // namespace

QByteArray htmlOf(const Page& page)
{
    HtmlWriter writer;
    writer.made = QStringLiteral("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>") +
                  html(page.title) + QStringLiteral(" · Sinoscope report</title>\n<style>") +
                  QString::fromLatin1(style) + QStringLiteral("</style>\n</head>\n<body>\n<h1>") + html(page.title) +
                  QStringLiteral("</h1>\n<p class=\"quiet\">") + html(page.subtitle) + QStringLiteral("</p>\n");
    for (const Block& block : page.blocks)
        std::visit(writer, block);
    return (writer.made + QStringLiteral("</body>\n</html>\n")).toUtf8();
}

} // namespace ui
