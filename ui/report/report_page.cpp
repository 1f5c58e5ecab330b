#include "ui/report/report_page.h"

#include "engine/cuda/devices.h"
#include "engine/machine.h"
#include "engine/options.h"
#include "engine/report.h"
#include "ui/number_text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSysInfo>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ui
{

namespace
{

QString html(const std::string& text)
{
    return QString::fromStdString(text).toHtmlEscaped();
}

// Follows the reader's light or dark setting; the pictures keep their own white or black.
const char* const style = R"css(
:root { color-scheme: light dark; --text: #1c2226; --quiet: #626b72; --line: #d9dde0; --page: #ffffff; --panel: #f4f5f6; --accent: #0f6e84; }
@media (prefers-color-scheme: dark) { :root { --text: #e3e7ea; --quiet: #98a1a7; --line: #3a4045; --page: #1b1e20; --panel: #24282b; --accent: #5cc0d6; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1240px; padding: 2rem 1.5rem 4rem; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
h1 { font-size: 1.7rem; font-weight: 600; margin: 0 0 .2rem; }
h2 { font-size: 1.15rem; font-weight: 600; margin: 2.4rem 0 .6rem; }
p { margin: .4rem 0; max-width: 50rem; }
.quiet, figcaption, caption { color: var(--quiet); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.2rem; margin: .8rem 0; }
dt { color: var(--quiet); } dd { margin: 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; width: 100%; font-size: .86rem; }
caption { caption-side: bottom; text-align: left; padding-top: .5rem; font-size: .88rem; }
th, td { padding: .34rem .45rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
th { font-weight: 600; vertical-align: bottom; } th small { font-weight: 400; color: var(--quiet); display: block; }
th.group { text-align: center; border-bottom: 2px solid var(--accent); }
th:first-child, td:first-child { text-align: left; }
tr.reference td { background: var(--panel); }
.pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(330px, 1fr)); gap: 1.6rem 1.4rem; }
.pair { break-inside: avoid; }
.pair h3 { font-size: 1rem; font-weight: 600; margin: 0 0 .4rem; }
.pair div { display: grid; grid-template-columns: 1fr 1fr; gap: 6px; }
figure { margin: 0; } figure img { display: block; width: 100%; height: auto; }
.wide img { width: 100%; background: #fff; border: 1px solid var(--line); }
figcaption { font-size: .84rem; margin-top: .3rem; }
.key { display: flex; gap: .4em; align-items: center; white-space: nowrap; font-size: .78rem; } .scale { flex: 1; height: .7em; border: 1px solid var(--line); }
a { color: var(--accent); }
@media print { body { max-width: none; padding: 0; } }
)css";

QString fact(const QString& name, const QString& value)
{
    return value.isEmpty() ? QString() : QStringLiteral("<dt>%1</dt><dd>%2</dd>\n").arg(name, value);
}

QString angleText(const engine::Scan& scan)
{
    if (scan.anglesRad().empty())
        return {};
    const auto [least, most] = std::minmax_element(scan.anglesRad().begin(), scan.anglesRad().end());
    return QStringLiteral("%1, %2° to %3°")
        .arg(groupedText(scan.projections()))
        .arg(*least * 180 / std::numbers::pi, 0, 'g', 5)
        .arg(*most * 180 / std::numbers::pi, 0, 'g', 5)
        .replace(u'-', QChar(0x2212));
}

QString factsHtml(const ReportContents& contents)
{
    const engine::Scan& scan = *contents.scan;
    const engine::Reconstruction& reference = contents.reference();
    QString text = QStringLiteral("<dl>\n");
    text += fact(QStringLiteral("Scan"), html(scan.name) + QStringLiteral(" (%1)").arg(html(scan.format)));
    text += fact(QStringLiteral("File"), html(scan.path));
    text += fact(QStringLiteral("Projections"), angleText(scan));
    text += fact(QStringLiteral("Detector"),
                 QStringLiteral("%1 bins × %2")
                     .arg(groupedText(scan.bins()),
                          scan.rows == 1 ? QStringLiteral("1 row") : groupedText(scan.rows) + QStringLiteral(" rows")));
    if (scan.pixelSizeMm())
        text += fact(QStringLiteral("Pixel size"),
                     QString::number(*scan.pixelSizeMm() * 1000, 'g', 5) + QStringLiteral(" µm"));
    text += fact(QStringLiteral("Slice"), QStringLiteral("%1 of 0 to %2, %3 × %4 pixels, values in %5")
                                              .arg(contents.slice)
                                              .arg(scan.rows - 1)
                                              .arg(reference.grid.width)
                                              .arg(reference.grid.height)
                                              .arg(html(reference.unit)));
    text += fact(QStringLiteral("Rotation axis"), QStringLiteral("bin %1 (%2), counted from the centre of bin 0")
                                                      .arg(reference.axisBins, 0, 'f', 2)
                                                      .arg(html(reference.axisSource)));
    for (const engine::OptionLine& line : engine::linesOf(reference))
        text += fact(html(line.option->label), html(line.value));
    text += QStringLiteral("</dl>\n");
    for (const std::string& note : reference.notes)
        text += QStringLiteral("<p class=\"quiet\">%1</p>\n").arg(html(note));
    return text;
}

QString metricCells(const std::optional<engine::Metrics>& metrics)
{
    QString cells;
    for (const engine::MetricRow& row : engine::metricRows())
        cells += QStringLiteral("<td>%1</td>").arg(metrics ? metricText(row, *metrics) : QStringLiteral("–"));
    return cells;
}

QString metricHeads(const QString& unit)
{
    using Form = engine::MetricRow::Form;
    QString heads;
    for (const engine::MetricRow& row : engine::metricRows())
        heads += QStringLiteral("<th>%1<small>%2</small></th>")
                     .arg(QString::fromUtf8(row.label), row.form == Form::difference ? unit
                                                        : row.form == Form::decibels ? QStringLiteral("dB")
                                                                                     : QStringLiteral("&nbsp;"));
    return heads;
}

QString tableHtml(const ReportContents& contents)
{
    const QString unit = html(contents.reference().unit);
    const QString errors = metricHeads(unit);
    const QString group = QStringLiteral("<th class=\"group\" colspan=\"%1\">%2</th>").arg(engine::metricRows().size());
    QString text =
        QStringLiteral("<div class=\"scroll\"><table>\n<thead><tr><th></th><th class=\"group\" colspan=\"2\">Speed</th>"
                       "<th class=\"group\" colspan=\"2\">Time</th>") +
        group.arg(QStringLiteral("Against the exact method"));
    if (contents.phantom)
        text += group.arg(QStringLiteral("Against the phantom"));
    text +=
        QStringLiteral("</tr>\n<tr><th>Setting</th><th>kernel<small>GU/s</small></th><th>total<small>GU/s</small></th>"
                       "<th>kernel<small>&nbsp;</small></th><th>total<small>&nbsp;</small></th>") +
        errors;
    if (contents.phantom)
        text += errors;
    text += QStringLiteral("</tr></thead>\n<tbody>\n");
    for (std::size_t k = 0; k < contents.entries.size(); ++k) {
        const ReportEntry& entry = contents.entries[k];
        const Compared& one = contents.compared(k);
        text += QStringLiteral("<tr%1><td>%2</td><td>%3</td><td>%4</td><td>%5</td><td>%6</td>")
                    .arg(contents.isReference(k) ? QStringLiteral(" class=\"reference\"") : QString(),
                         one.title().toHtmlEscaped(), gupsText(entry.kernelGups), gupsText(entry.totalGups),
                         secondsText(entry.kernelSeconds), secondsText(entry.totalSeconds));
        text += metricCells(entry.againstExact);
        if (contents.phantom)
            text += metricCells(entry.againstPhantom);
        text += QStringLiteral("</tr>\n");
    }
    return text + QStringLiteral("</tbody>\n<caption>Errors inside a disc of %1\u202f%% of the slice's width. The "
                                 "shaded row is the reference.</caption>\n</table></div>\n")
                      .replace(QStringLiteral("%%"), QStringLiteral("%"))
                      .arg(contents.discRadius * 100);
}

QString gradientCss()
{
    QStringList stops;
    for (int k = -4; k <= 4; ++k)
        stops << QColor::fromRgb(differenceColour(k / 4.0)).name();
    return QStringLiteral("linear-gradient(to right, %1)").arg(stops.join(QStringLiteral(", ")));
}

QString picturesHtml(const ReportContents& contents)
{
    QString text = QStringLiteral("<div class=\"pictures\">\n");
    for (std::size_t k = 0; k < contents.entries.size(); ++k) {
        const ReportEntry& entry = contents.entries[k];
        const QString title = contents.compared(k).title().toHtmlEscaped();
        text +=
            QStringLiteral("<section class=\"pair\"><h3>%1</h3><div>\n<figure><a href=\"%2.png\"><img src=\"%2.png\" "
                           "alt=\"Slice reconstructed with %1\"></a></figure>\n")
                .arg(title, entry.stem);
        if (contents.isReference(k))
            text += QStringLiteral("<figure><figcaption>The reference of all differences.</figcaption></figure>\n");
        else
            text += QStringLiteral(
                        "<figure><a href=\"%2-difference.png\"><img src=\"%2-difference.png\" "
                        "alt=\"Difference of %1 to the exact method\"></a>"
                        "<figcaption class=\"key\">−%3 <span class=\"scale\" style=\"background: %4\"></span> +%3"
                        "</figcaption></figure>\n")
                        .arg(title, entry.stem, errorText(entry.differenceScale), gradientCss());
        text += QStringLiteral("</div></section>\n");
    }
    return text + QStringLiteral("</div>\n");
}

QString machineHtml(const ReportContents& contents)
{
    QString text = QStringLiteral("<dl>\n");
    text += fact(QStringLiteral("Processor"), html(engine::processorName()) + QStringLiteral(", ") +
                                                  html(engine::threadsText(engine::processorThreads())));
    const engine::CudaDevices gpus = engine::cudaDevices();
    for (const engine::CudaDevice& gpu : gpus.devices)
        text += fact(QStringLiteral("GPU %1").arg(gpu.index), html(gpu.name));
    if (gpus.devices.empty())
        text += fact(QStringLiteral("GPU"), QStringLiteral("none used: %1").arg(html(gpus.reason)));
    text += fact(QStringLiteral("System"), QSysInfo::prettyProductName().toHtmlEscaped() + QStringLiteral(", ") +
                                               QSysInfo::currentCpuArchitecture());
    text += fact(QStringLiteral("Program"), QStringLiteral("Sinoscope %1").arg(html(engine::programVersion())));
    text += fact(QStringLiteral("Date"), contents.date);
    return text + QStringLiteral("</dl>\n");
}

QString runsText(const ReportContents& contents)
{
    int least = contents.entries.front().runs, most = least;
    for (const ReportEntry& entry : contents.entries) {
        least = std::min(least, entry.runs);
        most = std::max(most, entry.runs);
    }
    return least == most ? QString::number(least) : QStringLiteral("%1 to %2").arg(least).arg(most);
}

QJsonValue parsed(const std::string& json)
{
    const QJsonDocument document = QJsonDocument::fromJson(QByteArray::fromStdString(json));
    return document.isArray() ? QJsonValue(document.array()) : QJsonValue(document.object());
}

} // namespace

QByteArray reportHtml(const ReportContents& contents)
{
    const engine::Scan& scan = *contents.scan;
    const QString unit = html(contents.reference().unit);
    QString text = QStringLiteral("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>%1 "
                                  "· Sinoscope report</title>\n<style>")
                       .arg(html(scan.name));
    text += QString::fromLatin1(style) + QStringLiteral("</style>\n</head>\n<body>\n");
    text +=
        QStringLiteral(
            "<h1>%1</h1>\n<p class=\"quiet\">One slice, %2 settings: speed, and distance to the exact result.</p>\n")
            .arg(html(scan.name))
            .arg(contents.entries.size());
    text += factsHtml(contents);
    text += QStringLiteral("<h2>Speed and errors</h2>\n") + tableHtml(contents);
    text += QStringLiteral(
        "<h2>Profile</h2>\n<figure class=\"wide\"><a href=\"profile.pdf\"><img src=\"profile.png\" alt=\"Values along "
        "the vertical line through the middle, and absolute differences to the exact method\"></a>"
        "<figcaption>Along the vertical line through the middle of the slice, from top to bottom. Below, the absolute "
        "differences to the exact method, on a logarithmic scale. "
        "As <a href=\"profile.pdf\">PDF</a> and <a href=\"profile.csv\">CSV</a>.</figcaption></figure>\n");
    text +=
        QStringLiteral(
            "<h2>Images and differences</h2>\n<p class=\"quiet\">All slices share one grey window, black %1 to white "
            "%2 %3 "
            "(0.5 and 99.5 percentiles of the exact result). Differences are setting − exact, each with its own scale "
            "in %3: "
            "blue below, red above, the ends at the 99.5 percentile of its size.</p>\n")
            .arg(valueText(contents.window.black), valueText(contents.window.white), unit);
    text += picturesHtml(contents);
    text +=
        QStringLiteral("<h2>How it was measured</h2>\n"
                       "<p>GU/s are thousand million updates per second: voxels × projections / seconds / 10⁹. "
                       "<b>Kernel</b> is back-projection alone. <b>Total</b> goes from projections in memory to the "
                       "image in memory, "
                       "with filter, conversions and transfers; reading and preparing are in neither. "
                       "Each setting ran once without being counted, then %1 times; the figures are medians.</p>\n"
                       "<p>The <b>exact</b> method works in double precision from the filter to the sum, with linear "
                       "interpolation.%2</p>\n")
            .arg(runsText(contents),
                 contents.phantom
                     ? QStringLiteral(" The phantom's image is its exact average over the area of each pixel: the "
                                      "distance to it holds what filtered back-projection itself can't give back, too.")
                     : QString());
    text += QStringLiteral("<dl>\n");
    for (const engine::MetricRow& row : engine::metricRows())
        text += fact(html(row.label), html(row.summary));
    text += QStringLiteral("</dl>\n") + machineHtml(contents);
    text += QStringLiteral("<p class=\"quiet\">The same figures for programs: <a "
                           "href=\"report.json\">report.json</a>.</p>\n</body>\n</html>\n");
    return text.toUtf8();
}

QByteArray reportJson(const ReportContents& contents)
{
    QJsonArray settings;
    for (std::size_t k = 0; k < contents.entries.size(); ++k) {
        const ReportEntry& entry = contents.entries[k];
        const Compared& one = contents.compared(k);
        QJsonObject object{{"title", one.title()},
                           {"reference", contents.isReference(k)},
                           {"image", entry.stem + QStringLiteral(".png")},
                           {"countedRuns", entry.runs},
                           {"medianKernelSeconds", entry.kernelSeconds},
                           {"medianTotalSeconds", entry.totalSeconds},
                           {"medianKernelGups", entry.kernelGups},
                           {"medianTotalGups", entry.totalGups},
                           {"lastRun", parsed(engine::reconstructionJson(*one.result))}};
        if (!contents.isReference(k)) {
            object["differenceImage"] = entry.stem + QStringLiteral("-difference.png");
            object["differenceScale"] = entry.differenceScale;
        }
        if (entry.againstExact)
            object["againstExact"] = parsed(engine::metricsJson(*entry.againstExact));
        if (entry.againstPhantom)
            object["againstPhantom"] = parsed(engine::metricsJson(*entry.againstPhantom));
        settings.append(object);
    }
    QJsonArray gpus;
    for (const engine::CudaDevice& gpu : engine::cudaDevices().devices)
        gpus.append(QString::fromStdString(gpu.name));
    const QJsonObject machine{{"processor", QString::fromStdString(engine::processorName())},
                              {"threads", engine::processorThreads()},
                              {"gpus", gpus},
                              {"system", QSysInfo::prettyProductName()}};
    const QJsonObject report{{"program", QStringLiteral("Sinoscope")},
                             {"version", QString::fromStdString(engine::programVersion())},
                             {"date", contents.date},
                             {"machine", machine},
                             {"scan", parsed(engine::scanJson(*contents.scan))},
                             {"slice", contents.slice},
                             {"unit", QString::fromStdString(contents.reference().unit)},
                             {"discRadius", contents.discRadius},
                             {"settings", settings}};
    return QJsonDocument(report).toJson();
}

} // namespace ui
