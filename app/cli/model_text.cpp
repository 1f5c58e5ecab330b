// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/model_text.h"

#include "app/cli/text.h"
#include "engine/base/number_text.h"
#include "engine/volume/published.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

namespace cli
{

namespace
{

using engine::ModelledRanks;
using engine::ModelStage;
using engine::PublishedBeside;
using engine::PublishedFigure;
using Rows = std::vector<ModelledRanks>;

constexpr int plotColumns = 60;

// Returns the value with three significant digits, but always with all digits before the decimal point.
std::string cell(double value)
{
    return value >= 999.5 ? number(std::round(value), 12) : number(value, 3);
}

std::string secondsCell(double value)
{
    return value > 0 ? cell(value) : "-";
}

std::string gridText(const engine::RankGrid& grid)
{
    return std::to_string(grid.rows) + " × " + std::to_string(grid.columns);
}

// Returns the stages that take time in any of the rows.
std::vector<const ModelStage*> stagesOf(const Rows& rows)
{
    std::vector<const ModelStage*> stages;
    for (const ModelStage& stage : engine::modelStages())
        if (stage.inTable &&
            std::ranges::any_of(rows, [&](const auto& row) { return stage.seconds(row.prediction) > 0; }))
            stages.push_back(&stage);
    return stages;
}

// Returns the seconds that Chen et al. 2019 measured for the stages that overlap, if published for this number of
// ranks.
std::optional<double> publishedCompute(const std::vector<PublishedBeside>& published, int ranks)
{
    for (const PublishedBeside& beside : published)
        if (beside.figure->gpus == ranks && beside.figure->stage == std::string("compute"))
            return beside.figure->seconds;
    return {};
}

std::string problemText(const engine::Problem& problem)
{
    const auto text = [](int size) { return std::to_string(size); };
    return (problem.projectionsPerRank > 0 ? text(problem.projectionsPerRank) + " projections for each rank, of "
                                           : text(problem.projections) + " projections of ") +
           text(problem.rows) + " × " + text(problem.bins) + " to " + text(problem.sizeZ) + " × " +
           text(problem.sizeY) + " × " + text(problem.sizeX) + " voxels (" +
           engine::sizeText(engine::voxelsOf(problem) * problem.bytesPerVoxel) + ")";
}

std::string rowsText(const Rows& rows, const std::vector<PublishedBeside>& published)
{
    const std::vector<const ModelStage*> stages = stagesOf(rows);
    const bool inPasses = std::ranges::any_of(rows, [](const ModelledRanks& row) { return row.prediction.passes > 1; });
    const bool hasPublished = std::ranges::any_of(
        rows, [&](const ModelledRanks& row) { return publishedCompute(published, row.ranks).has_value(); });
    const bool isWeak = std::ranges::any_of(
        rows, [&](const ModelledRanks& row) { return row.projections != rows.front().projections; });
    std::vector<std::string> heading = {"ranks", "R × C"};
    if (isWeak)
        heading.push_back("projections");
    if (inPasses)
        heading.push_back("passes");
    for (const ModelStage* stage : stages) {
        heading.push_back(stage->label);
        if (hasPublished && stage->id == std::string("compute"))
            heading.push_back("of iFDK");
    }
    heading.insert(heading.end(), {"GU/s", "efficiency"});
    std::vector<std::vector<std::string>> cells = {heading};
    for (const ModelledRanks& row : rows) {
        std::vector<std::string> line = {std::to_string(row.ranks), gridText(row.prediction.grid)};
        if (isWeak)
            line.push_back(std::to_string(row.projections));
        if (inPasses)
            line.push_back(std::to_string(row.prediction.passes));
        for (const ModelStage* stage : stages) {
            line.push_back(secondsCell(stage->seconds(row.prediction)));
            if (hasPublished && stage->id == std::string("compute"))
                line.push_back(secondsCell(publishedCompute(published, row.ranks).value_or(0)));
        }
        line.push_back(cell(row.gups));
        line.push_back(number(100 * row.efficiency, 3) + " %");
        cells.push_back(line);
    }
    return "Seconds; compute is the longest of the overlapping stages (load, filter, AllGather, to device + kernel). "
           "Efficiency: speed per rank,\n"
           "relative to the first line.\n" +
           table(cells);
}

std::string publishedText(const std::vector<PublishedBeside>& published)
{
    if (published.empty())
        return {};
    std::vector<std::vector<std::string>> cells = {
        {"published (iFDK)", "ranks", "stage", "seconds", "", "model", "model / published"}};
    for (const PublishedBeside& beside : published) {
        const PublishedFigure& figure = *beside.figure;
        const bool isLimit = figure.kind == PublishedFigure::Kind::atMost;
        cells.push_back({figure.place, std::to_string(figure.gpus), engine::modelStage(figure.stage).label,
                         number(figure.seconds, 3), engine::toText(figure.kind), number(beside.predicted, 3),
                         isLimit ? (beside.ratio <= 1 ? "less" : "more") : number(beside.ratio, 2)});
    }
    return '\n' + table(cells) + "GU/s are 10⁹ updates per second; the paper's GUPS are 2³⁰.\n";
}

// The logarithmic axis of the plot, in decades from the least to the most seconds; four decades at most.
struct Axis {
    int from = 0, to = 1;

    int columnOf(double value) const
    {
        const double along = (std::log10(value) - from) / (to - from);
        return static_cast<int>(std::lround(std::clamp(along, 0.0, 1.0) * plotColumns));
    }
    std::string labels() const
    {
        std::string line;
        for (int power = from; power <= to; ++power) {
            line.resize(std::max<std::size_t>(line.size(), std::size_t(columnOf(std::pow(10, power)))), ' ');
            line += (line.empty() || line.back() == ' ' ? "" : " ") + cell(std::pow(10, power)) + " s";
        }
        return line;
    }
};

std::optional<Axis> axisOf(const Rows& rows)
{
    std::vector<double> all;
    for (const ModelledRanks& row : rows)
        for (const double value : {row.prediction.total(), row.prediction.compute(), row.prediction.post()})
            if (value > 0)
                all.push_back(value);
    if (all.empty())
        return {};
    const auto [least, most] = std::ranges::minmax(all);
    const int to = static_cast<int>(std::ceil(std::log10(most)));
    return Axis{std::max(std::min(static_cast<int>(std::floor(std::log10(least))), to - 1), to - 4), to};
}

} // namespace

std::string machineText(const engine::Problem& problem, const engine::Rates& rates)
{
    std::vector<std::pair<std::string, std::string>> lines = {
        {"problem", problemText(problem)},
        {"machine", rates.name},
        {"each node", "ranks: " + std::to_string(rates.gpusPerNode) + " with " +
                          engine::sizeText(rates.gpuMemoryBytes) +
                          ", connectors to the host: " + std::to_string(rates.connectorsPerNode)},
        {"loading", engine::loadingRow(rates.loading).summary}};
    for (const engine::RateRow& row : engine::rateRows()) {
        const auto& rate = rates.*row.rate;
        const bool ofBytes = row.unit == std::string("B");
        lines.emplace_back(row.label, !rate     ? "takes no time"
                                      : ofBytes ? engine::sizeText(*rate) + "/s"
                                                : number(*rate / 1e9, 4) + " G" + row.unit + "/s");
    }
    return listing(lines);
}

std::string modelText(const engine::Problem& problem, const engine::Rates& rates, const Rows& rows)
{
    const std::vector<PublishedBeside> published = engine::publishedBeside(problem, rows);
    return machineText(problem, rates) + '\n' + rowsText(rows, published) + '\n' + modelPlot(problem, rows) +
           publishedText(published);
}

std::string modelPlot(const engine::Problem& problem, const Rows& rows)
{
    const std::optional<Axis> axis = axisOf(rows);
    if (!axis)
        return {};
    const std::vector<PublishedBeside> published = engine::publishedBeside(problem, rows);
    const std::size_t columns = std::to_string(std::ranges::max(rows, {}, &ModelledRanks::ranks).ranks).size();
    std::string text = std::string(columns + 2, ' ') + axis->labels() + '\n';
    bool hasMeasured = false;
    for (const ModelledRanks& row : rows) {
        const engine::Prediction& seconds = row.prediction;
        std::string line(plotColumns + 1, ' ');
        const auto mark = [&](double value, char sign) {
            if (value > 0)
                line[std::size_t(axis->columnOf(value))] = sign;
        };
        if (seconds.total() > 0)
            std::fill_n(line.begin(), axis->columnOf(seconds.total()) + 1, '=');
        mark(seconds.compute(), 'C');
        mark(seconds.post(), 'P');
        if (const auto measured = publishedCompute(published, row.ranks)) {
            mark(*measured, 'M');
            hasMeasured = true;
        }
        line.erase(line.find_last_not_of(' ') + 1);
        const std::string ranks = std::to_string(row.ranks);
        text += std::string(columns - ranks.size(), ' ') + ranks + "  " + line + '\n';
    }
    return text + "Seconds by ranks: = the total, C compute, P the stages after it" +
           (hasMeasured ? ", M compute as measured for iFDK.\n" : ".\n");
}

std::string modelCsv(const Rows& rows)
{
    std::string csv = "ranks,rows,columns,passes";
    for (const ModelStage& stage : engine::modelStages())
        csv += std::string(",") + stage.id + " [s]";
    csv += ",GU/s,efficiency,projections";
    for (const ModelledRanks& row : rows) {
        const engine::RankGrid& grid = row.prediction.grid;
        csv += '\n' + std::to_string(row.ranks) + ',' + std::to_string(grid.rows) + ',' + std::to_string(grid.columns) +
               ',' + std::to_string(row.prediction.passes);
        for (const ModelStage& stage : engine::modelStages())
            csv += ',' + number(stage.seconds(row.prediction), 6);
        csv += ',' + number(row.gups, 6) + ',' + number(row.efficiency, 6) + ',' + std::to_string(row.projections);
    }
    return csv;
}

std::string comparisonText(const engine::ModelComparison& comparison)
{
    const bool hasShares =
        std::ranges::any_of(comparison.stages, [](const auto& row) { return row.share.has_value(); });
    std::vector<std::vector<std::string>> cells = {{"stage", "predicted", "measured", "predicted / measured"}};
    if (hasShares)
        cells.front().push_back("share");
    for (const engine::ComparedStage& row : comparison.stages) {
        cells.push_back(
            {row.stage->label, seconds(row.predicted), seconds(row.measured), row.ratio ? number(*row.ratio, 3) : "-"});
        if (hasShares)
            cells.back().push_back(row.share ? number(100 * *row.share, 3) + " %" : "-");
    }
    return table(cells) +
           (comparison.overlap
                ? "Overlap, filter + AllGather + back-projection over compute: " + number(*comparison.overlap, 3) + "\n"
                : "");
}

} // namespace cli
