// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/session_results.h"

#include "engine/base/error.h"
#include "ui/image/shapes.h"
#include "ui/widgets/displayed_number.h"

#include <QDateTime>

#include <algorithm>
#include <chrono>

namespace ui
{

namespace
{

bool isReported(const Comparison& comparison, const Compared& one)
{
    return one.visible || one.id == comparison.against.id || one.id == comparison.a().id;
}

Comparison comparisonOf(const engine::Session& session, const std::shared_ptr<const engine::Scan>& scan,
                        const std::vector<engine::ComparedSetting>& all)
{
    Comparison made;
    made.slice = session.slice;
    made.against = session.list.reference;
    made.mask = session.marks.mask();
    if (session.marks.area())
        made.areaName = QString::fromStdString(session.marks.area()->name);
    for (const engine::ComparedSetting& one : all) {
        if (one.setting.id == session.list.chosenId)
            made.chosen = made.compared.size();
        made.compared.push_back({QString::fromStdString(one.setting.name),
                                 engine::requestShowing(scan, one.setting.setting, session.resources, session.slice),
                                 one.result, one.setting.id, one.setting.colour, one.setting.visible, one.reference,
                                 one.metrics});
    }
    nameByDifferences(made, session.list);
    return made;
}

// Adds one more run of setting k. The others have no result here, so that none of their runs is counted.
void addRun(TriedSettings& tried, const Comparison& comparison, std::size_t k, Image run)
{
    Comparison alone = comparison;
    for (Compared& other : alone.compared)
        other.result = nullptr;
    const bool isReference = comparison.compared[k].result == comparison.compared[k].reference;
    alone.compared[k].result = run;
    if (isReference)
        alone.compared[k].reference = run;
    tried.add(alone);
}

// Returns the comparison with another area, and without figures.
Comparison unmeasured(Comparison comparison, const engine::Mark& area)
{
    comparison.mask = engine::maskOf(std::get<engine::Area>(area.shape));
    comparison.areaName = QString::fromStdString(area.name);
    for (Compared& one : comparison.compared)
        one.metrics.reset();
    return comparison;
}

} // namespace

NumbersTable ReportedArea::numbers(const TriedSettings& tried, const ConsistencyOf& consistencyOf) const
{
    return numbersTable(
        comparison, tried,
        [this](const Compared& one) -> const engine::AreaStatistics* {
            const auto k = static_cast<std::size_t>(comparison.find(one.id) - comparison.compared.data());
            return k < noise.size() && noise[k] ? &*noise[k] : nullptr;
        },
        {}, consistencyOf);
}

NumbersTable SessionResults::numbersOf(const ReportedArea& area) const
{
    if (&area != &areas.front())
        return area.numbers(tried);
    return area.numbers(tried, [this](const Compared& one) -> const engine::Consistency* {
        const auto k = static_cast<std::size_t>(comparison.find(one.id) - comparison.compared.data());
        return k < consistency.size() && consistency[k] ? &*consistency[k] : nullptr;
    });
}

SessionResults resultsOf(const engine::Session& session, const std::shared_ptr<const engine::Scan>& scan,
                         const Comparison& shown, const TriedSettings& tried)
{
    SessionResults made;
    made.session = session;
    made.scan = scan;
    made.tried = tried;
    made.date = QDateTime::currentDateTimeUtc().toString(Qt::ISODate);
    made.comparison = shown;
    made.comparison.compared.clear();
    for (const Compared& one : shown.compared) {
        if (!isReported(shown, one)) {
            made.leftOut << one.name;
            continue;
        }
        if (!one.result || !one.reference || one.isPreview())
            throw engine::Error(engine::ErrorKind::badRequest,
                                "a report needs every visible setting and its reference; '" + one.name.toStdString() +
                                    "' isn't computed yet. Wait for it, or press F5.");
        if (one.id == shown.a().id)
            made.comparison.chosen = made.comparison.compared.size();
        made.comparison.compared.push_back(one);
    }
    if (!made.session.marks.line())
        made.session.marks.add(defaultLine(made.comparison.a().result->grid.size));
    const engine::Marks& marks = made.session.marks;
    made.lines.push_back(*marks.line());
    for (const engine::Mark* line : marks.lines())
        if (line->visible && line->id != marks.lineId)
            made.lines.push_back(*line);
    made.areas.push_back({{}, made.comparison});
    for (const engine::Mark* area : marks.areas())
        if (area->visible && area->id != marks.areaId)
            made.areas.push_back({QString::fromStdString(area->name), unmeasured(made.comparison, *area)});
    if (made.areas.size() > 1 && marks.area())
        made.areas.front().name = QString::fromStdString(marks.area()->name);
    return made;
}

SessionResults computedResults(const engine::Session& given, const ComputeOptions& options)
{
    const std::shared_ptr<const engine::Scan> scan = engine::openScan(given);
    engine::Session session = given;
    session.resources.threads = 0;
    if (session.slice >= scan->slices())
        throw engine::Error(engine::ErrorKind::badRequest, "slice " + std::to_string(session.slice) +
                                                               " is not in the scan, which has slices 0 to " +
                                                               std::to_string(scan->slices() - 1));
    const auto all = engine::compareSettings(scan, session.list, session.resources, session.slice, session.marks.mask(),
                                             {}, options.stop);
    Comparison comparison = comparisonOf(session, scan, all);
    TriedSettings tried;
    engine::Reconstructor reconstructor;
    for (std::size_t k = 0; k < comparison.compared.size(); ++k) {
        const Compared& one = comparison.compared[k];
        reconstructor.run(one.request, {}, options.stop); // warms up: filter plans, and rows that are cached
        const auto begin = std::chrono::steady_clock::now();
        const auto seconds = [&] {
            return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        };
        int runs = 0;
        do
            addRun(tried, comparison, k,
                   std::make_shared<const engine::Reconstruction>(reconstructor.run(one.request, {}, options.stop)));
        while (++runs < ComputeOptions::mostRuns && seconds() < options.secondsPerSetting);
        const Speeds speeds = tried.speeds(one);
        if (options.line)
            options.line(QStringLiteral("[%1/%2] ").arg(k + 1).arg(comparison.compared.size()) + one.name +
                         QStringLiteral(": kernel %1 GU/s, total %2 GU/s")
                             .arg(gupsText(speeds.kernelGups.median), gupsText(speeds.totalGups.median)) +
                         (one.metrics ? QStringLiteral(", RMSE ") + errorText(one.metrics->rmse) : QString()));
    }
    SessionResults made = resultsOf(session, scan, comparison, tried);
    for (const engine::NamedSetting& one : session.list.settings)
        if (!comparison.find(one.id))
            made.leftOut << QString::fromStdString(one.name);
    made.isTimed = true;
    return made;
}

void measureRest(SessionResults& results, const std::stop_token& stop)
{
    std::vector<engine::ComparedSetting> all = comparedSettings(results);
    engine::measureConsistency(all, results.comparison.slice, {}, stop);
    results.consistency.clear();
    for (engine::ComparedSetting& one : all)
        results.consistency.push_back(std::move(one.consistency));
    for (ReportedArea& area : results.areas) {
        area.noise.clear();
        for (Compared& one : area.comparison.compared) {
            if (stop.stop_requested())
                throw engine::Error(engine::ErrorKind::cancelled, "cancelled");
            if (!one.metrics)
                one.metrics = engine::measured(one.result.get(), one.reference.get(), area.comparison.slice,
                                               area.comparison.mask);
            const GridSlice plane = planeOf(one.result, area.comparison.slice, {});
            area.noise.emplace_back(
                engine::statisticsOf(plane.values(), plane.grid.width, plane.grid.height, area.comparison.mask));
        }
    }
}

std::vector<engine::ComparedSetting> comparedSettings(const SessionResults& results)
{
    std::vector<engine::ComparedSetting> all;
    for (std::size_t k = 0; k < results.comparison.compared.size(); ++k) {
        const Compared& one = results.comparison.compared[k];
        if (const engine::NamedSetting* named = results.session.list.find(one.id))
            all.push_back({*named, one.result, one.reference, one.metrics,
                           k < results.consistency.size() ? results.consistency[k] : std::nullopt});
    }
    return all;
}

} // namespace ui
