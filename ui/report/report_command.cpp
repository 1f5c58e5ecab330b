// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_command.h"

#include "engine/base/printable.h"
#include "engine/io/open/open_scan.h"
#include "ui/opening/sample_scans.h"
#include "ui/report/report_formats.h"
#include "ui/report/session_report.h"
#include "ui/report/settings_report.h"

#include <QFile>

#include <algorithm>
#include <cstdio>

namespace ui
{

namespace
{

std::shared_ptr<const engine::Scan> scanOf(const StartOptions& options, const std::stop_token& stop)
{
    if (!options.scan.isEmpty())
        return engine::openScan(QFile::encodeName(options.scan).toStdString(), options.open, stop);
    const std::vector<Sample> known = samples();
    const auto named =
        std::find_if(known.begin(), known.end(), [&](const Sample& sample) { return sample.id == options.sample; });
    return engine::simulate((named == known.end() ? known.front() : *named).simulation);
}

} // namespace

void runReport(const StartOptions& options, std::stop_token stop)
{
    const auto line = [](const QString& text) {
        std::puts(engine::printable(text.toStdString()).c_str());
        std::fflush(stdout);
    };
    if (reportFormatOf(options.report) && options.scan.endsWith(QLatin1String(".sinoscope"), Qt::CaseInsensitive))
        return runSessionReport(options, line, stop);
    ReportOptions report;
    report.slice = options.slice;
    report.base = options.request;
    static const QStringList kernel{QStringLiteral("method"), QStringLiteral("interpolation"),
                                    QStringLiteral("precision"), QStringLiteral("slices-per-pass")};
    const bool asked = std::any_of(kernel.begin(), kernel.end(),
                                   [&](const QString& option) { return options.given.contains(option); });
    if (asked || options.second)
        report.settings.push_back(options.request);
    if (options.second)
        report.settings.push_back(*options.second);
    report.line = line;
    report.stop = stop;
    report.line(QStringLiteral("The report: ") + writeReport(options.report, scanOf(options, stop), report));
}

} // namespace ui
