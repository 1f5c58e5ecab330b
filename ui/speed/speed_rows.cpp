// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/speed/speed_rows.h"

#include "ui/widgets/displayed_number.h"

#include <QCoreApplication>

#include <algorithm>
#include <vector>

namespace ui
{

namespace
{

QString tr(const char* text)
{
    return QCoreApplication::translate("ui::SpeedRows", text);
}

} // namespace

// Each stage's bar begins where the one before it ends, so that the last end is the sum of the stages; the bar of the
// time that passed ends before it if stages overlapped (Chilingaryan et al. 2018, Figure 4, right).
std::vector<BarRow> stageRows(const engine::Timings* timings)
{
    const engine::Timings& known = timings ? *timings : engine::Timings();
    struct Bar {
        QString label, explanation;
        engine::StageTime time;
    };
    std::vector<Bar> bars = {
        Bar{tr("read"), tr("Reading the rows from the file"), known.read},
        Bar{tr("prepare"), tr("Dark and flat fields, negative logarithm"), known.prepare},
        Bar{tr("axis"), tr("Finding the rotation axis"), known.axis},
        Bar{tr("filter"), tr("Filtering the projections"), known.filter},
        Bar{tr("kernel"), tr("Back-projection alone"), {known.kernelSeconds}},
    };
    const double rest =
        std::max(0.0, known.backprojectSeconds - known.kernelSeconds - known.uploadSeconds - known.downloadSeconds);
    if (known.uploadSeconds > 0 || known.downloadSeconds > 0) { // of a GPU that tells them
        bars.insert(bars.end() - 2,
                    {tr("upload"), tr("Projections to the device"), {known.uploadSeconds, known.filter.reused}});
        bars.push_back({tr("download"), tr("The image from the device"), {known.downloadSeconds}});
        bars.push_back({tr("other"), tr("Conversions, and new memory for the image"), {rest}});
    } else
        bars.push_back({tr("copies"), tr("Conversions and transfers of the back-projection"), {rest}});
    double sum = 0, longest = known.elapsedSeconds;
    for (const Bar& bar : bars) {
        longest = std::max(longest, sum + bar.time.seconds);
        sum += bar.time.reused ? 0 : bar.time.seconds;
    }
    std::vector<BarRow> rows;
    double begin = 0;
    for (const Bar& bar : bars) {
        BarRow row{.label = bar.label, .explanation = bar.explanation};
        if (timings) {
            row.value = secondsText(bar.time.seconds);
            row.begin = longest > 0 ? begin / longest : 0;
            row.share = longest > 0 ? bar.time.seconds / longest : 0;
            row.isHatched = bar.time.reused;
            row.explanation +=
                u'\n' + (bar.time.reused ? tr("%1 when last computed; reused this time").arg(row.value) : row.value);
            begin += bar.time.reused ? 0 : bar.time.seconds;
        }
        rows.push_back(std::move(row));
    }
    BarRow passed{.label = tr("elapsed"), .isQuiet = true};
    if (timings) {
        passed.value = secondsText(known.elapsedSeconds);
        passed.share = longest > 0 ? known.elapsedSeconds / longest : 0;
        passed.explanation = tr("The stages of this run took %1 one by one; %2 passed. Less: they overlapped. More: "
                                "something else was done or waited for.")
                                 .arg(secondsText(sum), passed.value);
    }
    rows.push_back(std::move(passed));
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

QString speedInWords(const SliceProblem& problem, double kernelGups, double totalGups, const OtherSpeed& other)
{
    const double updates = 1.0 * problem.width * problem.height * problem.projections;
    if (!(kernelGups > 0) || !(totalGups > 0) || !(updates > 0))
        return {};
    const auto every = [updates](double gups) { return secondsText(1e-9 * updates / gups); };
    QString words = tr("A slice of %1 × %2 pixels from %3 projections every %4; with filter and copies every %5.")
                        .arg(problem.width)
                        .arg(problem.height)
                        .arg(problem.projections)
                        .arg(every(kernelGups), every(totalGups));
    if (other.timesAsLong > 0)
        words += u' ' + tr("On %1 of this machine, Sinoscope is %2 times as fast as %3 (a slice of %4 × %4 pixels).")
                            .arg(other.device, significantText(other.timesAsLong, 2), other.name)
                            .arg(other.size);
    return words;
}

QString stateText(const engine::DeviceState& state)
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
