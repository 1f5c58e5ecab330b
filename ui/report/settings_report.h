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
    std::optional<int> slice; // row of the scan; the middle one where empty
    engine::Request base;     // filter, axis, device, threads of every setting; no scan
    // Compared with the exact method instead of what there is to compare: method, interpolation, precision
    // and slices of these.
    std::vector<engine::Request> settings;
    double secondsPerSetting = 3;             // repetitions stop after so long
    std::function<void(const QString&)> line; // one line of progress at a time; may be empty
    std::stop_token stop;
};

// Writes FOLDER/report.html with its images, FOLDER/report.json and FOLDER/profile.{png,pdf,csv}; gives
// the path of report.html. Everything is written beside it first: FOLDER is complete, or not there.
// A report that is already there is replaced, any other folder that isn't empty is left alone.
// Needs a QApplication (any platform plug-in). Throws engine::Error.
QString writeReport(const QString& folder, const std::shared_ptr<const engine::Scan>& scan,
                    const ReportOptions& options = {});

} // namespace ui
