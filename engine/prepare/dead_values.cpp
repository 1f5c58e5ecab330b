// SPDX-License-Identifier: GPL-3.0-or-later
// Repair of dead pixels, values that are not numbers and detector faults by interpolation along their row. A line
// without a single good value is copied from another projection.
#include "engine/prepare/mending.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/prepare/line_kernel.h"
#include "engine/prepare/minus_log.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <span>

namespace engine
{

namespace
{

// Replaces NaN by linear interpolation between the nearest good values, or by the nearest good value at an end.
// Leaves a line without a good value unchanged.
void mend(std::span<float> line)
{
    std::size_t lastGood = line.size();
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (std::isnan(line[i]))
            continue;
        const std::size_t first = lastGood == line.size() ? 0 : lastGood + 1;
        const float before = lastGood == line.size() ? line[i] : line[lastGood];
        for (std::size_t k = first; k < i; ++k) {
            line[k] =
                before + (line[i] - before) * static_cast<float>(k + 1 - first) / static_cast<float>(i + 1 - first);
        }
        lastGood = i;
    }
    if (lastGood == line.size())
        return;
    for (std::size_t k = lastGood + 1; k < line.size(); ++k)
        line[k] = line[lastGood];
}

// Classifies values without any light. An object never blocks the light in a few bins only, so short runs are detector
// faults and are marked as dead (noValue). Long runs are an object too dense to see through and become `darkest`.
void judgeDarkness(std::span<float> line, float darkest, MendCounts& counts)
{
    for (auto first = std::find(line.begin(), line.end(), noLight); first != line.end();) {
        const auto end = std::find_if(first, line.end(), [](float value) { return value != noLight; });
        const bool fault = end - first <= longestFault && end - first < std::ssize(line);
        std::fill(first, end, fault ? noValue : darkest);
        (fault ? counts.faults : counts.clamped) += end - first;
        first = std::find(end, line.end(), noLight);
    }
}

} // namespace

void markDarkness(std::span<float> light)
{
    for (float& value : light)
        if (value <= smallestTransmission)
            value = noLight;
}

void mendLine(LineAtWork& line, float darkest, MendCounts& counts)
{
    if (!hasMarks(line.values.data(), line.values.size()))
        return;
    int notNumbers = 0, dark = 0;
    for (const float value : line.values) {
        notNumbers += value != value;
        dark += value == noLight;
    }
    if (dark > 0)
        judgeDarkness(line.values, darkest, counts);
    mend(line.values);
    if (std::isnan(line.values.front()))
        ++counts.emptyLines;
    else if (notNumbers > line.deadPixels)
        counts.notNumbers += notNumbers - line.deadPixels;
}

void fillEmptyLines(Sinograms& sinograms, const RawRows& raw)
{
    const auto line = [&](int slice, int projection) {
        return std::span(sinograms.values)
            .subspan((static_cast<std::size_t>(slice) * sinograms.projections + projection) * sinograms.bins,
                     static_cast<std::size_t>(sinograms.bins));
    };
    for (int slice = 0; slice < sinograms.slices; ++slice) {
        std::vector<int> good;
        for (int projection = 0; projection < sinograms.projections; ++projection)
            if (!std::isnan(line(slice, projection).front()))
                good.push_back(projection);
        if (good.empty())
            throw Error(ErrorKind::badFile, "Row " + std::to_string(raw.rows.first + slice) +
                                                " holds no number in any projection. Choose another row.");
        for (int projection = 0; projection < sinograms.projections; ++projection) {
            if (!std::isnan(line(slice, projection).front()))
                continue;
            const int nearest = *std::min_element(good.begin(), good.end(), [&](int a, int b) {
                return std::abs(a - projection) < std::abs(b - projection);
            });
            std::ranges::copy(line(slice, nearest), line(slice, projection).begin());
        }
    }
}

std::vector<Note> mendNotes(const MendCounts& counts, double smallest)
{
    std::vector<Note> notes;
    if (counts.notNumbers > 0)
        notes.push_back({"not-numbers", counts.notNumbers, "value that is not a number was",
                         "values that are not numbers were", " interpolated from the neighbours in the same row."});
    if (counts.emptyLines > 0)
        notes.push_back({"empty-rows", counts.emptyLines, "row of a projection", "rows of projections",
                         " without a single good value took the values of the nearest projection."});
    if (counts.faults > 0)
        notes.push_back({"no-light", counts.faults, "value", "values",
                         " without light beside bins with light (faults of the detector, or too few photons) were "
                         "interpolated from the neighbours in the same row."});
    if (counts.clamped > 0)
        notes.push_back({"clamped", counts.clamped, "value", "values",
                         " at or below the dark level became the minimum transmission, " +
                             (smallest == leastTransmission ? "1e-6" : numberToText(smallest)) + "."});
    return notes;
}

namespace
{

StepAtWork startDeadValues(const StepArguments& arguments)
{
    const auto counts = std::make_shared<MendCounts>();
    const double smallest = smallestTransmissionOf(arguments.preparation);
    const bool isLight = arguments.quantity == Quantity::transmission;
    const float least = std::max(leastLight(), static_cast<float>(smallest));
    return {
        .apply =
            [counts, isLight, darkest = isLight ? least : minusLog(static_cast<float>(smallest))](LineAtWork& line) {
                if (isLight)
                    markDarkness(line.values);
                mendLine(line, darkest, *counts);
            },
        .finish =
            [counts, &sinograms = arguments.sinograms, &raw = arguments.raw] {
                if (counts->emptyLines > 0)
                    fillEmptyLines(sinograms, raw);
            },
        .notes = [counts, smallest] { return mendNotes(*counts, smallest); },
        .describe = [counts](LineProgram& program) { program.mended = counts; }};
}

} // namespace

extern constinit const Step deadValuesStep{
    .id = "dead-values",
    .label = "Dead values",
    .summary = "Repairs dead pixels, values that are not numbers and detector faults from the neighbours in the row.",
    .reference = "linear interpolation between the nearest good values of the row",
    .from = {.gaps = Gaps::marked},
    .to = {.gaps = Gaps::mended},
    .butNot = Quantity::counts,
    .onDevices = [](const PlannedStep&, const Preparation&) { return true; },
    .start = startDeadValues,
};

} // namespace engine
