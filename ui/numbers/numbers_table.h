// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of numbers as values: a row for each setting (or area), a column for each figure, digits enough to tell rows
// apart.
#pragma once

#include "engine/compare/consistency.h"
#include "engine/compare/statistics.h"
#include "ui/numbers/tried_settings.h"

#include <QCoreApplication>

#include <functional>

namespace ui
{

struct NumbersColumn {
    QString name;    // "RMSE"
    QString unit;    // "1/pixel"; empty where it has none
    QString summary; // what it is, for a tooltip
    bool isOfRuns = false;
    bool isAgainst = false; // the reference

    QString heading() const { return unit.isEmpty() ? name : name + QStringLiteral(" (%1)").arg(unit); }
};

struct NumbersCell {
    QString text = QStringLiteral("–");
    std::optional<double> value = {};
    Spread runs = {};         // of columns of runs
    QString explanation = {}; // for a tooltip: why there is none, or what else it is
};

struct NumbersRow {
    int id = 0, colour = 0;
    QString name, description;
    std::vector<NumbersCell> cells; // one a column
    bool visible = true;            // of areas: drawn
};

struct NumbersTable {
    Q_DECLARE_TR_FUNCTIONS(ui::NumbersTable)
  public:
    QString against; // "exact, double precision, inside the disc of 90 % of the width"
    std::vector<NumbersColumn> columns;
    std::vector<NumbersRow> rows; // in the list's order
    bool isOfAreas = false;       // rows are areas of one image, described by their shapes; else settings
    QString of = {};              // that image: "A · cpu · linear · half"

    QString rowHeading() const;
    QString descriptionHeading() const;
    QString caption() const; // "Against …; speeds are medians of the runs of this session, with the least and the most"
};

// The width of an edge that the chosen line crosses, or why there is none.
struct EdgeWidth {
    std::optional<double> pixels;
    QString why = {};
};

// Figures of a setting's image that come late: null while they aren't known.
using StatisticsOf = std::function<const engine::AreaStatistics*(const Compared&)>;
using EdgeOf = std::function<const EdgeWidth*(const Compared&)>;
using ConsistencyOf = std::function<const engine::Consistency*(const Compared&)>;

// Of the visible settings and the chosen one.
NumbersTable numbersTable(const Comparison& comparison, const TriedSettings& tried, const StatisticsOf& statisticsOf,
                          const EdgeOf& edgeOf = {}, // none: without their columns
                          const ConsistencyOf& consistencyOf = {});

// What such tables have in common. Values: one a row.
void addColumn(NumbersTable& table, const NumbersColumn& column, const std::vector<std::optional<double>>& values,
               const std::function<QString(double value, int digits)>& write);
struct Measured {
    const engine::Metrics* metrics = nullptr; // null while there are none
    bool isReference = false;                 // what all are measured against
};
void addMetrics(NumbersTable& table, const QString& unit, const std::vector<Measured>& measured);
void addStatistics(NumbersTable& table, const QString& unit, const std::vector<const engine::AreaStatistics*>& of,
                   bool withMean);
QString unitOf(const Comparison& comparison); // of its images

// A column's numbers, all with as many digits: `least`, or as many more, up to 7, as tell those apart that differ.
// `write`: a number with so many digits.
std::vector<QString> distinctTexts(const std::vector<std::optional<double>>& values, int least,
                                   const std::function<QString(double value, int digits)>& write);

} // namespace ui
