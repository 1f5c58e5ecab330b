// SPDX-License-Identifier: GPL-3.0-or-later
// The one table of formats for a session's report: the dialog, the command line and the writer loop over it.
#pragma once

#include <QString>

#include <vector>

namespace ui
{

struct ReportFormat {
    QString suffix;      // ".pdf"
    QString label;       // "PDF, for paper"
    bool isPage = false; // has pictures
};

const std::vector<ReportFormat>& reportFormats();
const ReportFormat* reportFormatOf(const QString& path); // null if the suffix is unknown
QString reportSuffixes();                                // ".pdf, .html or .json"

} // namespace ui
