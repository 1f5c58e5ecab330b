// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/numbers/numbers_table.h"

#include "ui/widgets/displayed_number.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <set>

namespace ui
{

namespace
{

constexpr int mostDigits = 7; // significant digits of a float

struct RunsColumn {
    const char *name, *unit, *summary;
    engine::Spread Speeds::*figure;
    bool saysRange = false; // whether cells show the quartiles; one column suffices: all have a similar relative spread
};

constexpr RunsColumn runsColumns[] = {
    {QT_TRANSLATE_NOOP("ui::NumbersTable", "kernel"), "GU/s",
     QT_TRANSLATE_NOOP("ui::NumbersTable",
                       "Back-projection alone, without filter, conversions and transfers: billion updates "
                       "per second. The median of the runs, in which the settings took turns, with the quartiles: "
                       "half of the runs lie between them."),
     &Speeds::kernelGups, true},
    {QT_TRANSLATE_NOOP("ui::NumbersTable", "total"), "GU/s",
     QT_TRANSLATE_NOOP("ui::NumbersTable", "From projections in memory to the image in memory, with filter, "
                                           "conversions and transfers. The median of the runs, in which the settings "
                                           "took turns."),
     &Speeds::totalGups},
    {QT_TRANSLATE_NOOP("ui::NumbersTable", "time"), "s",
     QT_TRANSLATE_NOOP("ui::NumbersTable", "From projections in memory to the image in memory. The median of the runs, "
                                           "in which the settings took turns."),
     &Speeds::totalSeconds}};

// Writes three digits: runs differ by more than further digits would show.
QString medianText(const engine::Spread& spread, bool saysRange)
{
    const auto text = [](double value) { return significantText(value, 3); };
    const QString median = text(spread.median), lower = text(spread.lower), upper = text(spread.upper);
    if (saysRange && spread.count == 1)
        return NumbersTable::tr("%1 (1 run)").arg(median);
    return !saysRange || lower == upper ? median : QStringLiteral("%1 (%2–%3)").arg(median, lower, upper);
}

QString fixedText(double value, int decimals)
{
    if (std::isinf(value))
        return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
    return QString::number(value, 'f', decimals).replace(u'-', QChar(0x2212));
}

// Writes "61.2" with three digits.
QString decibelDigits(double value, int digits)
{
    return fixedText(value, digits - 2);
}

// Writes "0.9998" with three digits; never rounds up to 1.
QString similarityDigits(double value, int digits)
{
    const QString text = value < 1 ? fixedText(value, digits + 1) : QStringLiteral("1");
    return value < 1 && text.startsWith(u'1') ? ssimText(value) : text;
}

// Errors and noise span powers of ten: all numbers of a column have an exponent, or none has, so that they can be
// read one below the other.
std::function<QString(double, int)> writerOf(engine::MetricRow::Form form,
                                             const std::vector<std::optional<double>>& values)
{
    using Form = engine::MetricRow::Form;
    if (form != Form::difference)
        return form == Form::decibels ? decibelDigits : similarityDigits;
    const bool hasPower = std::ranges::any_of(
        values, [](const std::optional<double>& value) { return value && significantText(*value, 3).contains(u'e'); });
    return hasPower ? powerText : significantText;
}

void addRuns(NumbersTable& table, const Comparison& comparison, const TriedSettings& tried)
{
    for (const RunsColumn& column : runsColumns)
        table.columns.push_back({NumbersTable::tr(column.name), QString::fromUtf8(column.unit),
                                 NumbersTable::tr(column.summary), true, false});
    for (std::size_t k = 0; k < table.rows.size(); ++k) {
        const Speeds speeds = tried.speeds(comparison.compared[k]);
        for (const RunsColumn& column : runsColumns) {
            const engine::Spread& spread = speeds.*column.figure;
            const bool isThere = spread.count > 0 && spread.median > 0;
            table.rows[k].cells.push_back(
                isThere ? NumbersCell{medianText(spread, column.saysRange), spread.median, spread} : NumbersCell{});
        }
    }
}

void addEdgeWidths(NumbersTable& table, const Comparison& comparison, const EdgeOf& edgeOf)
{
    const std::shared_ptr<const engine::Scan> scan =
        comparison.hasResult() ? comparison.a().result->request.scan : nullptr;
    const double size = (scan ? scan->pixelSizeMm() : std::nullopt).value_or(0);
    std::vector<std::optional<double>> values;
    for (const Compared& one : comparison.compared) {
        const EdgeWidth* edge = edgeOf(one);
        values.push_back(edge && edge->pixels ? std::optional(*edge->pixels * (size > 0 ? size : 1)) : std::nullopt);
    }
    addColumn(table,
              {NumbersTable::tr("edge width"), size > 0 ? QStringLiteral("mm") : QStringLiteral("pixels"),
               NumbersTable::tr("From 10 to 90 % of the edge that the chosen line crosses: 2.56·σ of a Gaussian blur. "
                                "Smaller is sharper.")},
              values, writerOf(engine::MetricRow::Form::difference, values));
    for (std::size_t k = 0; k < table.rows.size(); ++k)
        if (const EdgeWidth* edge = edgeOf(comparison.compared[k]); edge && !edge->pixels)
            table.rows[k].cells.back().explanation = edge->why;
}

void addConsistency(NumbersTable& table, const Comparison& comparison, const ConsistencyOf& consistencyOf)
{
    const std::shared_ptr<const engine::Scan> scan =
        comparison.hasResult() ? comparison.a().result->request.scan : nullptr;
    const double size = (scan ? scan->pixelSizeMm() : std::nullopt).value_or(0);
    std::vector<std::optional<double>> resolutions, residuals;
    for (const Compared& one : comparison.compared) {
        const engine::Consistency* of = consistencyOf(one);
        resolutions.push_back(of && of->halves && std::isfinite(of->resolutionPixels)
                                  ? std::optional(of->resolutionPixels * (size > 0 ? size : 1))
                                  : std::nullopt);
        residuals.push_back(of && of->residual ? std::optional(100 * *of->residual) : std::nullopt);
    }
    const auto explainMissing = [&](const std::vector<std::optional<double>>& values, const auto& why) {
        for (std::size_t k = 0; k < table.rows.size(); ++k)
            if (const engine::Consistency* of = consistencyOf(comparison.compared[k]); of && !values[k])
                table.rows[k].cells.back().explanation = why(*of);
    };
    const auto write = [](const std::vector<std::optional<double>>& values) {
        return writerOf(engine::MetricRow::Form::difference, values);
    };
    addColumn(table,
              {NumbersTable::tr("resolution"), size > 0 ? QStringLiteral("mm") : QStringLiteral("pixels"),
               NumbersTable::tr(
                   "Finest detail on which the images of the even and of the odd projections agree: below it, their "
                   "Fourier ring correlation falls below half a bit. For the whole slice, without a reference. It "
                   "shows what differs between the halves (noise, too few projections), and hardly what both share "
                   "(blur, rings, a wrong axis). The finest possible value is 2 pixels.")},
              resolutions, write(resolutions));
    explainMissing(resolutions,
                   [](const engine::Consistency& of) { return QString::fromStdString(of.whyNoResolution); });
    addColumn(table,
              {NumbersTable::tr("residual"), QStringLiteral("%"),
               NumbersTable::tr("Share of the projections that the slice doesn't explain: the disc of the slice "
                                "that all projections see is reprojected, and the root mean square of the difference "
                                "is divided by that of the projections. Without a reference. Blur and a wrong axis "
                                "raise it while noise is low. Much noise hides them: then the sharpest image, which "
                                "follows the noise, has the smallest.")},
              residuals, write(residuals));
    explainMissing(residuals, [](const engine::Consistency& of) { return QString::fromStdString(of.whyNoResidual); });
}

} // namespace

std::vector<QString> distinctTexts(const std::vector<std::optional<double>>& values, int least,
                                   const std::function<QString(double, int)>& write)
{
    std::set<double> different;
    for (const auto& value : values)
        if (value && std::isfinite(*value))
            different.insert(*value);
    int digits = least;
    for (; digits < mostDigits; ++digits) {
        std::set<QString> texts;
        for (const double value : different)
            texts.insert(write(value, digits));
        if (texts.size() == different.size())
            break;
    }
    std::vector<QString> texts;
    for (const auto& value : values)
        texts.push_back(value && !std::isnan(*value) ? write(*value, digits) : NumbersCell().text);
    return texts;
}

void addColumn(NumbersTable& table, const NumbersColumn& column, const std::vector<std::optional<double>>& values,
               const std::function<QString(double, int)>& write)
{
    table.columns.push_back(column);
    const std::vector<QString> texts = distinctTexts(values, 3, write);
    for (std::size_t k = 0; k < table.rows.size(); ++k)
        table.rows[k].cells.push_back({texts[k], values[k]});
}

void addMetrics(NumbersTable& table, const QString& unit, const std::vector<MetricsOfRow>& measured)
{
    using Form = engine::MetricRow::Form;
    for (const engine::MetricRow& metric : engine::metricRows()) {
        const QString ofForm = metric.form == Form::difference ? unit
                               : metric.form == Form::decibels ? QStringLiteral("dB")
                                                               : QString();
        std::vector<std::optional<double>> values;
        for (const MetricsOfRow& one : measured)
            values.push_back(one.metrics ? std::optional(one.metrics->*metric.value) : std::nullopt);
        addColumn(table,
                  {QCoreApplication::translate("engine::MetricRow", metric.label), ofForm,
                   QCoreApplication::translate("engine::MetricRow", metric.summary), false, true},
                  values, writerOf(metric.form, values));
        if (&metric != &engine::metricRows().front()) // only the first column uses words
            continue;
        for (std::size_t k = 0; k < table.rows.size(); ++k)
            if (measured[k].isReference)
                table.rows[k].cells.back().text = NumbersTable::tr("the reference");
            else if (measured[k].metrics && measured[k].metrics->maximum == 0)
                table.rows[k].cells.back().text = NumbersTable::tr("identical");
    }
}

void addStatistics(NumbersTable& table, const QString& unit, const std::vector<const engine::AreaStatistics*>& of,
                   bool withMean)
{
    const auto add = [&](const QString& name, const QString& summary, double engine::AreaStatistics::*figure) {
        std::vector<std::optional<double>> values;
        for (const engine::AreaStatistics* one : of)
            values.push_back(one ? std::optional(one->*figure) : std::nullopt);
        addColumn(table, {name, unit, summary}, values, writerOf(engine::MetricRow::Form::difference, values));
    };
    if (withMean)
        add(NumbersTable::tr("mean"), NumbersTable::tr("Mean of the pixels"), &engine::AreaStatistics::mean);
    add(QStringLiteral("σ"),
        NumbersTable::tr("Standard deviation of the pixels: structure counts as much as noise does."),
        &engine::AreaStatistics::deviation);
    add(NumbersTable::tr("noise σ"),
        NumbersTable::tr("Standard deviation of the noise alone, by Immerkær's mask with its points three "
                         "pixels apart: edges and slopes count little."),
        &engine::AreaStatistics::noise);
}

QString unitOf(const Comparison& comparison)
{
    return comparison.hasResult() ? QString::fromStdString(comparison.a().result->unit) : QStringLiteral("1/pixel");
}

QString NumbersTable::rowHeading() const
{
    return isOfAreas ? NumbersTable::tr("area") : NumbersTable::tr("setting");
}

QString NumbersTable::descriptionHeading() const
{
    return isOfAreas ? NumbersTable::tr("shape in pixels") : NumbersTable::tr("description");
}

QString NumbersTable::caption() const
{
    if (isOfAreas)
        return NumbersTable::tr("Of %1, against %2.").arg(of, against);
    return NumbersTable::tr("Against %1. Speeds are medians of runs in turns, with their quartiles.").arg(against);
}

NumbersTable numbersTable(const Comparison& all, const TriedSettings& tried, const StatisticsOf& statisticsOf,
                          const EdgeOf& edgeOf, const ConsistencyOf& consistencyOf)
{
    // Leaves out hidden settings, except the chosen one and the one that others are measured against.
    Comparison comparison = all;
    std::erase_if(comparison.compared, [&](const Compared& one) {
        return !one.visible && one.id != all.a().id && one.id != all.against.id;
    });
    comparison.chosen = 0;
    for (std::size_t k = 0; k < comparison.compared.size(); ++k)
        if (comparison.compared[k].id == all.a().id)
            comparison.chosen = k;
    NumbersTable table;
    table.against = againstText(comparison);
    std::vector<MetricsOfRow> measured;
    std::vector<const engine::AreaStatistics*> statistics;
    for (const Compared& one : comparison.compared) {
        table.rows.push_back({one.id, one.colour, one.label(), one.description(), {}});
        measured.push_back({one.metrics ? &*one.metrics : nullptr, one.result && one.result == one.reference});
        statistics.push_back(statisticsOf(one));
    }
    addRuns(table, comparison, tried);
    addMetrics(table, unitOf(comparison), measured);
    addStatistics(table, unitOf(comparison), statistics, false);
    if (consistencyOf)
        addConsistency(table, comparison, consistencyOf);
    if (edgeOf)
        addEdgeWidths(table, comparison, edgeOf);
    return table;
}

} // namespace ui
