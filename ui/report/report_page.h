// SPDX-License-Identifier: GPL-3.0-or-later
// Contents of a report, and its page and JSON.
#pragma once

#include "ui/background/comparison.h"
#include "ui/report/report_images.h"

#include <QByteArray>
#include <QJsonObject>
#include <QString>

#include <optional>
#include <vector>

namespace ui
{

// A setting with its speed. The times and speeds here are medians of all runs, while `compared.result` has the timings
// of the last run.
struct ReportEntry {
    QString stem; // beginning of the names of its files: "cpu-linear-float"
    int runs = 0; // counted runs, after one that isn't counted
    double kernelSeconds = 0, totalSeconds = 0;
    double kernelGups = 0, totalGups = 0;
    double differenceScale = 0; // ± range of the colours of its difference image
    Compared compared;
    std::optional<engine::Metrics> againstExact = {}, againstPhantom = {};
};

struct ReportContents {
    std::shared_ptr<const engine::Scan> scan;
    int slice = 0; // row of the scan
    engine::Mask mask;
    std::vector<ReportEntry> entries; // the exact method, then each setting that is compared with it
    Image phantom;                    // for a simulated scan
    GreyRange window;
    QString date; // ISO 8601, UTC

    static constexpr double discRadius = 0.9; // of the figures' disc, as a fraction of half the width
    bool isReference(std::size_t k) const { return k == 0; }
    const Compared& compared(std::size_t k) const { return entries[k].compared; }
    const engine::Reconstruction& reference() const { return *entries.front().compared.result; }
};

QByteArray reportHtml(const ReportContents& contents);
QJsonObject reportJson(const ReportContents& contents);

} // namespace ui
