// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_formats.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace ui
{

const std::vector<ReportFormat>& reportFormats()
{
    const auto tr = [](const char* text) { return QCoreApplication::translate("ui::ReportFormat", text); };
    static const std::vector<ReportFormat> formats = {
        {QStringLiteral(".pdf"), tr(QT_TRANSLATE_NOOP("ui::ReportFormat", "PDF, for paper")), true},
        {QStringLiteral(".html"), tr(QT_TRANSLATE_NOOP("ui::ReportFormat", "HTML, for a browser")), true},
        {QStringLiteral(".json"), tr(QT_TRANSLATE_NOOP("ui::ReportFormat", "JSON, for programs")), false}};
    return formats;
}

const ReportFormat* reportFormatOf(const QString& path)
{
    const auto found = std::ranges::find_if(
        reportFormats(), [&](const ReportFormat& format) { return path.endsWith(format.suffix, Qt::CaseInsensitive); });
    return found == reportFormats().end() ? nullptr : &*found;
}

QString reportSuffixes()
{
    QStringList all;
    for (const ReportFormat& format : reportFormats())
        all << format.suffix;
    const QString last = all.takeLast();
    return QCoreApplication::translate("ui::ReportFormat", "%1 or %2").arg(all.join(QStringLiteral(", ")), last);
}

} // namespace ui
