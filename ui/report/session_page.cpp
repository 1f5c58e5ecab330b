// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/session_page.h"

#include "engine/base/error.h"
#include "engine/documents/repeat_command.h"
#include "engine/options/options.h"
#include "ui/background/scan_names.h"
#include "ui/opening/assumed_angles.h"
#include "ui/report/report_facts.h"
#include "ui/widgets/curve_colours.h"
#include "ui/widgets/displayed_number.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <utility>

namespace ui
{

namespace
{

constexpr qsizetype longestName = 160; // characters of a setting's name in a table

QColor markOf(const Compared& one)
{
    return settingColour(paperPalette(), one.colour);
}

// Describes the reference in full; the title names it in a word.
QString referenceInFull(const Comparison& comparison)
{
    using Kind = ReferenceChoice::Kind;
    const Compared* of = comparison.find(comparison.against.id);
    const QString exact = QStringLiteral("the exact method on the same projections, in double precision, with %1 "
                                         "interpolation and the preparation, filter and axis of ")
                              .arg(QString::fromStdString(engine::toText(comparison.against.interpolation)));
    if (comparison.against.kind == Kind::phantom)
        return QStringLiteral("the phantom itself: its exact mean over each pixel, not a reconstruction");
    if (comparison.against.kind == Kind::setting && of)
        return of->name + QStringLiteral(", one of the settings: ") + of->description();
    if (comparison.against.kind == Kind::exactOf && of)
        return exact + of->name + QStringLiteral(" for all");
    return exact + QStringLiteral("each setting");
}

QString quantityInFull(const engine::Scan& scan)
{
    QString text = worded(engine::toText(scan.quantity)).replace(u'-', u' ') + QStringLiteral(", ") +
                   worded(engine::toText(scan.quantitySource));
    if (!scan.quantityReason.empty())
        text += QStringLiteral(": ") + worded(scan.quantityReason);
    return scan.quantityDoubt.empty() ? text : text + QStringLiteral(". ") + wordedNote(scan.quantityDoubt);
}

// Returns "inside the region: rectangle 8,9,20,22 in pixels of the slice; 440 pixels"
QString areaInFull(const ReportedArea& area)
{
    const engine::Mask& mask = area.comparison.mask;
    QString text = (area.name.isEmpty() ? QString() : area.name + QStringLiteral(": ")) + maskText(mask);
    if (mask.region)
        text += QStringLiteral(": ") + worded(engine::toText(engine::Area(*mask.region)));
    if (mask.region || mask.area)
        text += QStringLiteral(" in pixels of the slice");
    for (const Compared& one : area.comparison.compared)
        if (one.metrics)
            return text + QStringLiteral("; %1 pixels").arg(groupedText(one.metrics->pixels));
    return text;
}

void addScan(Page& page, const SessionResults& results)
{
    const engine::Scan& scan = *results.scan;
    const Comparison& comparison = results.comparison;
    Facts facts{scanFacts(scan, comparison.slice, *comparison.a().result)};
    const auto add = [&facts](const char* name, const QString& value) {
        facts.facts.push_back({QString::fromUtf8(name), value});
    };
    add("Values", quantityInFull(scan));
    add("Angles",
        scan.anglesAssumed ? QStringLiteral("none in the scan; assumed: ") + assumedAnglesText(scan) : QString());
    add("Flat and dark", QStringLiteral("%1 flat and %2 dark frames").arg(scan.flatFrames).arg(scan.darkFrames));
    add("Opened with", QString::fromStdString(engine::openedText(results.session.opened)));
    add("Measured against", referenceInFull(comparison));
    for (const ReportedArea& area : results.areas)
        add("Pixels counted", areaInFull(area));
    add("Unit", worded(comparison.a().result->unit));
    page.blocks.emplace_back(facts);
    for (const engine::Note& note : scan.notes)
        page.blocks.emplace_back(Paragraph{{{wordedNote(note)}}, true});
    for (const Compared& one : comparison.compared)
        for (const engine::Note& note : one.result->notes)
            page.blocks.emplace_back(Paragraph{{{one.name + QStringLiteral(": ") + wordedNote(note)}}, true});
}

Table numbersOf(const SessionResults& results, const ReportedArea& area)
{
    const NumbersTable numbers = results.numbersOf(area);
    Table table;
    table.columns = {{QStringLiteral("setting"), {}, true}, {QStringLiteral("ran"), {}, true}};
    for (const NumbersColumn& column : numbers.columns)
        table.columns.push_back({column.name, column.unit});
    const std::vector<Compared>& all = area.comparison.compared;
    const std::string device = all.front().result->device;
    const bool isOneDevice =
        std::ranges::all_of(all, [&](const Compared& one) { return one.result->device == device; });
    for (std::size_t k = 0; k < numbers.rows.size(); ++k) {
        const NumbersRow& row = numbers.rows[k];
        const Compared& one = all[k];
        TableRow made;
        made.mark = markOf(one);
        made.isShaded = one.result == one.reference;
        made.cells = {{shortened(row.name, longestName), row.description},
                      {worded(one.result->method), isOneDevice ? QString() : worded(one.result->device)}};
        bool isFirst = true; // only the first cell of runs gives their number, which is the same for the others
        for (const NumbersCell& cell : row.cells) {
            const bool says = cell.runs.count > 0 && std::exchange(isFirst, false);
            made.cells.push_back({cell.text, says ? QStringLiteral("n = %1").arg(cell.runs.count) : QString()});
        }
        table.rows.push_back(std::move(made));
    }
    const QString runs = results.isTimed ? QStringLiteral("Speeds are medians of n runs after one that isn't counted, "
                                                          "with their quartiles.")
                                         : QStringLiteral("Speeds are medians of the n runs of the window's session, "
                                                          "with their quartiles.");
    table.caption = (area.name.isEmpty() ? QString() : area.name + QStringLiteral(". ")) + QStringLiteral("Against ") +
                    numbers.against + QStringLiteral(". ") + runs +
                    (isOneDevice ? QStringLiteral(" All ran on ") + worded(device) + u'.' : QString());
    return table;
}

// Adds each option that differs between settings as a column, the others as facts.
void addSettings(Page& page, const Comparison& comparison)
{
    Table table;
    table.columns = {{QStringLiteral("setting"), {}, true},
                     {QStringLiteral("axis"), QStringLiteral("bin")},
                     {QStringLiteral("axis found"), {}, true}};
    for (const Compared& one : comparison.compared)
        table.rows.push_back({{{shortened(one.name, longestName)},
                               {QString::number(one.result->axisBins, 'f', 2)},
                               {worded(one.result->axisSource)}},
                              markOf(one)});
    Facts same;
    for (const engine::Option& option : engine::options()) {
        const std::string id = option.id;
        if (!option.use.ofSetting || id == "axis" || id == "method")
            continue;
        QStringList texts;
        for (const Compared& one : comparison.compared) {
            engine::Request made = one.result->request;
            made.setting.kernel.method = one.result->method;
            const bool isNamedByUnit = option.unit == engine::lowerLabel(option); // "slices"
            texts << worded(isNamedByUnit ? option.get(made) : engine::valueInWords(option, made).value_or("–"));
        }
        if (texts.count(texts.front()) == texts.size()) {
            const bool isInTitles =
                option.use.line == engine::ReportLine::none && option.kind != engine::Option::Kind::choice;
            if (texts.front() != QStringLiteral("–") && !isInTitles)
                same.facts.push_back({worded(option.label), texts.front()});
            continue;
        }
        table.columns.push_back({worded(engine::lowerLabel(option)), {}, true});
        for (std::size_t k = 0; k < table.rows.size(); ++k)
            table.rows[k].cells.push_back({texts[static_cast<qsizetype>(k)]});
    }
    table.caption = QStringLiteral(
        "The axis and everything that differs between the settings. Bins are counted from the centre of bin 0.");
    page.blocks.emplace_back(Heading{QStringLiteral("Differences between the settings")});
    page.blocks.emplace_back(table);
    page.blocks.emplace_back(Paragraph{{{QStringLiteral("The same for all:")}}});
    page.blocks.emplace_back(same);
}

void addPictures(Page& page, const SessionResults& results, const SessionDrawings& drawings,
                 const std::stop_token& stop)
{
    const PictureScales scales = scalesOf(results);
    page.blocks.emplace_back(Heading{QStringLiteral("Images and differences")});
    const QString windows =
        QStringLiteral("All images share one grey window, black at %1 and white at %2 %3: the 0.5 and "
                       "99.5 percentiles of ")
            .arg(fourDigitsText(scales.black), fourDigitsText(scales.white), scales.unit) +
        results.comparison.a().name;
    const QString differences =
        QStringLiteral(". Differences share one scale, from −%1 to +%1 %2: blue below, white at 0, red above; %3 % of "
                       "the pixels of each are within it. A difference that is smaller than this scale by a factor of "
                       "%4 would look blank and has a scale of its own.")
            .arg(errorText(scales.difference), scales.unit)
            .arg(100 * PictureScales::share)
            .arg(PictureScales::finest);
    page.blocks.emplace_back(Paragraph{{{windows + differences}}, true});
    page.blocks.emplace_back(imagesOf(results, scales, stop));
    page.blocks.emplace_back(
        Heading{results.lines.size() == 1 ? QStringLiteral("Profile") : QStringLiteral("Profiles")});
    Gallery profiles;
    for (const Picture& picture : drawings.profiles)
        profiles.groups.push_back({{}, {}, {picture}});
    page.blocks.emplace_back(profiles);
    page.blocks.emplace_back(Heading{QStringLiteral("Speed and quality")});
    page.blocks.emplace_back(Gallery{{{{}, {}, {drawings.speedQuality}}}});
}

Commands commandsOf(const SessionResults& results)
{
    const QString name = defaultName(*results.scan, results.comparison.slice);
    Commands made;
    if (!results.file.isEmpty())
        made.lines << QStringLiteral("sinoscope-cli compare-settings ") +
                          QString::fromStdString(engine::quotedForShell(results.file.toStdString())) +
                          QStringLiteral(" --slice %1").arg(results.comparison.slice);
    bool isFirst = true;
    for (const Compared& one : results.comparison.compared) {
        const engine::RepeatCommands commands =
            engine::repeatCommands(*one.result, results.session.opened, results.session.simulation,
                                   name.toStdString() + "_setting_" + std::to_string(one.id));
        if (!commands.scan.empty() && std::exchange(isFirst, false))
            made.lines << QString::fromStdString(commands.scan);
        made.lines << QString::fromStdString(commands.reconstruct);
    }
    return made;
}

QJsonObject spreadJson(const engine::Spread& spread)
{
    return {{"median", spread.median},
            {"lowerQuartile", spread.lower},
            {"upperQuartile", spread.upper},
            {"least", spread.least},
            {"most", spread.most}};
}

} // namespace

Page sessionPage(const SessionResults& results, const SessionDrawings& drawings, const std::stop_token& stop)
{
    const Comparison& comparison = results.comparison;
    const auto count = comparison.compared.size();
    Page page{worded(results.scan->name),
              QStringLiteral("Slice %1, %2: speed, and difference to %3.")
                  .arg(comparison.slice)
                  .arg(count == 1 ? QStringLiteral("one setting") : QStringLiteral("%1 settings").arg(count),
                       comparison.referenceTitle()),
              {}};
    addScan(page, results);
    page.blocks.emplace_back(Heading{QStringLiteral("Speed and errors")});
    for (const ReportedArea& area : results.areas)
        page.blocks.emplace_back(numbersOf(results, area));
    if (!results.leftOut.isEmpty())
        page.blocks.emplace_back(Paragraph{{{QStringLiteral("Hidden in the session, and left out: ") +
                                             results.leftOut.join(QStringLiteral(", ")) + u'.'}},
                                           true});
    addSettings(page, comparison);
    addPictures(page, results, drawings, stop);
    page.blocks.emplace_back(Heading{QStringLiteral("How it was measured")});
    page.blocks.emplace_back(speedsInWords({}));
    Facts explained = metricsInWords();
    for (const NumbersColumn& column : results.numbersOf(results.areas.front()).columns)
        if (!column.isOfRuns && !column.isAgainst)
            explained.facts.push_back({column.name, column.summary});
    page.blocks.emplace_back(explained);
    page.blocks.emplace_back(Facts{machineFacts(results.date)});
    page.blocks.emplace_back(Heading{QStringLiteral("To repeat it")});
    page.blocks.emplace_back(Paragraph{
        {{results.file.isEmpty()
              ? QStringLiteral("Commands for the image of each setting. The figures of all settings can be repeated "
                               "from the session once it is saved: sinoscope-cli compare-settings FILE.")
              : QStringLiteral("The figures of all settings from the session in %1, then the image of each setting.")
                    .arg(results.file)}}});
    page.blocks.emplace_back(commandsOf(results));
    return page;
}

QByteArray sessionReportJson(const SessionResults& results)
{
    QJsonObject json =
        parsedJson(engine::comparedSettingsJson(results.session, *results.scan, comparedSettings(results))).toObject();
    QJsonArray settings = json["settings"].toArray(), lines, areas;
    const ReportedArea& first = results.areas.front();
    for (qsizetype k = 0; k < settings.size(); ++k) {
        const Compared& one = results.comparison.compared[static_cast<std::size_t>(k)];
        QJsonObject setting = settings[k].toObject();
        const Speeds speeds = results.tried.speeds(one);
        setting["description"] = one.description();
        setting["isReference"] = one.result == one.reference;
        setting["runs"] = QJsonObject{{"count", speeds.kernelGups.count},
                                      {"kernelGups", spreadJson(speeds.kernelGups)},
                                      {"totalGups", spreadJson(speeds.totalGups)},
                                      {"totalSeconds", spreadJson(speeds.totalSeconds)}};
        const auto& noise = first.noise[static_cast<std::size_t>(k)];
        setting["noise"] = noise ? QJsonValue(noise->noise) : QJsonValue();
        settings[k] = setting;
    }
    for (const engine::Mark& line : results.lines)
        lines.append(QJsonObject{
            {"name", worded(line.name)}, {"line", worded(engine::toText(line.shape))}, {"width", line.width}});
    for (const engine::Mark* area : results.session.marks.areas())
        areas.append(QJsonObject{{"name", worded(area->name)}, {"area", worded(engine::toText(area->shape))}});
    json["settings"] = settings;
    json["date"] = results.date;
    json["machine"] = machineJson();
    json["lines"] = lines;
    json["areas"] = areas;
    json["hidden"] = QJsonArray::fromStringList(results.leftOut);
    return QJsonDocument(json).toJson();
}

} // namespace ui
