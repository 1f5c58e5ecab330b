// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/numbers/table_text.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace ui
{

namespace
{

QString literalMarkdown(const QString& text)
{
    QString made;
    for (const QChar c : text) {
        if (QStringLiteral("\\|*_`<>[]#").contains(c))
            made += u'\\';
        made += c == u'\n' ? u' ' : c;
    }
    return made;
}

QString literalLatex(const QString& text)
{
    static const std::pair<QChar, const char*> written[] = {{u'\\', "\\textbackslash{}"},
                                                            {u'~', "\\textasciitilde{}"},
                                                            {u'^', "\\textasciicircum{}"},
                                                            {u'&', "\\&"},
                                                            {u'%', "\\%"},
                                                            {u'$', "\\$"},
                                                            {u'#', "\\#"},
                                                            {u'_', "\\_"},
                                                            {u'{', "\\{"},
                                                            {u'}', "\\}"},
                                                            {u'−', "$-$"},
                                                            {u'·', "$\\cdot$"},
                                                            {u'×', "$\\times$"},
                                                            {u'∞', "$\\infty$"},
                                                            {u'σ', "$\\sigma$"},
                                                            {u'–', "--"},
                                                            {u'\n', " "},
                                                            {QChar(0x202f), "\\,"}};
    QString made;
    for (const QChar c : text) {
        const auto* found =
            std::find_if(std::begin(written), std::end(written), [c](const auto& one) { return one.first == c; });
        made += found == std::end(written) ? QString(c) : QString::fromLatin1(found->second);
    }
    return made;
}

// Writes "2.10e−4" as 2.10 × 10⁻⁴.
QString latexNumber(const QString& text)
{
    static const QRegularExpression power(QStringLiteral("^(−?)([0-9.]+)e(−?)([0-9]+)$"));
    const QRegularExpressionMatch match = power.match(text);
    if (!match.hasMatch())
        return literalLatex(text);
    const auto sign = [&](int group) { return match.captured(group).isEmpty() ? QString() : QStringLiteral("-"); };
    return QStringLiteral("$%1%2 \\times 10^{%3%4}$").arg(sign(1), match.captured(2), sign(3), match.captured(4));
}

} // namespace

QString csvQuoted(const QString& cell)
{
    if (!cell.contains(QRegularExpression(QStringLiteral("[\",\r\n]"))))
        return cell;
    return u'"' + QString(cell).replace(u'"', QLatin1String("\"\"")) + u'"';
}

QString csvNumber(double value)
{
    return std::isfinite(value) ? QString::number(value, 'g', 9) : QString();
}

QString csvText(const NumbersTable& table)
{
    QStringList headings{table.rowHeading(), table.descriptionHeading()};
    for (const NumbersColumn& column : table.columns) {
        const QString unit = column.unit.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(column.unit);
        headings << csvQuoted(column.isAgainst
                                  ? NumbersTable::tr("%1 against %2").arg(column.name, table.against) + unit
                                  : column.heading());
        if (column.isOfRuns)
            headings << csvQuoted(NumbersTable::tr("%1, least").arg(column.name) + unit)
                     << csvQuoted(NumbersTable::tr("%1, most").arg(column.name) + unit)
                     << csvQuoted(NumbersTable::tr("%1, runs").arg(column.name));
    }
    QString text = headings.join(u',') + u'\n';
    for (const NumbersRow& row : table.rows) {
        QStringList cells{csvQuoted(row.name), csvQuoted(row.description)};
        for (std::size_t k = 0; k < row.cells.size(); ++k) {
            const NumbersCell& cell = row.cells[k];
            cells << (cell.value ? csvNumber(*cell.value) : QString());
            if (table.columns[k].isOfRuns && cell.runs.count > 0)
                cells << csvNumber(cell.runs.least) << csvNumber(cell.runs.most) << QString::number(cell.runs.count);
            else if (table.columns[k].isOfRuns)
                cells << QString() << QString() << QString();
        }
        text += cells.join(u',') + u'\n';
    }
    return text;
}

QString markdownText(const NumbersTable& table)
{
    QString headings = QStringLiteral("| %1 | %2 |").arg(table.rowHeading(), table.descriptionHeading());
    QString rule = QStringLiteral("|---|---|");
    for (const NumbersColumn& column : table.columns) {
        headings += u' ' + literalMarkdown(column.heading()) + QStringLiteral(" |");
        rule += QStringLiteral("---:|");
    }
    QString text = literalMarkdown(table.caption()) + QStringLiteral("\n\n") + headings + u'\n' + rule + u'\n';
    for (const NumbersRow& row : table.rows) {
        text += QStringLiteral("| %1 | %2 |").arg(literalMarkdown(row.name), literalMarkdown(row.description));
        for (const NumbersCell& cell : row.cells)
            text += u' ' + literalMarkdown(cell.text) + QStringLiteral(" |");
        text += u'\n';
    }
    return text;
}

QString latexText(const NumbersTable& table)
{
    QStringList headings{literalLatex(table.rowHeading()), literalLatex(table.descriptionHeading())};
    for (const NumbersColumn& column : table.columns)
        headings << literalLatex(column.heading());
    const QString end = QStringLiteral(" \\\\\n");
    QString text =
        QStringLiteral(
            "% needs \\usepackage{booktabs,adjustbox}\n\\begin{table}\n\\caption{%1}\n\\begin{adjustbox}{max "
            "width=\\textwidth}\n"
            "\\begin{tabular}{ll%2}\n\\toprule\n")
            .arg(literalLatex(table.caption()), QString(static_cast<qsizetype>(table.columns.size()), u'r'));
    text += headings.join(QStringLiteral(" & ")) + end + QStringLiteral("\\midrule\n");
    for (const NumbersRow& row : table.rows) {
        QStringList cells{literalLatex(row.name), literalLatex(row.description)};
        for (const NumbersCell& cell : row.cells)
            cells << latexNumber(cell.text);
        text += cells.join(QStringLiteral(" & ")) + end;
    }
    return text + QStringLiteral("\\bottomrule\n\\end{tabular}\n\\end{adjustbox}\n\\end{table}\n");
}

} // namespace ui
