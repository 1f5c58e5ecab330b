// SPDX-License-Identifier: GPL-3.0-or-later
// A slice reconstructed with several settings, compared and timed, as a folder to read in a browser.
#pragma once

#include "engine/request/setting.h"

#include <QString>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace ui
{

struct ReportOptions {
    std::optional<int> slice; // row of the scan; empty: the middle one
    engine::Request base;     // filter, axis, device, threads of every setting; without a scan
    // Settings to compare with the exact method, instead of all that are possible. Only their method, interpolation,
    // precision and slices count.
    std::vector<engine::Request> settings;
    double secondsPerSetting = 3;             // repetitions end after this time
    std::function<void(const QString&)> line; // gets one line of progress at a time; may be empty
    std::stop_token stop;
};

// Writes FOLDER/report.html with its images, FOLDER/report.json and FOLDER/profile.{png,pdf,csv}, and returns the
// path of report.html. The files have temporary names in FOLDER until all are complete. An existing report is
// replaced; any other folder that isn't empty is left alone (report_folder.h). Needs a QApplication (any
// platform plug-in). Throws engine::Error.
QString writeReport(const QString& folder, const std::shared_ptr<const engine::Scan>& scan,
                    const ReportOptions& options = {});

} // namespace ui
