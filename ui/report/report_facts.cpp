// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_facts.h"

#include "engine/backends/backend.h"
#include "engine/base/machine.h"
#include "engine/base/version.h"
#include "engine/compare/metrics.h"
#include "engine/scan/geometry_facts.h"
#include "ui/widgets/displayed_number.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QSysInfo>

#include <algorithm>
#include <numbers>

namespace ui
{

namespace
{

QString angleText(const engine::Scan& scan)
{
    const std::vector<double> anglesRad = engine::recordedAnglesRad(scan.geometry);
    if (anglesRad.empty())
        return {};
    const auto [least, most] = std::minmax_element(anglesRad.begin(), anglesRad.end());
    return QStringLiteral("%1, %2° to %3°")
        .arg(groupedText(scan.projections()))
        .arg(*least * 180 / std::numbers::pi, 0, 'g', 5)
        .arg(*most * 180 / std::numbers::pi, 0, 'g', 5)
        .replace(u'-', QChar(0x2212));
}

} // namespace

QString wordedNote(const engine::Note& note)
{
    return worded(note.text().in(engine::commandLineStyle()));
}

QString worded(const std::string& text)
{
    return QString::fromStdString(text);
}

QString shortened(const QString& name, qsizetype most)
{
    return name.size() > most ? name.left(most - 1) + QChar(0x2026) : name;
}

std::vector<Fact> scanFacts(const engine::Scan& scan, int slice, const engine::Reconstruction& shown)
{
    std::vector<Fact> facts;
    facts.push_back({QStringLiteral("Scan"), worded(scan.name) + QStringLiteral(" (") + worded(scan.format) + u')'});
    facts.push_back({QStringLiteral("File"), worded(scan.path)});
    facts.push_back({QStringLiteral("Projections"), angleText(scan)});
    facts.push_back(
        {QStringLiteral("Detector"),
         QStringLiteral("%1 bins × %2")
             .arg(groupedText(scan.bins()),
                  scan.rows == 1 ? QStringLiteral("1 row") : groupedText(scan.rows) + QStringLiteral(" rows"))});
    for (const engine::GeometryFact& fact : engine::geometryFacts(scan.geometry))
        facts.push_back({worded(fact.name), worded(fact.value)});
    facts.push_back({std::holds_alternative<engine::ConeBeam>(scan.geometry) ? QStringLiteral("Voxel")
                                                                             : QStringLiteral("Pixel size"),
                     scan.pixelSizeMm() ? QString::number(*scan.pixelSizeMm() * 1000, 'g', 5) + QStringLiteral(" µm")
                                        : QStringLiteral("not known")});
    facts.push_back({QStringLiteral("Slice"), QStringLiteral("%1 (0–%2), %3 × %4 pixels, values in %5")
                                                  .arg(slice)
                                                  .arg(scan.slices() - 1)
                                                  .arg(shown.grid.width)
                                                  .arg(shown.grid.height)
                                                  .arg(worded(shown.unit))});
    return facts;
}

namespace
{

// Returns the backends of GPUs whose drivers are loaded for everybody.
std::vector<const engine::Backend*> automaticGpus()
{
    std::vector<const engine::Backend*> found;
    for (const engine::Backend* backend : engine::backends())
        if (backend->isAutomatic && !backend->isProcessor)
            found.push_back(backend);
    return found;
}

} // namespace

std::vector<Fact> machineFacts(const QString& date)
{
    std::vector<Fact> facts;
    facts.push_back({QStringLiteral("Processor"), worded(engine::processorName()) + QStringLiteral(", ") +
                                                      worded(engine::threadsText(engine::processorThreads()))});
    for (const engine::Backend* backend : automaticGpus()) {
        const engine::Devices& gpus = backend->devices();
        for (const engine::Device& gpu : gpus.devices)
            facts.push_back({QStringLiteral("GPU %1").arg(gpu.index), worded(gpu.name)});
        if (gpus.devices.empty())
            facts.push_back({QStringLiteral("GPU"),
                             QStringLiteral("none used: ") +
                                 (backend->isBuilt ? worded(gpus.reason)
                                                   : QStringLiteral("the program is built without any for %1s")
                                                         .arg(QString::fromUtf8(backend->deviceLabel)))});
    }
    facts.push_back({QStringLiteral("System"),
                     QSysInfo::prettyProductName() + QStringLiteral(", ") + QSysInfo::currentCpuArchitecture()});
    facts.push_back({QStringLiteral("Program"), QStringLiteral("Sinoscope ") + worded(engine::programVersion())});
    facts.push_back({QStringLiteral("Date"), date});
    return facts;
}

QJsonObject machineJson()
{
    QJsonArray gpus;
    for (const engine::Backend* backend : automaticGpus())
        for (const engine::Device& gpu : backend->devices().devices)
            gpus.append(worded(gpu.name));
    return {{"processor", worded(engine::processorName())},
            {"threads", engine::processorThreads()},
            {"gpus", gpus},
            {"system", QSysInfo::prettyProductName()}};
}

QJsonValue parsedJson(const std::string& json)
{
    const QJsonDocument document = QJsonDocument::fromJson(QByteArray::fromStdString(json));
    return document.isArray() ? QJsonValue(document.array()) : QJsonValue(document.object());
}

Paragraph speedsInWords(const QString& runs)
{
    return {{{QStringLiteral("GU/s are billion updates per second: voxels × projections / seconds / 10⁹. ")},
             {QStringLiteral("Kernel"), {}, true},
             {QStringLiteral(" is back-projection alone. ")},
             {QStringLiteral("Total"), {}, true},
             {QStringLiteral(" goes from projections in memory to the image in memory, with filter, conversions and "
                             "transfers; neither includes reading and preparation. ") +
              runs}}};
}

Facts metricsInWords()
{
    Facts made;
    for (const engine::MetricRow& row : engine::metricRows())
        made.facts.push_back({QString::fromUtf8(row.label), QString::fromUtf8(row.summary)});
    return made;
}

} // namespace ui
