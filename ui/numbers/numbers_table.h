// The table of numbers as values: a row for each setting, a column for each figure, digits enough to tell rows apart.
#pragma once

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
    Spread runs = {}; // of columns of runs
};

struct NumbersRow {
    int id = 0, colour = 0;
    QString name, description;
    std::vector<NumbersCell> cells; // one a column
};

struct NumbersTable {
    Q_DECLARE_TR_FUNCTIONS(ui::NumbersTable)
  public:
    QString against; // "exact, double precision, inside the disc of 90 % of the width"
    std::vector<NumbersColumn> columns;
    std::vector<NumbersRow> rows; // in the list's order

    QString caption() const; // "Against …; speeds are medians of the runs of this session, with the least and the most"
};

// The noise of a setting's image: null while it isn't known.
using NoiseOf = std::function<const engine::AreaStatistics*(const Compared&)>;

// Of the visible settings and the chosen one.
NumbersTable numbersTable(const Comparison& comparison, const TriedSettings& tried, const NoiseOf& noiseOf);

// A column's numbers, all with as many digits: `least`, or as many more, up to 7, as tell those apart that differ.
// `write`: a number with so many digits.
std::vector<QString> distinctTexts(const std::vector<std::optional<double>>& values, int least,
                                   const std::function<QString(double value, int digits)>& write);

} // namespace ui
