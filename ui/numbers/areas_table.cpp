// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/numbers/areas_table.h"

#include "ui/widgets/displayed_number.h"

#include <QCoreApplication>

#include <cmath>

namespace ui
{

namespace
{

QString contrastDigits(double value, int digits)
{
    return std::isinf(value) ? QStringLiteral("∞") : significantText(value, digits);
}

void addContrasts(NumbersTable& table, const engine::Mark& background,
                  const std::vector<const engine::AreaStatistics*>& of)
{
    const engine::AreaStatistics* other = nullptr;
    for (std::size_t k = 0; k < of.size(); ++k)
        if (table.rows[k].id == background.id)
            other = of[k];
    std::vector<std::optional<double>> values;
    for (const engine::AreaStatistics* one : of)
        values.push_back(one && other && one != other ? std::optional(engine::contrastToNoise(*one, *other))
                                                      : std::nullopt);
    const QString name = QString::fromStdString(background.name);
    addColumn(table,
              {NumbersTable::tr("CNR to %1").arg(name),
               {},
               NumbersTable::tr("Contrast to noise: the difference of the means of each area and '%1', divided by the "
                                "root of the mean of both σ². Larger is easier to see.")
                   .arg(name)},
              values, contrastDigits);
    for (NumbersRow& row : table.rows)
        if (row.id == background.id)
            row.cells.back().explanation = NumbersTable::tr("Reference area for the contrasts of the others");
}

void addPixels(NumbersTable& table, const std::vector<const engine::AreaStatistics*>& of)
{
    table.columns.push_back({NumbersTable::tr("pixels"), {}, NumbersTable::tr("Pixels of the area")});
    for (std::size_t k = 0; k < of.size(); ++k) {
        NumbersCell cell;
        if (of[k]) {
            cell = {groupedText(of[k]->pixels), static_cast<double>(of[k]->pixels)};
            if (of[k]->notFinite > 0)
                cell.explanation = NumbersTable::tr("%1 of them are NaN or infinite and not counted")
                                       .arg(groupedText(of[k]->notFinite));
        }
        table.rows[k].cells.push_back(cell);
    }
}

} // namespace

NumbersTable areasTable(const Comparison& comparison, const engine::Marks& marks, const engine::Mark* background,
                        const AreaFiguresOf& figuresOf)
{
    NumbersTable table;
    table.isOfAreas = true;
    table.of = comparison.a().wholeTitle();
    table.against = comparison.referenceTitle();
    const Compared& chosen = comparison.a();
    const bool isReference = chosen.result && chosen.result == chosen.reference;
    std::vector<const engine::AreaStatistics*> statistics;
    std::vector<MetricsOfRow> measured;
    std::vector<QString> failures;
    if (comparison.hasResult())
        for (const engine::Mark* area : marks.areas()) {
            table.rows.push_back({area->id,
                                  0,
                                  QString::fromStdString(area->name),
                                  QString::fromStdString(engine::toText(area->shape)),
                                  {},
                                  area->visible});
            const LateArea late = figuresOf(*area);
            const engine::AreaFigures* figures = late.figures;
            statistics.push_back(figures ? &figures->statistics : nullptr);
            measured.push_back({figures && figures->metrics ? &*figures->metrics : nullptr, isReference});
            failures.push_back(late.failure);
        }
    const QString unit = unitOf(comparison);
    addStatistics(table, unit, statistics, true);
    if (background)
        addContrasts(table, *background, statistics);
    addMetrics(table, unit, measured);
    addPixels(table, statistics);
    for (std::size_t k = 0; k < table.rows.size(); ++k)
        if (!failures[k].isEmpty())
            for (NumbersCell& cell : table.rows[k].cells)
                cell.explanation = failures[k];
    return table;
}

} // namespace ui
