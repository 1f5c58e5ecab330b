// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/speed/speed_rows.h"

#include "ui/widgets/displayed_number.h"

#include <QCoreApplication>

#include <algorithm>

namespace ui
{

namespace
{

QString tr(const char* text)
{
    return QCoreApplication::translate("ui::SpeedRows", text);
}

} // namespace

std::vector<BarRow> stageRows(const engine::Timings* timings)
{
    std::vector<BarRow> rows;
    double longest = 0;
    if (timings)
        longest = std::max({timings->read.seconds, timings->prepare.seconds, timings->axis.seconds,
                            timings->filter.seconds, timings->backprojectSeconds});
    const auto add = [&](const QString& label, const QString& explanation, const engine::StageTime& time) {
        BarRow row{.label = label, .explanation = explanation};
        if (timings) {
            row.value = secondsText(time.seconds);
            row.share = longest > 0 ? time.seconds / longest : 0;
            row.isHatched = time.reused;
            row.explanation +=
                u'\n' + (time.reused ? tr("%1 when last computed; reused this time").arg(row.value) : row.value);
        }
        rows.push_back(std::move(row));
    };
    const engine::Timings& known = timings ? *timings : engine::Timings();
    add(tr("read"), tr("Reading the rows from the file"), known.read);
    add(tr("prepare"), tr("Dark and flat fields, negative logarithm"), known.prepare);
    add(tr("axis"), tr("Finding the rotation axis"), known.axis);
    add(tr("filter"), tr("Filtering the projections"), known.filter);
    add(tr("back-project"), tr("Back-projection with its conversions and transfers"),
        {known.backprojectSeconds, false});
    return rows;
}

std::vector<BarRow> limitRows(double kernelGups, const std::vector<engine::Limit>& limits)
{
    std::vector<BarRow> rows;
    for (const engine::Limit& limit : limits) {
        const double share = kernelGups / limit.gups;
        rows.push_back({.label = QString::fromStdString(limit.unit),
                        .value = tr("%1 %").arg(100 * share, 0, 'f', 0),
                        .share = share,
                        .explanation = tr("Each update takes %1 of them, of which this device has %2 · 10⁹ per second: "
                                          "at most %3 GU/s.")
                                           .arg(limit.perUpdate)
                                           .arg(gupsText(limit.gups * limit.perUpdate), gupsText(limit.gups))});
    }
    return rows;
}

QString speedInWords(const SliceProblem& problem, double kernelGups, double totalGups)
{
    const double updates = 1.0 * problem.width * problem.height * problem.projections;
    if (!(kernelGups > 0) || !(totalGups > 0) || !(updates > 0))
        return {};
    const auto every = [updates](double gups) { return secondsText(1e-9 * updates / gups); };
    return tr("A slice of %1 × %2 pixels from %3 projections every %4; with filter and copies every %5.")
        .arg(problem.width)
        .arg(problem.height)
        .arg(problem.projections)
        .arg(every(kernelGups), every(totalGups));
}

QString stateText(const engine::GpuState& state)
{
    QStringList parts;
    if (state.clockMhz > 0)
        parts << tr("%1 MHz").arg(state.clockMhz, 0, 'f', 0);
    if (state.watts > 0)
        parts << tr("%1 W").arg(state.watts, 0, 'f', 0);
    if (state.celsius > 0)
        parts << tr("%1 °C").arg(state.celsius, 0, 'f', 0);
    if (state.totalBytes > 0)
        parts << tr("%1 of %2 GB").arg(1e-9 * state.usedBytes, 0, 'f', 0).arg(1e-9 * state.totalBytes, 0, 'f', 0);
    return parts.join(QStringLiteral(" · "));
}

} // namespace ui
