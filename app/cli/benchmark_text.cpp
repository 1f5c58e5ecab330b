// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/benchmark_text.h"

#include "app/cli/text.h"
#include "engine/backends/backend.h"
#include "engine/measure/paper_steps.h"
#include "engine/measure/speed_spread.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

namespace cli
{

namespace
{

using Row = engine::BenchmarkRow;
using Kind = engine::BenchmarkOptions::Kind;

std::string problemText(const Row& row)
{
    const std::string projections = " × " + std::to_string(row.projections) + " → ", size = std::to_string(row.size);
    if (row.alpha > 0)
        return std::to_string(row.bins) + "²" + projections + size + "² × " + std::to_string(row.slices);
    return std::to_string(row.bins) + projections + size + "²";
}

std::string methodText(const Row& row)
{
    return (row.step.empty() ? "" : row.step + ": ") + row.method +
           (row.variant.empty() ? "" : " (" + row.variant + ")") +
           (row.instructionSet.empty() ? "" : " " + row.instructionSet);
}

// Returns the first row of the same problem: of the steps of a paper, the first step.
const Row& firstOfProblem(const std::vector<Row>& rows, const Row& row)
{
    const auto problem = [](const Row& one) { return std::tuple(one.bins, one.projections, one.size, one.alpha); };
    return *std::ranges::find(rows, problem(row), problem);
}

// Prints the rates that were measured, and the limit by each unit for each setting.
void printLimits(const std::vector<Row>& rows, const engine::MachinePeaks& peaks)
{
    std::vector<std::vector<std::string>> cells = {
        {"method", "interpolation", "precision", "slices", "GU/s", "limits, GU/s"}};
    for (const Row& row : rows) {
        std::string limits;
        for (const engine::Limit& limit : row.limits)
            limits += (limits.empty() ? "" : ", ") + limit.unit + ' ' + number(limit.gups) + " (" +
                      number(limit.perUpdate, 3) + " per update)";
        if (!limits.empty())
            cells.push_back({methodText(row), interpolationNameOf(row), engine::toText(row.precision),
                             std::to_string(row.slicesPerPass), number(row.kernelGups), limits});
    }
    if (cells.size() > 1)
        std::cout << "\nLimits: measured rate of a unit over the operations that an update takes there\n\n"
                  << table(cells);
    std::set<std::string> remarks;
    for (const Row& row : rows)
        if (const std::string remark = engine::limitsRemark(engine::workOf(row));
            !remark.empty() && remarks.insert(remark).second)
            std::cout << '\n' << row.method << ": " << remark << '\n';
    for (const engine::Backend* backend : engine::backends())
        for (const engine::DeviceRates& device : peaks.of(*backend)) {
            std::cout << '\n' << (backend->isProcessor ? "One core, " : "") << device.name << ", 10⁹ per second";
            const char* separator = ": ";
            for (const engine::UnitRate& unit : device.units)
                std::cout << std::exchange(separator, ", ") << unit.label << ' ' << number(1e-9 * unit.perSecond);
            if (backend->isProcessor)
                std::cout << "; each thread has " << number(std::round(100 * device.shareOfEach))
                          << " % of them while all compute";
            std::cout << ".\n";
        }
}

// A column of the table of rows; it is left out if all its cells are empty. note: what the heading means.
struct Column {
    std::string heading;
    std::function<std::string(const Row&)> cell;
    std::string note = {};
};

std::string known(double value, int digits = 4) // empty: not measured
{
    return value > 0 ? number(value, digits) : std::string();
}

std::string knownSeconds(double value)
{
    return value > 0 ? seconds(value) : std::string();
}

std::string figureText(const engine::Figure& figure)
{
    using Unit = engine::Figure::Unit;
    switch (figure.unit) {
    case Unit::seconds:
        return seconds(figure.value);
    case Unit::bytesPerSecond:
        return number(figure.value / 1e9, 3) + " GB/s";
    case Unit::share:
        return number(100 * figure.value, 3) + " %";
    case Unit::times:
        return number(figure.value, 3) + " ×";
    case Unit::perSecond:
        return number(figure.value, 3) + " per second";
    case Unit::none:
        break;
    }
    return number(figure.value);
}

bool areProblems(const std::vector<Row>& rows)
{
    return rows.front().alpha > 0 || &firstOfProblem(rows, rows.back()) != &rows.front();
}

// Of planes and volumes: the same for all rows, so that the line above the table shows it.
bool isOfOneSetting(const engine::Benchmark& benchmark)
{
    return benchmark.options.kind == Kind::planes || benchmark.options.kind == Kind::volume;
}

std::vector<Column> columnsOf(const engine::Benchmark& benchmark)
{
    const std::vector<Row>& rows = benchmark.rows;
    const bool hasProblems = areProblems(rows), isCard = benchmark.options.kind == Kind::card,
               isList = !isCard && !isOfOneSetting(benchmark);
    const auto only = [](bool isShown, auto text) {
        return [isShown, text](const Row& row) { return isShown ? text(row) : std::string(); };
    };
    const auto precision = [](const Row& row) { return engine::toText(row.precision); };
    const auto slices = [](const Row& row) { return std::to_string(row.slicesPerPass); };
    std::vector<Column> columns = {
        {"pixels → voxels", only(hasProblems, problemText)},
        {"α", [](const Row& row) { return known(row.alpha, 3); }, "α: values of the projections per voxel."},
        {"plane", [](const Row& row) { return row.plane; }},
        {"output", [](const Row& row) { return row.output; }},
        {"setting",
         only(isCard, [](const Row& row) { return toText(row.interpolation) + ", " + toText(row.precision); })},
        {"method", only(benchmark.options.kind != Kind::volume, methodText)},
        {"interpolation", only(isList, engine::interpolationNameOf)},
        {"precision", only(isList, precision)},
        {"slices", only(isList || isCard, slices)},
        {"kernel GU/s", [](const Row& row) { return number(row.kernelGups); }},
        {"total GU/s", [](const Row& row) { return number(row.totalGups); },
         "Total: from projections in memory to slices in memory, including filter, copies and the first access to the "
         "slices' memory."},
        {"memory reused", [](const Row& row) { return known(row.reusedTotalGups); },
         "Memory reused: the same with memory that an earlier run used, as between a volume's groups of slices."},
        {"slowed",
         [](const Row& row) {
             return row.waitedShare > engine::slowedShare ? number(std::round(100 * row.waitedShare)) + " %"
                                                          : std::string();
         },
         "Slowed: share of the time that threads waited for a core because of other work; such speeds can't be "
         "compared."},
        {"kernel", [](const Row& row) { return seconds(row.kernelSeconds); }},
        {"fastest", [](const Row& row) { return knownSeconds(row.fastestKernelSeconds); }},
        {"slowest", [](const Row& row) { return knownSeconds(row.slowestKernelSeconds); }},
        {"whole", [](const Row& row) { return knownSeconds(row.wholeSeconds); }},
        {"predicted",
         [](const Row& row) { return row.limits.empty() ? std::string() : number(row.limits.front().gups); },
         "Predicted: kernel GU/s if the unit that the kernel needs most were always busy."},
        {"of its limit", [](const Row& row) { return engine::limiterText(row.kernelGups, row.limits); },
         "Of its limit: the kernel's speed over the predicted one" +
             std::string(benchmark.peaks.of(engine::processorBackend()).empty()
                             ? ""
                             : ", on as many cores as there are threads") +
             "; --details shows the units."},
        {"error", [](const Row& row) { return known(row.relativeError, 3); },
         "Error: RMSE against the exact method with linear interpolation, as a share of the image's range, on the "
         "Shepp-Logan phantom."},
        {"watts", [](const Row& row) { return known(row.watts, 3); },
         "Watts: of the GPU's board while the setting runs for a second without a pause; GU/s per watt with filter and "
         "copies."},
        {"total GU/s per watt", [](const Row& row) { return known(row.gupsPerWatt, 3); }},
        {"× first", only(!rows.front().step.empty(),
                         [&](const Row& row) {
                             return number(comparedSpeedOf(row) / comparedSpeedOf(firstOfProblem(rows, row)), 3);
                         })},
        {"× in the paper", [](const Row& row) { return known(row.paperFactor, 3); }},
        {"with OpenMP", [](const Row& row) { return known(row.paperFactorOpenMp, 3); },
         "With OpenMP: the paper's second version of a step, over the same first step; the column before: OpenCL."}};
    for (std::size_t k = 0; k < rows.front().figures.size(); ++k)
        if (const std::string& label = rows.front().figures[k].label; !label.empty())
            columns.push_back({label, [k](const Row& row) { return figureText(row.figures[k]); }});
    return columns;
}

// Returns "NVIDIA H200, cone beam, 512² pixels per slice, 512 projections".
std::string headingOf(const engine::Benchmark& benchmark)
{
    const Row& row = benchmark.rows.front();
    std::string text = plain(benchmark.device) + ", " + row.geometry;
    if (!benchmark.scan.empty())
        text += ", " + plain(benchmark.scan);
    if (!areProblems(benchmark.rows))
        text += (row.output.empty() ? ", " : ", " + std::to_string(row.slices) + " slices, ") +
                std::to_string(row.size) + "² pixels per " + (row.plane.empty() ? "slice, " : "plane, ") +
                std::to_string(row.projections) + " projections";
    if (!row.output.empty())
        text += ", " + row.method + ", " + std::to_string(row.slicesPerPass) + " slices per pass";
    if (isOfOneSetting(benchmark))
        text += ", " + interpolationNameOf(row) + ", " + toText(row.precision);
    return text;
}

void printDetails(const std::vector<Row>& rows, const engine::MachinePeaks& peaks)
{
    std::vector<std::vector<std::string>> runs = {{"method", "interpolation", "precision", "slices",
                                                   "middle half, GU/s", "slowest to fastest", "last ÷ first quarter",
                                                   "upload", "filter", "kernel", "download", "other", "clock before",
                                                   "after", "speed, run after run"}};
    std::vector<std::vector<std::string>> kernels = {{"method", "interpolation", "precision", "slices", "registers",
                                                      "shared memory", "threads", "blocks", "occupancy"}};
    const auto mhz = [](double clock) {
        return clock > 0 ? number(std::round(clock)) + " MHz" : std::string("unknown");
    };
    for (const Row& row : rows) {
        const engine::SpeedSpread spread = engine::speedSpreadOf(row.kernelRuns, row.kernelGups * row.kernelSeconds);
        const double other = std::max(0.0, row.totalSeconds - row.filterSeconds - row.kernelSeconds -
                                               row.uploadSeconds - row.downloadSeconds);
        const auto share = [&](double part) {
            return part > 0 ? number(std::round(100 * part / row.totalSeconds)) + " %" : std::string("–");
        };
        const std::string name = methodText(row), interpolation = interpolationNameOf(row),
                          precision = engine::toText(row.precision), slices = std::to_string(row.slicesPerPass);
        runs.push_back({name, interpolation, precision, slices, number(spread.lower) + " to " + number(spread.upper),
                        engine::distributionText(spread), spread.drift > 0 ? number(spread.drift, 4) : "–",
                        share(row.uploadSeconds), share(row.filterSeconds), share(row.kernelSeconds),
                        share(row.downloadSeconds), share(other), mhz(row.clockBeforeMhz), mhz(row.clockAfterMhz),
                        engine::curveText(spread.runs)});
        if (const engine::KernelOccupancy& kernel = row.occupancy; kernel.registers > 0)
            kernels.push_back({name, interpolation, precision, slices, std::to_string(kernel.registers),
                               number(kernel.sharedBytes / 1024.0, 3) + " KiB", std::to_string(kernel.threads),
                               std::to_string(kernel.blocks), number(100 * kernel.occupancy, 3) + " %"});
    }
    std::cout
        << "\nRuns of each setting\n\n"
        << table(runs)
        << "\nMiddle half: a quarter of the runs was slower, a quarter faster. Slowest to fastest: how many runs had "
           "each speed. Last ÷ first quarter: below 1 the speed fell; needs eight runs.\nUpload, filter, kernel, "
           "download, "
           "other: shares of the total. Clock: before the first and after the last run.\n";
    if (kernels.size() > 1)
        std::cout << "\nKernels: registers per thread, shared memory and threads per block, blocks that a "
                     "multiprocessor holds, its threads in use\n\n"
                  << table(kernels);
    printLimits(rows, peaks);
}

void printPaper(const engine::PaperSequence& sequence, const std::vector<Row>& rows)
{
    const auto speedsFor = [&](const std::optional<engine::ConeProblem>& problem) {
        std::string text;
        for (const engine::PaperStep& step : sequence.steps)
            for (const auto& [version, suffix] :
                 {std::pair(engine::PaperVersion::usual, ""), std::pair(engine::PaperVersion::openMp, " with OpenMP")})
                if (const double speed = printedSpeed(sequence, step, problem, version); speed > 0)
                    text += (text.empty() ? "" : ", ") + step.name + suffix + ' ' + number(speed);
        return text + ".\n";
    };
    const std::string unit = sequence.unit == "GUPS"    ? "in GUPS of 2³⁰ updates (1 GUPS is 1.074 GU/s)"
                             : sequence.unit == "times" ? "as multiples of the first step"
                                                        : "in " + sequence.unit;
    std::cout << '\n' << "In the paper: " << sequence.source << ", on " << sequence.device << ", " << unit << ".\n";
    std::vector<engine::ConeProblem> shown;
    bool hasOther = sequence.problems.empty();
    for (const Row& row : rows) {
        const engine::ConeProblem problem{row.bins, row.projections, row.size, row.slices};
        if (std::ranges::find(shown, problem) != shown.end())
            continue;
        shown.push_back(problem);
        const bool isPrinted = std::ranges::find(sequence.problems, problem) != sequence.problems.end();
        if (isPrinted)
            std::cout << problemText(row) << ": " << speedsFor(problem);
        hasOther = hasOther || !isPrinted;
    }
    if (hasOther)
        std::cout << (sequence.problems.empty() ? ""
                                                : "The paper has not measured this size; its factors are those of: ")
                  << speedsFor(std::nullopt);
}

} // namespace

void printBenchmark(const engine::Benchmark& benchmark, bool details)
{
    std::vector<std::vector<std::string>> cells(benchmark.rows.size() + 1);
    std::string notes;
    for (const Column& column : columnsOf(benchmark)) {
        std::vector<std::string> texts;
        std::ranges::transform(benchmark.rows, std::back_inserter(texts), column.cell);
        if (std::ranges::all_of(texts, &std::string::empty))
            continue;
        cells.front().push_back(column.heading);
        for (std::size_t k = 0; k < texts.size(); ++k)
            cells[k + 1].push_back(texts[k].empty() ? "–" : texts[k]);
        notes += column.note.empty() ? "" : column.note + '\n';
    }
    std::cout << headingOf(benchmark) << "; medians\n\n" << table(cells) << '\n' << notes;
    for (const engine::Figure& figure : benchmark.figures)
        if (!std::isnan(figure.value))
            std::cout << figure.label << ": " << figureText(figure) << '\n';
    if (!benchmark.command.empty())
        std::cout << plain(benchmark.command) << "; version " << benchmark.version << ", " << benchmark.date << '\n';
    if (details)
        printDetails(benchmark.rows, benchmark.peaks);
    if (!benchmark.options.steps.empty())
        printPaper(engine::sequenceOf(benchmark.options.steps), benchmark.rows);
}

} // namespace cli
