// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/speed/benchmark_rows.h"

#include "engine/measure/limits.h"
#include "engine/measure/paper_steps.h"
#include "engine/measure/speed_spread.h"
#include "ui/widgets/displayed_number.h"

#include <QCoreApplication>
#include <QDate>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

namespace ui
{

namespace
{

QString barText(const char* text)
{
    return QCoreApplication::translate("ui::BenchmarkRows", text);
}

QString explanationOf(const engine::BenchmarkRow& row, const engine::BenchmarkRow* other)
{
    QStringList lines{
        barText("%1 per run: kernel %2, with filter and copies %3 (%4 GU/s).")
            .arg(row.slices > 1
                     ? barText("%1 slices of %2 × %2 pixels from %3 projections")
                           .arg(row.slices)
                           .arg(row.size)
                           .arg(row.projections)
                     : barText("A slice of %1 × %1 pixels from %2 projections").arg(row.size).arg(row.projections),
                 secondsText(row.kernelSeconds), secondsText(row.totalSeconds), gupsText(row.totalGups))};
    if (!(row.kernelGups > 0))
        lines << barText("Too short for this clock: choose a larger size.");
    else if (row.kernelRuns.size() > 1) {
        const engine::SpeedSpread spread = engine::speedSpreadOf(row.kernelRuns, row.kernelGups * row.kernelSeconds);
        lines << barText("Median of %1 runs, quartiles %2 to %3 GU/s; run after run: %4")
                     .arg(row.kernelRuns.size())
                     .arg(gupsText(spread.lower), gupsText(spread.upper),
                          QString::fromStdString(engine::curveText(spread.runs)));
    }
    if (const std::string limit = engine::explainedLimit(row.kernelGups, row.limits, engine::workOf(row));
        !limit.empty())
        lines << QString::fromStdString(limit);
    if (row.paperFactor > 0)
        lines << barText("◇: the paper measured × %1 of the first step.").arg(significantText(row.paperFactor, 3));
    if (row.paperFactorOpenMp > 0)
        lines << barText("◆: with OpenMP the paper measured × %1 of the first step.")
                     .arg(significantText(row.paperFactorOpenMp, 3));
    if (row.relativeError > 0)
        lines << barText("Error: RMSE against the exact method with linear interpolation, on a phantom: %1 of the "
                         "image's range, or %2 dB below it.")
                     .arg(errorText(row.relativeError))
                     .arg(-20 * std::log10(row.relativeError), 0, 'f', 1);
    if (row.clockBeforeMhz > 0)
        lines << barText("Clock before and after: %1 and %2 MHz")
                         .arg(row.clockBeforeMhz, 0, 'f', 0)
                         .arg(row.clockAfterMhz, 0, 'f', 0) +
                     (engine::isClockSteady(row.clockBeforeMhz, row.clockAfterMhz)
                          ? QString()
                          : barText(". It changed, even when measured again: repeat this later."));
    if (row.watts > 0)
        lines << barText("%1 W, %2 GU/s per watt").arg(row.watts, 0, 'f', 0).arg(significantText(row.gupsPerWatt, 3));
    if (other)
        lines << barText("The other report: %1 GU/s").arg(gupsText(other->kernelGups));
    return lines.join(u'\n');
}

engine::SpeedSpread spreadOfRow(const engine::BenchmarkRow& row)
{
    return engine::speedSpreadOf(row.kernelRuns, row.kernelGups * row.kernelSeconds);
}

// Returns the name of a paper's step, which leaves more room for the bar than all of its settings.
QString stepLabel(const engine::BenchmarkRow& row, bool withSize)
{
    const QString size = QStringLiteral(" · ") +
                         (row.alpha > 0 ? QString::number(row.bins) + QStringLiteral("² → ") : QString()) +
                         QString::number(row.size) + (row.alpha > 0 ? u'³' : u'²');
    return QString::fromStdString(row.step) + (withSize ? size : QString());
}

// Returns whether the middle halves of the runs of both overlap; false if one doesn't state its runs.
bool areWithinScatter(const engine::BenchmarkRow& one, const engine::BenchmarkRow& other)
{
    constexpr std::size_t leastRuns = 3;
    if (one.kernelRuns.size() < leastRuns || other.kernelRuns.size() < leastRuns)
        return false;
    const engine::Spread mine = spreadOfRow(one), its = spreadOfRow(other);
    return !areApart(mine, its) && !areApart(its, mine);
}

} // namespace

std::vector<engine::BenchmarkRow> inOrder(std::vector<engine::BenchmarkRow> rows)
{
    if (std::ranges::any_of(rows, [](const engine::BenchmarkRow& row) { return !row.step.empty(); }))
        return rows;
    std::vector<std::string> methods; // as measured: from the reference to the fastest
    for (const engine::BenchmarkRow& row : rows)
        if (std::ranges::find(methods, row.method) == methods.end())
            methods.push_back(row.method);
    std::ranges::stable_sort(rows, {}, [&](const engine::BenchmarkRow& row) {
        return std::tuple(row.size, std::ranges::find(methods, row.method) - methods.begin(), row.interpolation,
                          row.oversampling, row.precision, row.slicesPerPass);
    });
    return rows;
}

QString benchmarkTitle(const std::vector<engine::BenchmarkRow>& rows)
{
    if (rows.empty())
        return {};
    const engine::BenchmarkRow& first = rows.front();
    QString title = QString::fromStdString(engine::measuredDevice(rows));
    if (std::ranges::all_of(rows, [&](const engine::BenchmarkRow& row) { return row.size == first.size; }))
        title += barText(", %1 × %1 pixels from %2 projections").arg(first.size).arg(first.projections);
    return title + QStringLiteral(", ") + QDate::currentDate().toString(Qt::ISODate);
}

QString benchmarkLabel(const engine::BenchmarkRow& row, bool withSize)
{
    QString method = QString::fromStdString(row.method);
    if (!row.variant.empty())
        method += QStringLiteral(" (%1)").arg(QString::fromStdString(row.variant));
    QString interpolation = QString::fromStdString(toText(row.interpolation));
    if (row.interpolation == engine::Interpolation::oversampled)
        interpolation += QStringLiteral(" ×%1").arg(row.oversampling);
    QStringList words;
    if (!row.step.empty())
        words << QString::fromStdString(row.step);
    words << method << interpolation << QString::fromStdString(toText(row.precision));
    if (row.slicesPerPass > 1)
        words << barText("%1 slices").arg(row.slicesPerPass);
    if (withSize)
        words << QString::number(row.size) + u'²';
    return words.join(QStringLiteral(" · "));
}

QString legendOfSteps(const std::vector<engine::BenchmarkRow>& rows, const std::string& steps)
{
    if (rows.empty() || steps.empty())
        return {};
    const engine::PaperSequence& sequence = engine::sequenceOf(steps);
    QStringList parts{barText("◇ the paper: %1, on %2")
                          .arg(QString::fromStdString(sequence.source), QString::fromStdString(sequence.device))};
    const auto any = [&](double engine::BenchmarkRow::*member) {
        return std::ranges::any_of(rows, [=](const engine::BenchmarkRow& row) { return row.*member > 0; });
    };
    if (any(&engine::BenchmarkRow::paperFactorOpenMp))
        parts << barText("◆ the same with OpenMP");
    if (any(&engine::BenchmarkRow::relativeError))
        parts << barText("● error: RMSE against the exact method, as a share of the range of a phantom's image");
    return parts.join(QStringLiteral(" · "));
}

std::vector<BarRow> benchmarkBars(const std::vector<engine::BenchmarkRow>& rows,
                                  const std::vector<engine::BenchmarkRow>& other)
{
    const auto isOfKernel = [](const engine::BenchmarkRow& row) { // not of the filter
        return row.kernelGups > 0 && comparedSpeedOf(row) == row.kernelGups;
    };
    double fastest = 0;
    bool areOneSize = true;
    for (const auto* each : {&rows, &other})
        for (const engine::BenchmarkRow& row : *each) {
            fastest = std::max(fastest, comparedSpeedOf(row));
            fastest =
                std::max(fastest, std::max(row.paperFactor, row.paperFactorOpenMp) * comparedSpeedOf(each->front()));
            if (isOfKernel(row))
                fastest = std::max(fastest, boxOf(spreadOfRow(row)).most);
            areOneSize = areOneSize && row.size == rows.front().size && row.bins == rows.front().bins;
        }
    const auto predicted = [&](const engine::BenchmarkRow& row) {
        return row.limits.empty() || !isOfKernel(row)
                   ? QString()
                   : barText(" of %1 predicted").arg(gupsText(row.limits.front().gups));
    };
    const auto barOf = [&](const engine::BenchmarkRow& row, const engine::BenchmarkRow* same) {
        const QString label = benchmarkLabel(row, !areOneSize);
        BarRow bar{.label = row.step.empty() ? label : stepLabel(row, !areOneSize),
                   .value = (isOfKernel(row) ? barText("%1 GU/s") : barText("%1 · 10⁹ filtered values/s"))
                                .arg(gupsText(comparedSpeedOf(row))) +
                            predicted(row),
                   .share = fastest > 0 ? comparedSpeedOf(row) / fastest : 0,
                   .explanation = (row.step.empty() ? QString() : label + u'\n') + explanationOf(row, same)};
        if (row.relativeError > 0)
            bar.error = row.relativeError;
        if (const SpreadBox box = boxOf(spreadOfRow(row)); isOfKernel(row) && row.kernelRuns.size() > 1)
            bar.spread = SpreadBox{box.least / fastest, box.lower / fastest, box.upper / fastest, box.most / fastest};
        return bar;
    };
    const auto times = [](double factor) { return QStringLiteral("× %1").arg(significantText(factor, 3)); };
    std::vector<BarRow> bars;
    const engine::BenchmarkRow* firstStep = nullptr; // of the same problem
    for (const engine::BenchmarkRow& row : rows) {
        const engine::BenchmarkRow* same = engine::sameSetting(other, row);
        BarRow bar = barOf(row, same);
        if (!row.step.empty() && (!firstStep || firstStep->size != row.size))
            firstStep = &row;
        if (!row.step.empty())
            bar.value += u' ' + times(comparedSpeedOf(row) / comparedSpeedOf(*firstStep));
        if (same) {
            bar.value += QStringLiteral(" · ") + times(comparedSpeedOf(row) / comparedSpeedOf(*same));
            if (areWithinScatter(row, *same))
                bar.value += barText(", within the scatter");
            bar.mark = comparedSpeedOf(*same) / fastest;
        } else if (row.paperFactor > 0 && !row.step.empty()) {
            bar.value += barText(", paper %1").arg(times(row.paperFactor));
            bar.mark = row.paperFactor * comparedSpeedOf(*firstStep) / fastest;
        }
        if (!same && row.paperFactorOpenMp > 0 && !row.step.empty()) {
            bar.value += barText(", OpenMP %1").arg(times(row.paperFactorOpenMp));
            bar.otherMark = row.paperFactorOpenMp * comparedSpeedOf(*firstStep) / fastest;
        }
        bars.push_back(std::move(bar));
    }
    for (const engine::BenchmarkRow& row : other)
        if (!engine::sameSetting(rows, row)) {
            BarRow bar = barOf(row, nullptr);
            bar.isQuiet = true;
            bars.push_back(std::move(bar));
        }
    return bars;
}

} // namespace ui
