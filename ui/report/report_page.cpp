// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_page.h"

#include "engine/base/version.h"
#include "engine/documents/report.h"
#include "engine/options/options.h"
#include "ui/report/report_facts.h"
#include "ui/widgets/displayed_number.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace ui
{

namespace
{

Facts factsOf(const ReportContents& contents)
{
    const engine::Reconstruction& reference = contents.reference();
    Facts made{scanFacts(*contents.scan, contents.slice, reference)};
    made.facts.push_back(
        {QStringLiteral("Rotation axis"), QStringLiteral("bin %1 (%2), counted from the centre of bin 0")
                                              .arg(reference.axisBins, 0, 'f', 2)
                                              .arg(worded(reference.axisSource))});
    for (const engine::OptionLine& line : engine::linesOf(reference.request, reference.method))
        made.facts.push_back({worded(line.option->label), worded(line.value)});
    return made;
}

void addMetrics(std::vector<TableCell>& cells, const std::optional<engine::Metrics>& metrics)
{
    for (const engine::MetricRow& row : engine::metricRows())
        cells.push_back({metrics ? metricText(row, *metrics) : QStringLiteral("–"), {}});
}

void addMetricColumns(Table& table, const QString& group, const QString& unit)
{
    using Form = engine::MetricRow::Form;
    table.groups.push_back({group, static_cast<int>(engine::metricRows().size())});
    for (const engine::MetricRow& row : engine::metricRows())
        table.columns.push_back({QString::fromUtf8(row.label), row.form == Form::difference ? unit
                                                               : row.form == Form::decibels ? QStringLiteral("dB")
                                                                                            : QString()});
}

Table tableOf(const ReportContents& contents)
{
    const QString unit = worded(contents.reference().unit), gups = QStringLiteral("GU/s");
    const QString kernel = QStringLiteral("kernel"), total = QStringLiteral("total");
    Table table;
    table.groups = {{{}, 1}, {QStringLiteral("Speed"), 2}, {QStringLiteral("Time"), 2}};
    table.columns = {{QStringLiteral("Setting"), {}, true}, {kernel, gups}, {total, gups}, {kernel, {}}, {total, {}}};
    addMetricColumns(table, QStringLiteral("Against the exact method"), unit);
    if (contents.phantom)
        addMetricColumns(table, QStringLiteral("Against the phantom"), unit);
    for (std::size_t k = 0; k < contents.entries.size(); ++k) {
        const ReportEntry& entry = contents.entries[k];
        TableRow row;
        row.isShaded = contents.isReference(k);
        for (const QString& text : {contents.compared(k).title(), gupsText(entry.kernelGups), gupsText(entry.totalGups),
                                    secondsText(entry.kernelSeconds), secondsText(entry.totalSeconds)})
            row.cells.push_back({text, {}});
        addMetrics(row.cells, entry.againstExact);
        if (contents.phantom)
            addMetrics(row.cells, entry.againstPhantom);
        table.rows.push_back(std::move(row));
    }
    table.caption = QStringLiteral("Errors inside a disc of %1\u202f% of the slice's width. The shaded row is the "
                                   "reference.")
                        .arg(contents.discRadius * 100);
    return table;
}

ColourKey differenceKey(double scale)
{
    ColourKey key{{}, QStringLiteral("−") + errorText(scale), QStringLiteral("+") + errorText(scale)};
    for (int k = -4; k <= 4; ++k)
        key.colours.push_back(differenceColour(k / 4.0));
    return key;
}

Gallery picturesOf(const ReportContents& contents)
{
    Gallery gallery;
    for (std::size_t k = 0; k < contents.entries.size(); ++k) {
        const ReportEntry& entry = contents.entries[k];
        const QString title = contents.compared(k).title();
        const QString file = entry.stem + QStringLiteral(".png");
        const QString difference = entry.stem + QStringLiteral("-difference.png");
        PictureGroup group{title};
        group.pictures.push_back(
            {.file = file, .linked = file, .alternative = QStringLiteral("Slice reconstructed with ") + title});
        if (contents.isReference(k))
            group.pictures.push_back({.caption = QStringLiteral("The reference of all differences.")});
        else
            group.pictures.push_back({.file = difference,
                                      .linked = difference,
                                      .alternative = QStringLiteral("Difference of %1 to the exact method").arg(title),
                                      .key = differenceKey(entry.differenceScale)});
        gallery.groups.push_back(std::move(group));
    }
    return gallery;
}

QString runsText(const ReportContents& contents)
{
    const auto [least, most] = std::ranges::minmax(contents.entries, {}, &ReportEntry::runs);
    return least.runs == most.runs ? QString::number(least.runs)
                                   : QStringLiteral("%1 to %2").arg(least.runs).arg(most.runs);
}

Gallery profileOf()
{
    return {
        {{{},
          {},
          {{.file = QStringLiteral("profile.png"),
            .linked = QStringLiteral("profile.pdf"),
            .alternative = QStringLiteral("Values along the vertical line through the middle, and absolute "
                                          "differences to the exact method"),
            .caption = QStringLiteral("Along the vertical line through the middle of the slice, from top to bottom. "
                                      "Below, the absolute differences to the exact method, on a logarithmic "
                                      "scale.")}}}}};
}

Page pageOf(const ReportContents& contents)
{
    const QString unit = worded(contents.reference().unit);
    Page page{
        worded(contents.scan->name),
        QStringLiteral("One slice, %1 settings: speed, and distance to the exact result.").arg(contents.entries.size()),
        {}};
    const auto add = [&page](Block block) { page.blocks.push_back(std::move(block)); };
    add(factsOf(contents));
    for (const engine::Note& note : contents.reference().notes)
        add(Paragraph{{{wordedNote(note)}}, true});
    add(Heading{QStringLiteral("Speed and errors")});
    add(tableOf(contents));
    add(Heading{QStringLiteral("Profile")});
    add(profileOf());
    add(Paragraph{{{QStringLiteral("The profile as ")},
                   {QStringLiteral("PDF"), QStringLiteral("profile.pdf")},
                   {QStringLiteral(" and ")},
                   {QStringLiteral("CSV"), QStringLiteral("profile.csv")},
                   {QStringLiteral(".")}},
                  true});
    add(Heading{QStringLiteral("Images and differences")});
    add(Paragraph{
        {{QStringLiteral("All slices share one grey window, black %1 to white %2 %3 (0.5 and 99.5 percentiles "
                         "of the exact result). Differences are setting − exact, each with its own scale in "
                         "%3: blue below, red above, the ends at the 99.5 percentile of its size.")
              .arg(fourDigitsText(contents.window.black), fourDigitsText(contents.window.white), unit)}},
        true});
    add(picturesOf(contents));
    add(Heading{QStringLiteral("How it was measured")});
    add(speedsInWords(QStringLiteral("Each setting ran once without being counted, then %1 times; the figures are "
                                     "medians.")
                          .arg(runsText(contents))));
    add(Paragraph{
        {{QStringLiteral("The ")},
         {QStringLiteral("exact"), {}, true},
         {QStringLiteral(" method works in double precision from the filter to the sum, with linear "
                         "interpolation.")},
         {contents.phantom
              ? QStringLiteral(" The phantom's image is its exact average over the area of each pixel: the distance to "
                               "it also includes what filtered back-projection itself can't recover.")
              : QString()}}});
    add(metricsInWords());
    add(Facts{machineFacts(contents.date)});
    add(Paragraph{{{QStringLiteral("The same figures for programs: ")},
                   {QStringLiteral("report.json"), QStringLiteral("report.json")},
                   {QStringLiteral(".")}},
                  true});
    return page;
}

} // namespace

QByteArray reportHtml(const ReportContents& contents)
{
    return htmlOf(pageOf(contents));
}

QJsonObject reportJson(const ReportContents& contents)
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
                           {"lastRun", parsedJson(engine::reconstructionJson(*one.result))}};
        if (!contents.isReference(k)) {
            object["differenceImage"] = entry.stem + QStringLiteral("-difference.png");
            object["differenceScale"] = entry.differenceScale;
        }
        if (entry.againstExact)
            object["againstExact"] = parsedJson(engine::metricsJson(*entry.againstExact));
        if (entry.againstPhantom)
            object["againstPhantom"] = parsedJson(engine::metricsJson(*entry.againstPhantom));
        settings.append(object);
    }
    return QJsonObject{{"program", QStringLiteral("Sinoscope")},
                       {"version", QString::fromStdString(engine::programVersion())},
                       {"date", contents.date},
                       {"machine", machineJson()},
                       {"scan", parsedJson(engine::scanJson(*contents.scan))},
                       {"slice", contents.slice},
                       {"unit", QString::fromStdString(contents.reference().unit)},
                       {"discRadius", contents.discRadius},
                       {"settings", settings}};
}

} // namespace ui
