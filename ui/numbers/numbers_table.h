// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of numbers as values: one row per setting (or area), one column per figure, and enough digits to tell rows
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
    QString unit;    // "1/pixel"; empty if it has none
    QString summary; // explanation for a tooltip
    bool isOfRuns = false;
    bool isAgainst = false; // measured against the reference

    QString heading() const { return unit.isEmpty() ? name : name + QStringLiteral(" (%1)").arg(unit); }
};

struct NumbersCell {
    QString text = QStringLiteral("–");
    std::optional<double> value = {};
    engine::Spread runs = {}; // only in columns of runs
    QString explanation = {}; // for a tooltip: why there is no value, or more about it
};

struct NumbersRow {
    int id = 0, colour = 0;
    QString name, description;
    std::vector<NumbersCell> cells; // one per column
    bool visible = true;            // for areas: whether it is drawn
};

struct NumbersTable {
    Q_DECLARE_TR_FUNCTIONS(ui::NumbersTable)
  public:
    QString against; // "exact, double precision, inside the disc of 90 % of the width"
    std::vector<NumbersColumn> columns;
    std::vector<NumbersRow> rows; // in the order of the list
    bool isOfAreas = false;       // rows are areas of one image, described by their shapes; else settings
    QString of = {};              // image of the areas: "A · cpu · linear · half"

    QString rowHeading() const;
    QString descriptionHeading() const;
    QString caption() const; // "Against …. Speeds are medians of the runs of this session, with their quartiles."
};

// Width of the edge that the chosen line crosses, or why there is none.
struct EdgeWidth {
    std::optional<double> pixels;
    QString why = {};
};

// Figures of a setting's image that are computed late; null while they are unknown.
using StatisticsOf = std::function<const engine::AreaStatistics*(const Compared&)>;
using EdgeOf = std::function<const EdgeWidth*(const Compared&)>;
using ConsistencyOf = std::function<const engine::Consistency*(const Compared&)>;

// Returns the table of the visible settings, the chosen one and the one that others are measured against.
NumbersTable numbersTable(const Comparison& comparison, const TriedSettings& tried, const StatisticsOf& statisticsOf,
                          const EdgeOf& edgeOf = {}, // empty functions: without their columns
                          const ConsistencyOf& consistencyOf = {});

// Add columns to a table. values: one per row.
void addColumn(NumbersTable& table, const NumbersColumn& column, const std::vector<std::optional<double>>& values,
               const std::function<QString(double value, int digits)>& write);
struct MetricsOfRow {
    const engine::Metrics* metrics = nullptr; // null: there are none
    bool isReference = false;                 // the image is its own reference
};
void addMetrics(NumbersTable& table, const QString& unit, const std::vector<MetricsOfRow>& measured);
void addStatistics(NumbersTable& table, const QString& unit, const std::vector<const engine::AreaStatistics*>& of,
                   bool withMean);
QString unitOf(const Comparison& comparison); // unit of its images

// Writes the numbers of a column with the same number of digits: `least`, or as many more, up to 7, as are needed to
// tell different ones apart. write: writes a number with that many digits.
std::vector<QString> distinctTexts(const std::vector<std::optional<double>>& values, int least,
                                   const std::function<QString(double value, int digits)>& write);

} // namespace ui
