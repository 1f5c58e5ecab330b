// SPDX-License-Identifier: GPL-3.0-or-later
// What a report holds, and its page and JSON.
#pragma once

#include "ui/background/comparison.h"
#include "ui/report/report_images.h"

#include <QByteArray>
#include <QString>

#include <optional>
#include <vector>

namespace ui
{

// One setting's speed. The reconstruction's own timings are those of its last run; the medians are over all.
struct ReportEntry {
    QString stem; // of its files: "cpu-linear-float"
    int runs = 0; // counted, after one that was not
    double kernelSeconds = 0, totalSeconds = 0;
    double kernelGups = 0, totalGups = 0;
    double differenceScale = 0; // ± of the colours of its difference image
    Compared compared;
    std::optional<engine::Metrics> againstExact = {}, againstPhantom = {};
};

struct ReportContents {
    std::shared_ptr<const engine::Scan> scan;
    int slice = 0; // row of the scan
    engine::Mask mask;
    std::vector<ReportEntry> entries; // of the exact method, then of each that is compared with it
    Image phantom;                    // of a simulated scan
    GreyRange window;
    QString date; // ISO 8601, UTC

    static constexpr double discRadius = 0.9; // of the figures
    bool isReference(std::size_t k) const { return k == 0; }
    const Compared& compared(std::size_t k) const { return entries[k].compared; }
    const engine::Reconstruction& reference() const { return *entries.front().compared.result; }
};

QByteArray reportHtml(const ReportContents& contents);
QByteArray reportJson(const ReportContents& contents);

} // namespace ui
