#include "ui/numbers/numbers_table.h"

#include "ui/number_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <set>

namespace ui
{

namespace
{

constexpr int mostDigits = 7; // of a float

struct RunsColumn {
    const char *name, *unit, *summary;
    Spread Speeds::*figure;
    bool saysRange = false; // in its cells; of the others it would say the same again
};

constexpr RunsColumn runsColumns[] = {
    {QT_TRANSLATE_NOOP("ui::NumbersTable", "kernel"), "GU/s",
     QT_TRANSLATE_NOOP("ui::NumbersTable",
                       "Back-projection alone, without filter, conversions and transfers: thousand million updates "
                       "per second. The median of the runs of this session (F5 adds one), with the least and the "
                       "most."),
     &Speeds::kernelGups, true},
    {QT_TRANSLATE_NOOP("ui::NumbersTable", "total"), "GU/s",
     QT_TRANSLATE_NOOP("ui::NumbersTable", "From projections in memory to the image in memory, with filter, "
                                           "conversions and transfers. The median of the runs of this session."),
     &Speeds::totalGups},
    {QT_TRANSLATE_NOOP("ui::NumbersTable", "time"), "s",
     QT_TRANSLATE_NOOP("ui::NumbersTable", "From projections in memory to the image in memory. The median of the runs "
                                           "of this session."),
     &Speeds::totalSeconds}};

// Three digits: runs differ by more than further digits would say.
QString medianText(const Spread& spread, bool saysRange)
{
    const auto text = [](double value) { return significantText(value, 3); };
    const QString median = text(spread.median), least = text(spread.least), most = text(spread.most);
    return !saysRange || least == most ? median : QStringLiteral("%1 (%2–%3)").arg(median, least, most);
}

QString fixedText(double value, int decimals)
{
    if (std::isinf(value))
        return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
    return QString::number(value, 'f', decimals).replace(u'-', QChar(0x2212));
}

// "61.2" with three digits.
QString decibelDigits(double value, int digits)
{
    return fixedText(value, digits - 2);
}

// "0.9998" with three digits; never rounded up to 1.
QString similarityDigits(double value, int digits)
{
    const QString text = value < 1 ? fixedText(value, digits + 1) : QStringLiteral("1");
    return value < 1 && text.startsWith(u'1') ? ssimText(value) : text;
}

// Errors and noise go over powers of ten: all of a column with an exponent, or none, so that they can be read one below
// the other.
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
            const Spread& spread = speeds.*column.figure;
            const bool isThere = spread.count > 0 && spread.median > 0;
            table.rows[k].cells.push_back(
                isThere ? NumbersCell{medianText(spread, column.saysRange), spread.median, spread} : NumbersCell{});
        }
    }
}

void addMetrics(NumbersTable& table, const Comparison& comparison, const QString& unit)
{
    using Form = engine::MetricRow::Form;
    for (const engine::MetricRow& metric : engine::metricRows()) {
        const bool isDifference = metric.form == Form::difference;
        const bool isFirst = &metric == &engine::metricRows().front(); // says it in a word
        table.columns.push_back({QCoreApplication::translate("engine::MetricRow", metric.label),
                                 isDifference                    ? unit
                                 : metric.form == Form::decibels ? QStringLiteral("dB")
                                                                 : QString(),
                                 QCoreApplication::translate("engine::MetricRow", metric.summary), false, true});
        std::vector<std::optional<double>> values;
        for (const Compared& one : comparison.compared)
            values.push_back(one.metrics ? std::optional(one.metrics.value().*metric.value) : std::nullopt);
        const std::vector<QString> texts = distinctTexts(values, 3, writerOf(metric.form, values));
        for (std::size_t k = 0; k < table.rows.size(); ++k) {
            const Compared& one = comparison.compared[k];
            NumbersCell cell{texts[k], values[k], {}};
            if (isFirst && one.result && one.result == one.reference)
                cell.text = NumbersTable::tr("the reference");
            else if (isFirst && one.metrics && one.metrics->maximum == 0)
                cell.text = NumbersTable::tr("identical");
            table.rows[k].cells.push_back(cell);
        }
    }
}

void addNoise(NumbersTable& table, const Comparison& comparison, const QString& unit, const NoiseOf& noiseOf)
{
    table.columns.push_back(
        {NumbersTable::tr("noise σ"), unit,
         NumbersTable::tr("Standard deviation of the noise alone, by Immerkær's mask with its points three "
                          "pixels apart: edges and slopes count little."),
         false, false});
    std::vector<std::optional<double>> values;
    for (const Compared& one : comparison.compared) {
        const engine::AreaStatistics* statistics = noiseOf(one);
        values.push_back(statistics ? std::optional(statistics->noise) : std::nullopt);
    }
    const std::vector<QString> texts = distinctTexts(values, 3, writerOf(engine::MetricRow::Form::difference, values));
    for (std::size_t k = 0; k < table.rows.size(); ++k)
        table.rows[k].cells.push_back({texts[k], values[k], {}});
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

QString NumbersTable::caption() const
{
    return NumbersTable::tr("Against %1. Speeds are medians of the runs of this session, with the least and the most.")
        .arg(against);
}

NumbersTable numbersTable(const Comparison& all, const TriedSettings& tried, const NoiseOf& noiseOf)
{
    Comparison comparison = all; // what is hidden is hidden here too, but for what others are measured against
    std::erase_if(comparison.compared, [&](const Compared& one) {
        return !one.visible && one.id != all.a().id && one.id != all.against.id;
    });
    comparison.chosen = 0;
    for (std::size_t k = 0; k < comparison.compared.size(); ++k)
        if (comparison.compared[k].id == all.a().id)
            comparison.chosen = k;
    NumbersTable table;
    table.against = againstText(comparison);
    for (const Compared& one : comparison.compared)
        table.rows.push_back({one.id, one.colour, one.name, one.description(), {}});
    const QString unit =
        comparison.hasResult() ? QString::fromStdString(comparison.a().result->unit) : QStringLiteral("1/pixel");
    addRuns(table, comparison, tried);
    addMetrics(table, comparison, unit);
    addNoise(table, comparison, unit, noiseOf);
    return table;
}

} // namespace ui
