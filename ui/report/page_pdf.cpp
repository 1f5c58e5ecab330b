// SPDX-License-Identifier: GPL-3.0-or-later
// A page for paper.
#include "engine/base/error.h"
#include "ui/report/pdf_layout.h"

#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

constexpr double marginMm = 15, footMm = 8, pictureGapPoints = 6;
constexpr double bodyPoints = 9, smallPoints = 7.5, keyPoints = 6;
constexpr double pairWidthMm = 120; // so that three rows of square pictures stand on a sheet
const QColor ink(0x1c, 0x22, 0x26), quietInk(0x5a, 0x63, 0x6a), ground(0xf2, 0xf3, 0xf4);

// Splits a command into parts that may begin a line: "program --a 1", "--b 'a --c'".
QStringList partsForShell(const QString& line)
{
    QStringList parts{QString()};
    bool isQuoted = false;
    for (qsizetype k = 0; k < line.size(); ++k) {
        isQuoted ^= line[k] == u'\'';
        if (!isQuoted && QStringView(line).mid(k).startsWith(QLatin1String(" --")))
            parts << QString();
        else
            parts.back() += line[k];
    }
    return parts;
}

// Breaks a command before its options, so that it can be copied from the sheet.
QString brokenForShell(const QString& line, const QFontMetricsF& metrics, double width)
{
    QStringList made;
    QString now;
    const QString end = QStringLiteral(" \\");
    for (const QString& part : partsForShell(line)) {
        const QString longer = now.isEmpty() ? part : now + u' ' + part;
        if (now.isEmpty() || metrics.horizontalAdvance(longer + end) <= width) {
            now = longer;
            continue;
        }
        made << now + end;
        now = QStringLiteral("    ") + part;
    }
    return (made << now).join(QChar::LineSeparator);
}

} // namespace

PdfLayout::PdfLayout(QPdfWriter& writer, QPainter& painter, const Page& page, int sheets, const std::stop_token& stop)
    : m_writer(writer), m_painter(painter), m_page(page), m_sheets(sheets), m_stop(stop)
{
    const auto mm = [this](double length) { return points(length / 25.4 * 72); };
    m_room = QRectF(QPointF(mm(marginMm), mm(marginMm)),
                    QPointF(writer.width() - mm(marginMm), writer.height() - mm(marginMm + footMm)));
}

double PdfLayout::points(double length) const
{
    return length / 72 * m_writer.logicalDpiX();
}

QFont PdfLayout::font(double size, bool isBold) const
{
    QFont font;
    font.setPointSizeF(size);
    font.setBold(isBold);
    font.setHintingPreference(QFont::PreferNoHinting); // otherwise letters would be aligned to the pixels of a screen
    return font;
}

Laid PdfLayout::laid(const QString& text, const QFont& font, double width, Qt::Alignment side,
                     const QList<QTextLayout::FormatRange>& formats) const
{
    Laid made{std::make_unique<QTextLayout>(text, font, &m_writer)};
    QTextOption option(side);
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    made.layout->setTextOption(option);
    made.layout->setFormats(formats);
    made.layout->beginLayout();
    for (QTextLine line = made.layout->createLine(); line.isValid(); line = made.layout->createLine()) {
        line.setLineWidth(width);
        line.setPosition({0, made.height});
        made.width = std::max(made.width, line.naturalTextWidth());
        made.height += line.height();
    }
    made.layout->endLayout();
    return made;
}

void PdfLayout::draw(const Laid& words, double x, double y, const QColor& colour)
{
    if (m_sheets == 0)
        return;
    m_painter.setPen(colour);
    words.layout->draw(&m_painter, {x, y});
}

void PdfLayout::fill(const QRectF& rectangle, const QColor& colour)
{
    if (m_sheets > 0)
        m_painter.fillRect(rectangle, colour);
}

void PdfLayout::flow(const Laid& words, double x, const QColor& colour, const QColor& behind)
{
    for (int k = 0; k < words.layout->lineCount(); ++k) {
        const QTextLine line = words.layout->lineAt(k);
        need(line.height());
        if (behind.isValid())
            fill({m_room.left(), m_y, m_room.width(), line.height() + 0.5}, behind);
        if (m_sheets > 0) {
            m_painter.setPen(colour);
            line.draw(&m_painter, {x, m_y - line.y()});
        }
        m_y += line.height();
    }
}

void PdfLayout::begin()
{
    if (m_stop.stop_requested())
        throw engine::Error(engine::ErrorKind::cancelled, "cancelled");
    if (m_sheet++ > 0 && m_sheets > 0)
        m_writer.newPage();
    m_y = m_room.top();
    if (m_sheets == 0)
        return;
    const double y = m_room.bottom() + points(12), half = m_room.width() / 2;
    const QString title =
        QFontMetricsF(font(smallPoints), &m_writer).elidedText(m_page.title, Qt::ElideRight, 1.5 * half);
    draw(laid(title, font(smallPoints), 2 * half), m_room.left(), y, quietInk);
    draw(laid(QStringLiteral("%1 of %2").arg(m_sheet).arg(m_sheets), font(smallPoints), half, Qt::AlignRight),
         m_room.left() + half, y, quietInk);
}

void PdfLayout::need(double room)
{
    if (m_y + room > m_room.bottom() && m_y > m_room.top())
        begin();
}

// Returns the height that must follow a heading, so that it isn't left alone at the end of a sheet.
double PdfLayout::leastHeight(const Block& block)
{
    if (const auto* gallery = std::get_if<Gallery>(&block); gallery && !gallery->groups.empty())
        return heightOf(gallery->groups.front());
    if (const auto* table = std::get_if<Table>(&block); table && !table->rows.empty()) {
        const TableForm form = formOf(*table);
        return heightOfHead(*table, form) + heightOf(*table, form, table->rows.front());
    }
    return points(36);
}

int PdfLayout::lay()
{
    begin();
    flow(laid(m_page.title, font(16, true), m_room.width()), m_room.left(), ink);
    flow(laid(m_page.subtitle, font(bodyPoints), m_room.width()), m_room.left(), quietInk);
    m_y += points(4);
    for (std::size_t k = 0; k < m_page.blocks.size(); ++k) {
        double together = points(30); // a heading and what follows, up to the first block that isn't a paragraph
        for (std::size_t next = k + 1; std::holds_alternative<Heading>(m_page.blocks[k]) && next < m_page.blocks.size();
             ++next) {
            together += leastHeight(m_page.blocks[next]);
            if (!std::holds_alternative<Paragraph>(m_page.blocks[next])) {
                need(together);
                break;
            }
        }
        std::visit(*this, m_page.blocks[k]);
    }
    return m_sheet;
}

void PdfLayout::operator()(const Heading& heading)
{
    if (m_y > m_room.top())
        m_y += points(12);
    flow(laid(heading.text, font(12, true), m_room.width()), m_room.left(), ink);
    m_y += points(4);
}

void PdfLayout::operator()(const Paragraph& paragraph)
{
    QString whole;
    QList<QTextLayout::FormatRange> formats;
    for (const TextSpan& text : paragraph.texts) {
        QTextLayout::FormatRange range{static_cast<int>(whole.size()), static_cast<int>(text.text.size()), {}};
        range.format.setFontWeight(text.isStrong ? QFont::Bold : QFont::Normal);
        formats << range;
        whole += text.text;
    }
    flow(laid(whole, font(bodyPoints), m_room.width(), Qt::AlignLeft, formats), m_room.left(),
         paragraph.isQuiet ? quietInk : ink);
    m_y += points(4);
}

void PdfLayout::operator()(const Facts& facts)
{
    const QFont body = font(bodyPoints);
    const QFontMetricsF metrics(body, &m_writer);
    double names = 0;
    for (const Fact& fact : facts.facts)
        if (!fact.value.isEmpty())
            names = std::max(names, metrics.horizontalAdvance(fact.name));
    names = std::min(names + points(12), m_room.width() / 3);
    for (const Fact& fact : facts.facts) {
        if (fact.value.isEmpty())
            continue;
        const Laid name = laid(fact.name, body, names - points(6));
        need(name.height);
        draw(name, m_room.left(), m_y, quietInk);
        flow(laid(fact.value, body, m_room.width() - names), m_room.left() + names, ink);
        m_y += points(1.5);
    }
    m_y += points(4);
}

void PdfLayout::operator()(const Commands& commands)
{
    QFont fixed = font(smallPoints);
    fixed.setFamily(QStringLiteral("monospace"));
    fixed.setStyleHint(QFont::Monospace);
    const double inside = points(5), width = m_room.width() - 2 * inside;
    for (const QString& line : commands.lines) {
        const Laid broken = laid(brokenForShell(line, QFontMetricsF(fixed, &m_writer), width), fixed, width);
        need(std::min(broken.height, 0.3 * m_room.height()));
        flow(broken, m_room.left() + inside, ink, ground);
        m_y += points(5);
    }
}

double PdfLayout::pictureWidth(const PictureGroup& group) const
{
    const double count = std::max(1.0, static_cast<double>(group.pictures.size()));
    const double whole = count > 1 ? points(pairWidthMm / 25.4 * 72) : m_room.width();
    double width = (std::min(whole, m_room.width()) - points(pictureGapPoints) * (count - 1)) / count;
    for (const Picture& picture : group.pictures) { // about half a sheet high at most
        const QSize size = picture.drawing.isNull() ? picture.image.size() : picture.drawn;
        if (size.height() > 0)
            width = std::min(width, 0.55 * m_room.height() * size.width() / size.height());
    }
    return width;
}

double PdfLayout::draw(const Picture& picture, double x, double y, double width)
{
    const double begun = y;
    const QSize size = picture.drawing.isNull() ? picture.image.size() : picture.drawn;
    if (!size.isEmpty()) {
        const QRectF place(x, y, width, width * size.height() / size.width());
        if (m_sheets > 0 && !picture.drawing.isNull()) {
            m_painter.save();
            m_painter.translate(place.topLeft());
            m_painter.scale(place.width() / size.width(), place.height() / size.height());
            m_painter.drawPicture(0, 0, picture.drawing);
            m_painter.restore();
        } else if (m_sheets > 0) {
            m_painter.drawImage(place, picture.image);
        }
        y += place.height();
    }
    if (!picture.key.colours.empty()) {
        const Laid low = laid(picture.key.low, font(keyPoints), width);
        const Laid high = laid(picture.key.high, font(keyPoints), width);
        const double room = points(4), bar = points(5), top = y + points(3);
        const QRectF strip(x + low.width + room, top + (low.height - bar) / 2,
                           std::max(points(10), width - low.width - high.width - 2 * room), bar);
        QLinearGradient gradient(strip.topLeft(), strip.topRight());
        for (std::size_t k = 0; k < picture.key.colours.size(); ++k)
            gradient.setColorAt(static_cast<double>(k) / std::max(1.0, double(picture.key.colours.size() - 1)),
                                QColor::fromRgb(picture.key.colours[k]));
        if (m_sheets > 0) {
            m_painter.fillRect(strip, gradient);
            m_painter.setPen(QPen(quietInk, points(0.3)));
            m_painter.setBrush(Qt::NoBrush);
            m_painter.drawRect(strip);
        }
        draw(low, x, top, ink);
        draw(high, strip.right() + room, top, ink);
        y = top + low.height;
    }
    if (!picture.caption.isEmpty()) {
        const Laid caption = laid(picture.caption, font(smallPoints), width);
        draw(caption, x, y + points(1), quietInk);
        y += points(1) + caption.height;
    }
    return y - begun;
}

double PdfLayout::heightOf(const PictureGroup& group) const
{
    const double width = pictureWidth(group);
    double tallest = 0;
    PdfLayout counting(m_writer, m_painter, m_page, 0, m_stop);
    for (const Picture& picture : group.pictures)
        tallest = std::max(tallest, counting.draw(picture, 0, 0, width));
    return tallest + (group.title.isEmpty() ? 0 : laid(group.title, font(bodyPoints, true), m_room.width()).height) +
           points(2);
}

void PdfLayout::draw(const PictureGroup& group)
{
    need(heightOf(group));
    if (!group.title.isEmpty()) {
        const double size = points(6.5), before = group.mark.isValid() ? size + points(4) : 0;
        const Laid title = laid(group.title, font(bodyPoints, true), m_room.width() - before);
        if (group.mark.isValid())
            fill({m_room.left(), m_y + points(3), size, size}, group.mark);
        draw(title, m_room.left() + before, m_y, ink);
        m_y += title.height + points(2);
    }
    const double width = pictureWidth(group);
    double tallest = 0, x = m_room.left();
    for (const Picture& picture : group.pictures) {
        tallest = std::max(tallest, draw(picture, x, m_y, width));
        x += width + points(pictureGapPoints);
    }
    m_y += tallest;
}

void PdfLayout::operator()(const Gallery& gallery)
{
    for (const PictureGroup& group : gallery.groups) {
        draw(group);
        m_y += points(7);
    }
}

QByteArray pdfOf(const Page& page, const std::stop_token& stop)
{
    QByteArray made;
    int sheets = 0;
    for (const bool isCounting : {true, false}) {
        made.clear();
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
        sheets = PdfLayout(writer, painter, page, isCounting ? 0 : sheets, stop).lay();
        painter.end();
    }
    return made;
}

} // namespace ui
