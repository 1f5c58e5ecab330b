// What a report holds, and its page and JSON.
#pragma once

#include "engine/compare/metrics.h"
#include "engine/reconstruction.h"
#include "ui/report/report_images.h"

#include <QByteArray>
#include <QString>

#include <optional>
#include <vector>

namespace ui
{

// One setting. The reconstruction's own timings are those of its last run; the medians are over all.
struct ReportEntry {
    QString title; // "cpu · linear · float"
    QString stem;  // of its files: "cpu-linear-float"
    bool isReference = false;
    engine::Reconstruction result;
    int runs = 0; // counted, after one that was not
    double kernelSeconds = 0, totalSeconds = 0;
    double kernelGups = 0, totalGups = 0;
    std::optional<engine::Metrics> againstExact, againstPhantom;
    double differenceScale = 0; // ± of the colours of its difference image
};

struct ReportContents {
    std::shared_ptr<const engine::Scan> scan;
    int slice = 0;
    double discRadius = 0.9; // of the figures
    GreyWindow window;
    bool hasPhantom = false;
    QString date;                     // ISO 8601, UTC
    std::vector<ReportEntry> entries; // the reference first
};

QByteArray reportHtml(const ReportContents& contents);
QByteArray reportJson(const ReportContents& contents);

} // namespace ui
