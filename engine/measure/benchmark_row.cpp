// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/measure/benchmark_row.h"

#include "engine/base/giga_updates.h"
#include "engine/prepare/median.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace engine
{

double figureOf(const std::vector<Figure>& figures, const std::string& key)
{
    const auto found = std::ranges::find(figures, key, &Figure::key);
    return found == figures.end() ? std::numeric_limits<double>::quiet_NaN() : found->value;
}

std::span<const RowField> rowFields()
{
    using Row = BenchmarkRow;
    static constexpr RowField fields[] = {{"method", &Row::method},
                                          {"geometry", &Row::geometry},
                                          {"device", &Row::device},
                                          {"plane", &Row::plane},
                                          {"output", &Row::output},
                                          {"slicesPerPass", &Row::slicesPerPass},
                                          {"slices", &Row::slices},
                                          {"size", &Row::size},
                                          {"bins", &Row::bins},
                                          {"projections", &Row::projections},
                                          {"threads", &Row::threads},
                                          {"kernelSeconds", &Row::kernelSeconds},
                                          {"kernelGups", &Row::kernelGups},
                                          {"totalSeconds", &Row::totalSeconds},
                                          {"totalGups", &Row::totalGups},
                                          {"fastestKernelSeconds", &Row::fastestKernelSeconds},
                                          {"slowestKernelSeconds", &Row::slowestKernelSeconds},
                                          {"waitedShare", &Row::waitedShare},
                                          {"filterSecondsOfRuns", &Row::filterRuns},
                                          {"kernelSecondsOfRuns", &Row::kernelRuns},
                                          {"totalSecondsOfRuns", &Row::totalRuns},
                                          {"reusedTotalSeconds", &Row::reusedTotalSeconds},
                                          {"reusedTotalGups", &Row::reusedTotalGups},
                                          {"reusedTotalSecondsOfRuns", &Row::reusedTotalRuns},
                                          {"wholeSeconds", &Row::wholeSeconds},
                                          {"alpha", &Row::alpha},
                                          {"filterSeconds", &Row::filterSeconds},
                                          {"uploadSeconds", &Row::uploadSeconds},
                                          {"downloadSeconds", &Row::downloadSeconds},
                                          {"instructionSet", &Row::instructionSet},
                                          {"texturePeakShare", &Row::texturePeakShare},
                                          {"variant", &Row::variant},
                                          {"gpuFilter", &Row::transform},
                                          {"step", &Row::step},
                                          {"paperFactor", &Row::paperFactor},
                                          {"paperFactorOpenMp", &Row::paperFactorOpenMp},
                                          {"clockBeforeMhz", &Row::clockBeforeMhz},
                                          {"clockAfterMhz", &Row::clockAfterMhz},
                                          {"watts", &Row::watts},
                                          {"totalGupsPerWatt", &Row::gupsPerWatt},
                                          {"relativeError", &Row::relativeError}};
    return fields;
}

void addFilterFigures(BenchmarkRow& row)
{
    row.figures = {{"filterSeconds", "filter", row.filterSeconds, Figure::Unit::seconds},
                   {"filterGigavalues", "filter, 10⁹ values/s",
                    1e-9 * row.slices * row.projections * row.bins / row.filterSeconds}};
}

double comparedSpeedOf(const BenchmarkRow& row)
{
    const double filtered = figureOf(row.figures, "filterGigavalues");
    return std::isnan(filtered) ? row.kernelGups : filtered;
}

std::string interpolationNameOf(const BenchmarkRow& row)
{
    return toText(row.interpolation) +
           (row.interpolation == Interpolation::oversampled ? ":" + std::to_string(row.oversampling) : "");
}

std::string nameOf(const BenchmarkRow& row)
{
    std::string name = row.method;
    for (const std::string* part : {&row.variant, &row.transform, &row.instructionSet, &row.plane, &row.output})
        if (!part->empty())
            name += " (" + *part + ")";
    return name + " " + interpolationNameOf(row) + " " + toText(row.precision) + ", " +
           std::to_string(row.slicesPerPass) + " per pass: " + std::to_string(row.bins) + " × " +
           std::to_string(row.projections) + " → " + std::to_string(row.size) + "² × " + std::to_string(row.slices);
}

void setSpeeds(BenchmarkRow& row, double updates)
{
    const auto median = [](std::vector<double> runs) { return runs.empty() ? 0 : medianOf(runs); };
    row.filterSeconds = median(row.filterRuns);
    row.kernelSeconds = median(row.kernelRuns);
    row.waitedShare = median(row.waitedRuns);
    row.uploadSeconds = median(row.uploadRuns);
    row.downloadSeconds = median(row.downloadRuns);
    row.totalSeconds = median(row.totalRuns);
    row.reusedTotalSeconds = median(row.reusedTotalRuns);
    const auto [fastest, slowest] = std::ranges::minmax(row.kernelRuns);
    row.fastestKernelSeconds = fastest;
    row.slowestKernelSeconds = slowest;
    row.kernelGups = gigaUpdatesPerSecond(updates, 1, row.kernelSeconds);
    row.totalGups = gigaUpdatesPerSecond(updates, 1, row.totalSeconds);
    row.reusedTotalGups = gigaUpdatesPerSecond(updates, 1, row.reusedTotalSeconds);
}

const BenchmarkRow* sameSetting(const std::vector<BenchmarkRow>& rows, const BenchmarkRow& row)
{
    const auto setting = [](const BenchmarkRow& one) {
        const int oversampling = one.interpolation == Interpolation::oversampled ? one.oversampling : 0;
        return std::tuple(one.method, one.variant, one.transform, one.plane, one.output, one.interpolation,
                          oversampling, one.precision, one.slicesPerPass, one.size, one.bins, one.projections,
                          one.alpha > 0 ? one.slices : 0);
    };
    const auto found = std::ranges::find(rows, setting(row), setting);
    return found == rows.end() ? nullptr : &*found;
}

} // namespace engine
