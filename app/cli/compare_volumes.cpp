// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/compare_volumes.h"
#include "app/cli/compare_parts.h"
#include "app/cli/progress_bar.h"
#include "app/cli/reconstruct_options.h"
#include "app/cli/report_file.h"
#include "app/cli/text.h"
#include "engine/base/error.h"
#include "engine/documents/report.h"
#include "engine/io/slices/image_stack.h"
#include "engine/request/memory_limit.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <iterator>
#include <memory>

namespace cli
{

namespace
{

// Returns the numbers that both volumes have, among those requested.
std::vector<int> commonSlices(const CompareOptions& options, const Volumes& volumes)
{
    std::vector<int> one = volumes.image.numbers(), other = volumes.reference.numbers(), common;
    std::ranges::sort(one);
    std::ranges::sort(other);
    std::ranges::set_intersection(one, other, std::back_inserter(common));
    const auto text = [](const std::vector<int>& all) {
        return std::to_string(all.front()) + " to " + std::to_string(all.back());
    };
    if (!options.slices.empty()) {
        const int end = std::min(one.back(), other.back()) + 1;
        const engine::RowRange range = slicesFromText(options.slices, end);
        const int last = range.first + range.count - 1;
        engine::require(last < end && range.first >= std::max(one.front(), other.front()),
                        "slices " + options.slices + " are not in both: " + options.image + " has slices " + text(one) +
                            ", " + options.reference + " slices " + text(other));
        std::erase_if(common, [&](int slice) { return slice < range.first || slice >= range.first + range.count; });
    }
    engine::require(!common.empty(), options.image + " has slices " + text(one) + " and " + options.reference +
                                         " slices " + text(other) + ": none of the requested ones in both");
    if (options.slices.empty() && (common.size() < one.size() || common.size() < other.size()))
        std::cerr << "warning: " << options.image << " has slices " << text(one) << " and " << options.reference
                  << " slices " << text(other) << "; " << common.size() << " that both have are compared\n";
    return common;
}

std::string csvOf(const engine::VolumeDifferences& made)
{
    std::string csv = "slice";
    for (const engine::MetricRow& row : engine::metricRows())
        csv += ',' + std::string(row.id);
    for (const engine::VolumeDifferences::OfSlice& one : made.slices) {
        csv += '\n' + std::to_string(one.slice);
        for (const engine::MetricRow& row : engine::metricRows())
            csv += ',' + (std::isfinite(one.metrics.*row.value) ? number(one.metrics.*row.value, 9) : std::string());
    }
    return csv;
}

void printVolumes(const engine::VolumeDifferences& made)
{
    std::vector<std::vector<std::string>> cells{{"slice"}};
    for (const engine::MetricRow& row : engine::metricRows())
        cells.front().emplace_back(row.label);
    const auto add = [&cells](const std::string& name, const engine::Metrics& metrics) {
        cells.push_back({name});
        for (const engine::MetricRow& row : engine::metricRows())
            cells.back().push_back(figure(metrics.*row.value));
    };
    constexpr std::size_t mostLines = 24; // a screen
    if (made.slices.size() <= mostLines)
        for (const engine::VolumeDifferences::OfSlice& one : made.slices)
            add(std::to_string(one.slice), one.metrics);
    else {
        const auto& worst = *std::ranges::max_element(
            made.slices, {}, [](const auto& one) { return std::isnan(one.metrics.rmse) ? 1e300 : one.metrics.rmse; });
        add("worst: " + std::to_string(worst.slice), worst.metrics);
    }
    add("all " + std::to_string(made.slices.size()), made.whole);
    std::cout << table(cells);
    for (const engine::VolumeDifferences::OfSlice& one : made.slices)
        if (one.metrics.notFinite > 0) {
            std::cout << "slice " << one.slice << ": " << notFiniteText(one.metrics) << '\n';
            break;
        }
}

} // namespace

int compareVolumes(const CompareOptions& options, const Volumes& volumes, const engine::StoredSlice& first,
                   ReportFile& report, std::stop_token stop)
{
    engine::require(options.profile.empty(), "--profile is along a line of one slice; give --slice");
    ReportFile csv(options.csv, options.overwrite, "--csv", "s");
    csv.refuse(volumes.inputs);
    const std::vector<int> slices = commonSlices(options, volumes);
    const engine::StoredSlice other = volumes.reference.read(slices.front());
    if (!other.axes.empty())
        noteOfAxes(options, other);
    warnOfPixels(options, first.pixel, other.pixel);
    requireInside(options, first.image);
    engine::VolumeComparison comparison{.image = volumes.image,
                                        .reference = volumes.reference,
                                        .slices = slices,
                                        .mask = maskOf(options),
                                        .withSsim = options.ssim,
                                        .memoryBytes = engine::memoryLimitOf({}),
                                        .factor = factorOf(options, volumes.isUnitGiven, first, other)};
    std::unique_ptr<engine::ImageStack> stack;
    if (!options.output.empty()) {
        std::vector<std::string> numbers;
        for (const int slice : slices)
            numbers.push_back(std::to_string(slice));
        stack = std::make_unique<engine::ImageStack>(options.output,
                                                     std::vector{engine::StackAxis{"slice", "", std::move(numbers)}},
                                                     false, options.overwrite, volumes.inputs);
        comparison.onDifference = [&](int slice, const engine::Volume& difference) {
            const std::size_t place =
                static_cast<std::size_t>(std::ranges::lower_bound(slices, slice) - slices.begin());
            stack->write(std::span(&place, 1), difference, 0, first.unit);
        };
    }
    engine::VolumeDifferences made;
    {
        ProgressBar bar;
        made = engine::compareVolumes(
            comparison, [&bar](double fraction) { bar.show(fraction, "comparing"); }, stop);
    }
    const std::string json = engine::volumeDifferencesJson(made);
    if (stack)
        stack->finish(json);
    report.write(json);
    csv.write(csvOf(made));
    if (report.textWanted() && csv.textWanted())
        printVolumes(made);
    return statusOf(made.whole, options);
}

} // namespace cli
