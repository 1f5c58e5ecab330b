// SPDX-License-Identifier: GPL-3.0-or-later
// THE table of what a session's report can be written as: the dialog, the command line and the writer loop over it.
#pragma once

#include <QString>

#include <vector>

namespace ui
{

struct ReportFormat {
    QString suffix;      // ".pdf"
    QString label;       // "PDF, for paper"
    bool isPage = false; // with pictures
};

const std::vector<ReportFormat>& reportFormats();
const ReportFormat* reportFormatOf(const QString& path); // null where the suffix is of none
QString reportSuffixes();                                // ".pdf, .html or .json"

} // namespace ui
