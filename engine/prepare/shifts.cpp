// SPDX-License-Identifier: GPL-3.0-or-later
// Vertical shifts of projections: projections that lie too high or too low are resampled between the recorded rows
// (Catmull-Rom, four rows). This is done in sinograms, so that defects tied to the detector's rows, such as rings,
// can be removed first.
#include "engine/prepare/shifts.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/base/parallel_for.h"
#include "engine/prepare/steps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>

namespace engine
{

namespace
{

// The row or bin before a position, and the weights of the four neighbours: before − 1 to before + 2.
struct PlaceBetween {
    int before = 0;
    std::array<double, 4> weights{};
};

PlaceBetween placeBetween(double shift)
{
    const double before = std::floor(shift), t = shift - before;
    return {static_cast<int>(before),
            {0.5 * t * (t * (2 - t) - 1), 0.5 * (t * t * (3 * t - 5) + 2), 0.5 * t * (t * (4 - 3 * t) + 1),
             0.5 * t * t * (t - 1)}};
}

int rowShiftHalo(const PlannedStep&, const Preparation& preparation)
{
    double most = 0;
    for (const double shift : preparation.shiftRows)
        most = std::max(most, std::abs(shift));
    return static_cast<int>(std::ceil(most)) + 1;
}

// Shifts the rows of all projections. Beyond the detector, its outermost rows are repeated.
void shiftRows(const RowsAtWork& work, const std::vector<double>& shifts)
{
    const auto bins = static_cast<std::size_t>(work.sinograms.bins);
    const int first = work.rows.first, last = work.rows.first + work.rows.count - 1;
    parallelFor(0, work.sinograms.projections, [&](int projection) {
        throwIfStopped(work.stop);
        const auto lineOf = [&](int row) {
            const int there = std::clamp(row, first, last);
            return work.sinograms.values.data() +
                   (static_cast<std::size_t>(there) * work.sinograms.projections + projection) * bins;
        };
        const PlaceBetween between = placeBetween(shifts[static_cast<std::size_t>(projection)]);
        std::vector<float> made(work.kept.count * bins);
        for (int k = 0; k < work.kept.count; ++k) {
            const int row = work.kept.first + k + between.before;
            const std::array<const float*, 4> lines = {lineOf(row - 1), lineOf(row), lineOf(row + 1), lineOf(row + 2)};
            for (std::size_t bin = 0; bin < bins; ++bin) {
                double value = 0;
                for (std::size_t n = 0; n < lines.size(); ++n)
                    value += between.weights[n] * lines[n][bin];
                made[k * bins + bin] = static_cast<float>(value);
            }
        }
        for (int k = 0; k < work.kept.count; ++k)
            std::copy_n(made.data() + k * bins, bins, lineOf(work.kept.first + k));
    });
}

StepAtWork startRowShifts(const StepArguments& arguments)
{
    const std::vector<double>& shifts = arguments.preparation.shiftRows;
    require(static_cast<int>(shifts.size()) == arguments.raw.projections,
            "there are " + std::to_string(shifts.size()) + " shifts for " + std::to_string(arguments.raw.projections) +
                " projections");
    const auto [least, most] = std::ranges::minmax(shifts);
    return {.whole = [&shifts](const RowsAtWork& work) { shiftRows(work, shifts); },
            .notes = [low = least, high = most]() -> std::vector<Note> {
                return {"Each projection was moved by its own shift, " + numberToText(low) + " to " +
                        numberToText(high) + " rows."};
            }};
}

std::size_t rowShiftBytes(const RowsShape& shape)
{
    return sizeof(float) * shape.rows * shape.bins * 64; // the rows of one projection per thread, 64 threads assumed
}

} // namespace

Sinograms withoutShifts(const Sinograms& sinograms, std::span<const double> shiftBins)
{
    Sinograms moved = sinograms;
    const int bins = sinograms.bins;
    parallelFor(0, sinograms.slices * sinograms.projections, [&](int line) {
        const PlaceBetween place = placeBetween(shiftBins[static_cast<std::size_t>(line % sinograms.projections)]);
        const float* from = sinograms.values.data() + static_cast<std::size_t>(line) * bins;
        float* to = moved.values.data() + static_cast<std::size_t>(line) * bins;
        for (int bin = 0; bin < bins; ++bin) {
            double value = 0;
            for (int n = 0; n < 4; ++n)
                value += place.weights[static_cast<std::size_t>(n)] *
                         from[std::clamp(bin + place.before - 1 + n, 0, bins - 1)];
            to[bin] = static_cast<float>(value);
        }
    });
    return moved;
}

extern constinit const Step rowShiftsStep{
    .id = "row-shifts",
    .label = "Row shifts",
    .summary = "Moves each projection up or down by its own shift.",
    .reference = "Catmull and Rom, A class of local interpolating splines, 1974",
    .from = {.quantity = Quantity::attenuation, .layout = Layout::sinograms, .gaps = Gaps::mended},
    .takesAllProjections = true,
    .isNeeded = [](const Preparation& preparation) { return !preparation.shiftRows.empty(); },
    .halo = rowShiftHalo,
    .bytes = rowShiftBytes,
    .start = startRowShifts,
};

} // namespace engine
