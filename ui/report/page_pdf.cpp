// SPDX-License-Identifier: GPL-3.0-or-later
// A page for paper: the page's HTML in the words of QTextDocument, which lays it out.
#include "engine/base/error.h"
#include "ui/report/page.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QEventLoop>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QTextDocument>
#include <QTextObjectInterface>
#include <QTextTable>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui
{

namespace
{

constexpr double largestTablePoints = 8.5, smallestTablePoints = 5.5, footPoints = 7.5, keyPoints = 6,
                 marginPoints = 42.5;
constexpr int leastTextWidth = 93;      // of a column, in pixels
constexpr double pairWidthPoints = 340; // so that three rows of square pictures stand on a sheet
const QColor ink(0x1c, 0x22, 0x26), quietInk(0x5a, 0x63, 0x6a);

// Lengths are in pixels. Headings have a size of their own, relative to the text.
const char* const paperStyle = R"css(
p, h1, pre { margin-top: 0px; margin-bottom: 0px; } p { margin-bottom: 5px; }
h2 { margin-top: 16px; margin-bottom: 5px; } h4 { margin-top: 0px; margin-bottom: 3px; }
.quiet, .small { color: #5a636a; } .caption { color: #5a636a; font-size: 7.5pt; margin-top: 1px; margin-bottom: 8px; }
.numbers td, .numbers th { border-bottom: 1px solid #d0d4d8; padding: 3px 5px 3px 4px; text-align: right; }
.numbers th { vertical-align: bottom; border-bottom-color: #5a636a; } .numbers th.group { text-align: center; border-bottom: 1px solid #0f6e84; }
.numbers td.words, .numbers th.words { text-align: left; white-space: normal; }
.numbers tr.reference td { background-color: #f2f3f4; }
.facts { margin-top: 5px; margin-bottom: 5px; } .facts td { padding-bottom: 2px; } .facts td.quiet { white-space: nowrap; padding-right: 16px; }
.pair { margin-bottom: 9px; } .pair td { padding-right: 8px; }
.command { margin-top: 3px; margin-bottom: 4px; } .command td { background-color: #f2f3f4; padding: 1px 6px; } pre { font-size: 7.5pt; white-space: pre-wrap; }
)css";

// What QTextDocument doesn't know, in what it knows.
QString inPaperWords(QString html)
{
    html.replace(
        QRegularExpression(QStringLiteral("<style>.*</style>"), QRegularExpression::DotMatchesEverythingOption),
        QStringLiteral("<style>") + QLatin1String(paperStyle) + QStringLiteral("</style>"));
    html.replace(QRegularExpression(QStringLiteral("<caption>(.*?)</caption>(.*?</table>)"),
                                    QRegularExpression::DotMatchesEverythingOption),
                 QStringLiteral("\\2<p class=\"caption\">\\1</p>"));
    html.replace(QRegularExpression(QStringLiteral("<span class=\"mark\" style=\"background: (#\\w+)\"></span>")),
                 QStringLiteral("<span style=\"color: \\1\">■\u00a0</span>"));
    for (const auto& [browser, paper] : std::initializer_list<std::pair<const char*, const char*>>{
             {"<div class=\"scroll\"><table>", "<div><table class=\"numbers\" width=\"100%\" cellspacing=\"0\">"},
             {"<small>", "<br/><span class=\"small\">"},
             {"</small>", "</span>"},
             {"<dl>", "<table class=\"facts\" cellspacing=\"0\">"},
             {"</dl>", "</table>"},
             {"<dt>", "<tr><td class=\"quiet\">"},
             {"</dt><dd>", "</td><td>"},
             {"</dd>", "</td></tr>"},
             {"<div>\n<figure>", "<table class=\"pair\" cellspacing=\"0\"><tr><figure>"},
             {"<h3>", "<h4>"},
             {"</h3>", "</h4>"},
             {"<div class=\"beside\">\n", "<table class=\"pair\" width=\"1\" cellspacing=\"0\"><tr>"},
             {"</div></section>", "</tr></table></section>"},
             {"<figure>", "<td>"},
             {"</figure>", "</td>"},
             {"<figcaption>", "<p class=\"caption\">"},
             {"</figcaption>", "</p>"},
             {"<pre>", "<table class=\"command\" width=\"100%\" cellspacing=\"0\"><tr><td><pre>"},
             {"</pre>", "</pre></td></tr></table>"}})
        html.replace(QLatin1String(browser), QLatin1String(paper));
    return html;
}

// Breaks a command before its options, so that it can be copied from the sheet. Lines have up to `longest` characters.
QString brokenForShell(const QString& command, double longest)
{
    static const QRegularExpression parts(QStringLiteral("(?: --)?(?:(?! --)[^'\\\\]|\\\\.|'[^']*'?)+"));
    QString made;
    qsizetype length = 0;
    for (auto match = parts.globalMatch(command); match.hasNext();) {
        const QString part = match.next().captured();
        if (length > 0 && length + part.size() + 2 > longest) {
            made += QStringLiteral(" \\\n   ");
            length = 3;
        }
        made += part;
        length += part.size();
    }
    return made;
}

// Pictures of a page with their keys. The HTML names them by their index.
class PaperPictures : public QObject, public QTextObjectInterface
{
  public:
    explicit PaperPictures(double point) : m_point(point) {}

    // Takes the picture, and leaves its name.
    void take(Picture& picture, double width, double height)
    {
        QSizeF size = picture.drawing.isNull() ? picture.image.size() : picture.drawn;
        if (size.isEmpty())
            return;
        size.scale(width, height, Qt::KeepAspectRatio);
        m_pictures.push_back({picture, size});
        picture.file = QString::number(m_pictures.size() - 1);
        picture.key = {};
    }

    void* qt_metacast(const char* name) override // as moc would write it, which doesn't see the interface's name
    {
        return qstrcmp(name, qobject_interface_iid<QTextObjectInterface*>()) == 0
                   ? static_cast<QTextObjectInterface*>(this)
                   : QObject::qt_metacast(name);
    }

    QSizeF intrinsicSize(QTextDocument*, int, const QTextFormat& format) override
    {
        const auto& [picture, size] = of(format);
        return size + QSizeF(0, picture.key.colours.empty() ? 0 : 12 * m_point);
    }

    void drawObject(QPainter* painter, const QRectF& place, QTextDocument*, int, const QTextFormat& format) override
    {
        const auto& [picture, size] = of(format);
        painter->save();
        painter->translate(place.topLeft());
        if (picture.drawing.isNull()) {
            painter->drawImage(QRectF({}, size), picture.image);
        } else {
            painter->scale(size.width() / picture.drawn.width(), size.height() / picture.drawn.height());
            painter->drawPicture(0, 0, picture.drawing);
        }
        painter->restore();
        if (!picture.key.colours.empty())
            draw(picture.key, *painter,
                 {place.left(), place.top() + size.height() + 3 * m_point, size.width(), 9 * m_point});
    }

  private:
    struct Placed {
        Picture picture;
        QSizeF size; // without the key
    };

    const Placed& of(const QTextFormat& format) const { return m_pictures.at(format.toImageFormat().name().toULong()); }

    void draw(const ColourKey& key, QPainter& painter, const QRectF& place) const
    {
        QFont font = painter.font();
        font.setPointSizeF(keyPoints);
        painter.setFont(font);
        painter.setPen(ink);
        painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, key.low);
        painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter, key.high);
        const QFontMetricsF metrics(font, painter.device());
        const QRectF strip = place.adjusted(metrics.horizontalAdvance(key.low) + 4 * m_point, 2 * m_point,
                                            -metrics.horizontalAdvance(key.high) - 4 * m_point, -2 * m_point);
        QLinearGradient gradient(strip.topLeft(), strip.topRight());
        for (std::size_t k = 0; k < key.colours.size(); ++k)
            gradient.setColorAt(static_cast<double>(k) / std::max(1.0, double(key.colours.size() - 1)),
                                QColor::fromRgb(key.colours[k]));
        painter.setPen(QPen(quietInk, 0.3 * m_point));
        painter.setBrush(gradient);
        painter.drawRect(strip);
    }

    double m_point; // in pixels
    std::vector<Placed> m_pictures;
};

// Takes the pictures from the page, and breaks its commands.
void prepare(Page& page, PaperPictures& pictures, const QSizeF& room, double point)
{
    for (Block& block : page.blocks) {
        if (auto* gallery = std::get_if<Gallery>(&block))
            for (PictureGroup& group : gallery->groups) {
                const auto count = static_cast<double>(group.pictures.size());
                const double width = count > 1 ? pairWidthPoints * point / count : room.width();
                for (Picture& picture : group.pictures) // about half a sheet high at most
                    pictures.take(picture, width, 0.55 * room.height());
            }
        else if (auto* commands = std::get_if<Commands>(&block))
            for (QString& line : commands->lines)
                line = brokenForShell(line, 105);
    }
}

// Sets the HTML. Each table has the largest font at which its numbers fit in one line, beside columns of text that have
// at least some width. If they don't fit in the smallest font, they are broken anywhere.
void setHtml(QTextDocument& document, const QString& html, double width)
{
    const QString table = QStringLiteral("<table class=\"numbers\"");
    const QStringList parts = html.split(table);
    std::vector<double> sizes(static_cast<std::size_t>(parts.size()), largestTablePoints);
    for (bool isFitting = true;;) {
        QString made = parts.front(), rules;
        for (qsizetype k = 1; k < parts.size(); ++k) {
            const double size = sizes[static_cast<std::size_t>(k)], points = std::max(size, smallestTablePoints);
            made += QStringLiteral("<table class=\"numbers t%1\"").arg(k) + parts[k];
            rules += QStringLiteral(
                         ".t%1 td, .t%1 th { font-size: %2pt; white-space: %3; }\n.t%1 .small { font-size: %4pt; }\n")
                         .arg(k)
                         .arg(points)
                         .arg(QLatin1String(size < smallestTablePoints ? "normal" : "nowrap"))
                         .arg(0.85 * points);
        }
        if (isFitting)
            made.replace(QStringLiteral("<th class=\"words\">"),
                         QStringLiteral("<th class=\"words\" width=\"%1\">").arg(leastTextWidth));
        document.setHtml(made.replace(QStringLiteral("</style>"), rules + QStringLiteral("</style>")));
        if (!std::exchange(isFitting, false))
            return;
        std::size_t k = 0;
        for (QTextFrame* frame : document.rootFrame()->childFrames()) {
            if (qobject_cast<QTextTable*>(frame)->format().headerRowCount() == 0)
                continue;
            const double is = document.documentLayout()->frameBoundingRect(frame).width();
            double& size = sizes.at(++k);
            if (is > width && size >= smallestTablePoints) {
                size = std::min(size - 0.5, std::floor(2 * size * width / is) / 2);
                isFitting = true;
            }
        }
    }
}

bool isHeading(const QTextFrame::iterator& at)
{
    return !at.currentFrame() && at.currentBlock().blockFormat().headingLevel() > 0;
}

QRectF placeOf(const QTextFrame::iterator& at, const QTextDocument& document)
{
    return at.currentFrame() ? document.documentLayout()->frameBoundingRect(at.currentFrame())
                             : document.documentLayout()->blockBoundingRect(at.currentBlock());
}

int sheetOf(double y, const QTextDocument& document)
{
    return static_cast<int>(y / document.pageSize().height());
}

QRectF placeOf(const QTextTableCell& cell)
{
    const QTextBlock block = cell.firstCursorPosition().block();
    return block.document()->documentLayout()->blockBoundingRect(block);
}

// Makes the row before each row that a page break would separate so high that it ends the sheet.
void breakBetweenRows(const QTextTable& table)
{
    QTextDocument& document = *table.document();
    const double sheetHeight = document.pageSize().height();
    for (int row = table.format().headerRowCount() + 1; row < table.rows(); ++row)
        for (int column = 0; column < table.columns(); ++column) {
            const QRectF place = placeOf(table.cellAt(row, column));
            const int sheet = sheetOf(place.top(), document);
            if (sheet == sheetOf(place.bottom(), document))
                continue;
            const double room =
                (sheet + 1) * sheetHeight - document.rootFrame()->frameFormat().bottomMargin() - place.top();
            QTextCursor edit(&document);
            edit.beginEditBlock();
            for (column = 0; column < table.columns(); ++column) {
                QTextTableCell cell = table.cellAt(row - 1, column);
                QTextTableCellFormat higher = cell.format().toTableCellFormat();
                higher.setBottomPadding(higher.bottomPadding() + std::max(0.0, room));
                cell.setFormat(higher);
            }
            edit.endEditBlock();
        }
}

// Begins a sheet before what a page break would separate: a row of a table, a group of pictures, a short command, and a
// heading from what follows, up to the first block that isn't a paragraph.
void breakWell(const QTextDocument& document, double point)
{
    for (auto at = document.rootFrame()->begin(); !at.atEnd(); ++at) {
        auto last = at;
        while (isHeading(at) && !last.atEnd() && !last.currentFrame())
            ++last;
        if (last.atEnd())
            return;
        const auto* table = qobject_cast<QTextTable*>(last.currentFrame());
        const int headRows = table ? table->format().headerRowCount() : 0;
        const double bottom = headRows > 0                  ? placeOf(table->cellAt(headRows, 0)).bottom()
                              : table && table->rows() == 1 ? placeOf(last, document).bottom()
                                                            : placeOf(last, document).top() + 36 * point;
        if (sheetOf(placeOf(at, document).top(), document) != sheetOf(bottom, document)) {
            QTextBlockFormat format;
            format.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
            QTextCursor(at.currentFrame() ? document.findBlock(at.currentFrame()->firstPosition() - 1)
                                          : at.currentBlock())
                .mergeBlockFormat(format);
        }
        if (headRows > 0)
            breakBetweenRows(*table);
    }
}

} // namespace

QByteArray pdfOf(const Page& page, const std::stop_token& stop)
{
    QByteArray made;
    QBuffer buffer(&made);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setTitle(page.title);
    writer.setCreator(QStringLiteral("Sinoscope"));
    // Resolution of the screen, for which drawings are recorded: their fonts in points keep their size.
    writer.setResolution(QPicture().logicalDpiX());
    writer.setPageSize(QPageSize(QPageSize::A4));
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    QPainter painter;
    if (!painter.begin(&writer))
        throw engine::Error(engine::ErrorKind::output, "the PDF can't be made; save HTML instead");
    painter.setRenderHint(QPainter::LosslessImageRendering);
    const double point = writer.logicalDpiX() / 72.0, margin = marginPoints * point, foot = footPoints * point;
    const QRectF room(margin, margin, writer.width() - 2 * margin, writer.height() - 2 * margin - 3 * foot);

    PaperPictures pictures(point);
    Page forPaper = page;
    prepare(forPaper, pictures, room.size(), point);
    const QEventLoop timers; // which the document starts; a thread that Qt didn't start has none
    QTextDocument document;
    QFont font(document.defaultFont());
    font.setPointSizeF(9);
    font.setHintingPreference(QFont::PreferNoHinting); // otherwise letters would be aligned to the pixels of a screen
    document.setDefaultFont(font);
    document.setDocumentMargin(0);
    QTextOption wrap;
    wrap.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    document.setDefaultTextOption(wrap);
    document.documentLayout()->setPaintDevice(&writer);
    document.documentLayout()->registerHandler(QTextFormat::ImageObject, &pictures);
    document.setTextWidth(room.width());
    setHtml(document, inPaperWords(QString::fromUtf8(htmlOf(forPaper))), room.width() + 1);
    document.setPageSize({double(writer.width()), double(writer.height())});
    QTextFrameFormat sheet = document.rootFrame()->frameFormat();
    sheet.setMargin(margin);
    sheet.setBottomMargin(margin + 3 * foot);
    document.rootFrame()->setFrameFormat(sheet);
    breakWell(document, point);
    const int sheets = document.pageCount();
    QFont small = font;
    small.setPointSizeF(footPoints);
    for (int sheet = 0; sheet < sheets; ++sheet) {
        if (stop.stop_requested())
            throw engine::Error(engine::ErrorKind::cancelled, "cancelled");
        if (sheet > 0)
            writer.newPage();
        QAbstractTextDocumentLayout::PaintContext context;
        context.clip = QRectF({0, sheet * document.pageSize().height()}, document.pageSize());
        context.palette.setColor(QPalette::Text, ink);
        painter.save();
        painter.translate(-context.clip.topLeft());
        painter.setClipRect(context.clip);
        document.documentLayout()->draw(&painter, context);
        painter.restore();
        painter.setFont(small);
        painter.setPen(quietInk);
        const QRectF below(room.left(), room.bottom() + foot, room.width(), 2 * foot);
        const QString title = QFontMetricsF(small, &writer).elidedText(page.title, Qt::ElideRight, 0.75 * room.width());
        painter.drawText(below, Qt::AlignLeft | Qt::AlignVCenter, title);
        painter.drawText(below, Qt::AlignRight | Qt::AlignVCenter,
                         QStringLiteral("%1 of %2").arg(sheet + 1).arg(sheets));
    }
    painter.end();
    return made;
}

} // namespace ui
