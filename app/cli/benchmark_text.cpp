// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/benchmark_text.h"

#include "app/cli/text.h"
#include "engine/measure/speed_spread.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <set>
#include <tuple>

namespace cli
{

std::string settingText(const engine::BenchmarkRow& row)
{
    return engine::toText(row.interpolation) +
           (row.interpolation == engine::Interpolation::oversampled ? ":" + std::to_string(row.oversampling) : "");
}

namespace
{

std::string problemText(const engine::BenchmarkRow& row)
{
    const std::string projections = " × " + std::to_string(row.projections) + " → ", size = std::to_string(row.size);
    if (row.alpha > 0)
        return std::to_string(row.bins) + "²" + projections + size + "² × " + std::to_string(row.slices);
    return std::to_string(row.bins) + projections + size + "²";
}

std::string methodText(const engine::BenchmarkRow& row)
{
    return (row.step.empty() ? "" : row.step + ": ") + row.method +
           (row.variant.empty() ? "" : " (" + row.variant + ")") +
           (row.instructionSet.empty() ? "" : " " + row.instructionSet);
}

// Returns the first row of the same problem: of the steps of a paper, the first step.
const engine::BenchmarkRow& firstOfProblem(const std::vector<engine::BenchmarkRow>& rows,
                                           const engine::BenchmarkRow& row)
{
    const auto problem = [](const engine::BenchmarkRow& one) {
        return std::tuple(one.bins, one.projections, one.size, one.alpha);
    };
    return *std::ranges::find(rows, problem(row), problem);
}

// Prints the rates that were measured, and the limit by each unit for each setting.
void printLimits(const std::vector<engine::BenchmarkRow>& rows, const engine::MachinePeaks& peaks)
{
    std::vector<std::vector<std::string>> cells = {
        {"method", "interpolation", "precision", "slices", "GU/s", "limits, GU/s"}};
    for (const engine::BenchmarkRow& row : rows) {
        std::string limits;
        for (const engine::Limit& limit : row.limits)
            limits += (limits.empty() ? "" : ", ") + limit.unit + ' ' + number(limit.gups) + " (" +
                      number(limit.perUpdate, 3) + " per update)";
        if (!limits.empty())
            cells.push_back({methodText(row), settingText(row), engine::toText(row.precision),
                             std::to_string(row.slicesPerPass), number(row.kernelGups), limits});
    }
    if (cells.size() > 1)
        std::cout << "\nLimits: measured rate of a unit over the operations that an update takes there\n\n"
                  << table(cells);
    std::set<std::string> remarks;
    for (const engine::BenchmarkRow& row : rows)
        if (const std::string remark = engine::limitsRemark(engine::workOf(row));
            !remark.empty() && remarks.insert(remark).second)
            std::cout << '\n' << row.method << ": " << remark << '\n';
    for (const engine::ProcessorPeaks& peak : peaks.cores)
        std::cout << "\nOne core, " << peak.instructionSet << ", 10⁹ floats per second: multiply-adds "
                  << number(peak.multiplyAdds) << ", shuffles " << number(peak.shuffles) << ", loads "
                  << number(peak.loads) << ", 16-bit products (pairs) " << number(peak.fixedPairs)
                  << "; each thread has " << number(std::round(100 * peak.shareOfEach))
                  << " % of them while all compute.\n";
    for (const auto& [device, peak] : peaks.gpus)
        std::cout << '\n'
                  << device << ", 10⁹ per second: texels " << number(1e-9 * peak.texels) << ", bytes of shared memory "
                  << number(1e-9 * peak.sharedBytes) << ", multiply-adds " << number(1e-9 * peak.instructions)
                  << ", tensor products " << number(1e-9 * peak.tensorProducts) << ", bytes copied in its memory "
                  << number(1e-9 * peak.memoryBytes) << ", to it " << number(1e-9 * peak.upBytes) << ", from it "
                  << number(1e-9 * peak.downBytes) << ".\n";
    for (const auto& [device, peak] : peaks.openCl) {
        std::cout << '\n'
                  << device << ", 10⁹ per second: multiply-adds " << number(1e-9 * peak.multiplyAdds)
                  << ", bytes of local memory " << number(1e-9 * peak.localBytes) << "; fetches ";
        const char* separator = "";
        for (const auto& [format, perSecond] : peak.fetches) {
            std::cout << separator << (format.nearest ? "nearest" : "linear") << " of " << format.channels
                      << (format.half ? " half" : " float") << ' ' << number(1e-9 * perSecond);
            separator = ", ";
        }
        std::cout << ".\n";
    }
}

} // namespace

void printBenchmark(const std::vector<engine::BenchmarkRow>& rows, const engine::MachinePeaks& peaks)
{
    std::vector<std::vector<std::string>> cells = {{"method", "interpolation", "precision", "slices", "kernel GU/s",
                                                    "total GU/s", "kernel", "fastest", "slowest", "of its limit"}};
    const bool areLimited =
        std::ranges::any_of(rows, [](const engine::BenchmarkRow& row) { return !row.limits.empty(); });
    if (!areLimited)
        cells.front().pop_back();
    const bool areReused =
        std::ranges::any_of(rows, [](const engine::BenchmarkRow& row) { return row.reusedTotalGups > 0; });
    if (areReused)
        cells.front().insert(cells.front().begin() + 6, "memory reused");
    const bool isPower = std::ranges::any_of(rows, [](const engine::BenchmarkRow& row) { return row.watts > 0; });
    if (isPower)
        cells.front().insert(cells.front().end(), {"watts", "total GU/s per watt"});
    const bool areSteps = !rows.front().step.empty();
    if (areSteps)
        cells.front().insert(cells.front().end(), {"× first", "× in the paper"});
    const bool areCones = rows.front().alpha > 0;
    const bool areProblems = areCones || &firstOfProblem(rows, rows.back()) != &rows.front();
    if (areCones)
        cells.front().insert(cells.front().begin(), "α");
    if (areProblems)
        cells.front().insert(cells.front().begin(), "pixels → voxels");
    for (const engine::BenchmarkRow& row : rows) {
        cells.push_back({methodText(row), settingText(row), engine::toText(row.precision),
                         std::to_string(row.slicesPerPass), number(row.kernelGups), number(row.totalGups),
                         seconds(row.kernelSeconds), seconds(row.fastestKernelSeconds),
                         seconds(row.slowestKernelSeconds)});
        if (areLimited)
            cells.back().push_back(row.limits.empty() ? "–" : engine::limiterText(row.kernelGups, row.limits));
        if (areReused)
            cells.back().insert(cells.back().begin() + 6, row.reusedTotalGups > 0 ? number(row.reusedTotalGups) : "–");
        if (isPower)
            cells.back().insert(cells.back().end(), {row.watts > 0 ? number(row.watts, 3) : "–",
                                                     row.watts > 0 ? number(row.gupsPerWatt, 3) : "–"});
        if (areSteps) {
            cells.back().push_back(number(row.kernelGups / firstOfProblem(rows, row).kernelGups, 3));
            cells.back().push_back(row.paperFactor > 0 ? number(row.paperFactor, 3) : "–");
        }
        if (areCones)
            cells.back().insert(cells.back().begin(), number(row.alpha, 3));
        if (areProblems)
            cells.back().insert(cells.back().begin(), problemText(row));
    }
    std::cout << rows.front().device << ", ";
    if (areCones)
        std::cout << rows.front().geometry;
    else if (areProblems)
        std::cout << "one pass of slices";
    else
        std::cout << rows.front().size << "² pixels per slice, " << rows.front().projections << " projections";
    std::cout << "; medians\n\n" << table(cells);
    std::cout << "\n"
              << (areCones ? "α: values of the projections per voxel.\n" : "")
              << "Total: from projections in memory to slices in memory, including filter, copies and the first access "
                 "to the slices' memory.\n";
    if (areReused)
        std::cout << "Memory reused: the same with memory that an earlier run used, as between a volume's groups of "
                     "slices.\n";
    if (isPower)
        std::cout
            << "Watts: of the GPU's board while the setting runs for a second without a pause; GU/s per watt with "
               "filter and copies.\n";
    if (areLimited)
        std::cout << "Of its limit: the speed if the unit that the kernel needs most were always busy"
                  << (peaks.cores.empty() ? "" : ", on as many cores as there are threads")
                  << "; --details shows the units.\n";
}

void printBenchmarkDetails(const std::vector<engine::BenchmarkRow>& rows, const engine::MachinePeaks& peaks)
{
    std::vector<std::vector<std::string>> runs = {{"method", "interpolation", "precision", "slices",
                                                   "middle half, GU/s", "last ÷ first quarter", "filter", "kernel",
                                                   "other", "clock before", "after", "speed, run after run"}};
    std::vector<std::vector<std::string>> kernels = {{"method", "interpolation", "precision", "slices", "registers",
                                                      "shared memory", "threads", "blocks", "occupancy"}};
    const auto mhz = [](double clock) {
        return clock > 0 ? number(std::round(clock)) + " MHz" : std::string("unknown");
    };
    for (const engine::BenchmarkRow& row : rows) {
        const engine::SpeedSpread spread = engine::speedSpreadOf(row.kernelRuns, row.kernelGups * row.kernelSeconds);
        const double other = std::max(0.0, row.totalSeconds - row.filterSeconds - row.kernelSeconds);
        const auto share = [&](double part) { return number(std::round(100 * part / row.totalSeconds)) + " %"; };
        const std::string name = methodText(row), interpolation = settingText(row),
                          precision = engine::toText(row.precision), slices = std::to_string(row.slicesPerPass);
        runs.push_back({name, interpolation, precision, slices,
                        number(spread.lowerQuartile) + " to " + number(spread.upperQuartile),
                        spread.drift > 0 ? number(spread.drift, 4) : "–", share(row.filterSeconds),
                        share(row.kernelSeconds), share(other), mhz(row.clockBeforeMhz), mhz(row.clockAfterMhz),
                        engine::curveText(spread.runs)});
        if (const engine::KernelOccupancy& kernel = row.occupancy; kernel.registers > 0)
            kernels.push_back({name, interpolation, precision, slices, std::to_string(kernel.registers),
                               number(kernel.sharedBytes / 1024.0, 3) + " KiB", std::to_string(kernel.threads),
                               std::to_string(kernel.blocks), number(100 * kernel.occupancy, 3) + " %"});
    }
    std::cout
        << "\nRuns of each setting\n\n"
        << table(runs)
        << "\nMiddle half: a quarter of the runs was slower, a quarter faster. Last ÷ first quarter: below 1 the speed "
           "fell; needs eight runs.\nFilter, kernel, other: shares of the total. Clock: before the first and after "
           "the last run.\n";
    if (kernels.size() > 1)
        std::cout << "\nKernels: registers per thread, shared memory and threads per block, blocks that a "
                     "multiprocessor holds, its threads in use\n\n"
                  << table(kernels);
    printLimits(rows, peaks);
}

void printPaper(const engine::PaperSequence& sequence, const std::vector<engine::BenchmarkRow>& rows)
{
    const auto speedsFor = [&](const std::optional<engine::ConeProblem>& problem) {
        std::string text;
        for (const engine::PaperStep& step : sequence.steps)
            if (const double speed = printedSpeed(sequence, step, problem); speed > 0)
                text += (text.empty() ? "" : ", ") + std::string(step.name) + ' ' + number(speed);
        return text + ".\n";
    };
    const bool isGups = std::string(sequence.unit) == "GUPS";
    std::cout << '\n'
              << "In the paper: " << sequence.source << ", on " << sequence.device << ", in "
              << (isGups ? "GUPS of 2³⁰ updates (1 GUPS is 1.074 GU/s)" : sequence.unit) << ".\n";
    std::vector<engine::ConeProblem> shown;
    bool hasOther = sequence.problems.empty();
    for (const engine::BenchmarkRow& row : rows) {
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

} // namespace cli
