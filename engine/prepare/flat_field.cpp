// Counts to transmission: (data − dark)/(flat − dark), with frames averaged. Without flats the air beside the object
// is taken as the flat (outer 5 % of the bins, the brighter side, averaged over all projections).
#include "engine/error.h"
#include "engine/parallel_for.h"
#include "engine/prepare/line_kernel.h"
#include "engine/prepare/steps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <span>

namespace engine
{

namespace
{

// Mean of a row over the frames, leaving out what isn't a number; NaN where nothing is left.
std::vector<double> meanRow(const Values& frames, int count, const RawRows& raw, int row)
{
    const auto bins = static_cast<std::size_t>(raw.bins);
    std::vector<double> mean(bins, 0.0);
    std::vector<int> good(bins, 0);
    for (int frame = 0; frame < count; ++frame) {
        const float* values = frames.data() + (static_cast<std::size_t>(frame) * raw.rows.count + row) * bins;
        for (std::size_t bin = 0; bin < bins; ++bin)
            if (std::isfinite(values[bin])) {
                mean[bin] += values[bin];
                ++good[bin];
            }
    }
    for (std::size_t bin = 0; bin < bins; ++bin)
        mean[bin] /= good[bin];
    return mean;
}

// Values beside the object in one line, or in several.
struct Beside {
    double sum = 0;
    long long good = 0;

    void add(double value)
    {
        if (std::isfinite(value)) {
            sum += value;
            ++good;
        }
    }
    void add(const Beside& other)
    {
        sum += other.sum;
        good += other.good;
    }
    double mean() const { return good > 0 ? sum / good : 0.0; }
};

// The air beside the object, for each row: mean of data − dark over the outer 5 % of the bins of all projections, on
// the brighter side. In the order of memory, whose rows are far apart; dark: [row][bin].
std::vector<double> airOfRows(const RawRows& raw, std::span<const double> dark)
{
    const auto rows = static_cast<std::size_t>(raw.rows.count), bins = static_cast<std::size_t>(raw.bins);
    const std::size_t outer = std::max<std::size_t>(1, bins / 20);
    std::vector<std::array<Beside, 2>> lines(rows * raw.projections);
    parallelFor(0, raw.projections, [&](int projection) {
        raw.data.visit([&](const auto& numbers) {
            for (std::size_t row = 0; row < rows; ++row) {
                const std::size_t line = projection * rows + row;
                for (std::size_t k = 0; k < outer; ++k) {
                    const std::size_t right = bins - outer + k;
                    lines[line][0].add(numbers[line * bins + k] - dark[row * bins + k]);
                    lines[line][1].add(numbers[line * bins + right] - dark[row * bins + right]);
                }
            }
        });
    });
    std::vector<double> airs;
    for (std::size_t row = 0; row < rows; ++row) {
        std::array<Beside, 2> sides;
        for (int projection = 0; projection < raw.projections; ++projection)
            for (const std::size_t side : {0, 1})
                sides[side].add(lines[projection * rows + row][side]);
        airs.push_back(std::max(sides[0].mean(), sides[1].mean()));
    }
    return airs;
}

// What turns a count into transmission, for each pixel of a frame: (count − dark)·gain, gain NaN
// where the pixel is dead.
struct Correction {
    std::vector<double> dark;
    std::vector<double> gain;
    std::vector<int> deadInRow; // pixels
};

[[noreturn]] void throwDead(const RawRows& raw, int row)
{
    throw Error(ErrorKind::badFile,
                "Row " + std::to_string(raw.rows.first + row) + " of the detector is dead: its " +
                    (raw.flatFrames > 0 ? "flat field is nowhere brighter than its dark field"
                                        : "data are nowhere brighter than the dark field, and there is no flat field") +
                    ". Choose another row, check which frames are flats and which are darks, or say that its values "
                    "are no counts but transmission or line integrals.");
}

// flat: of this row.
void correctRow(std::span<const double> flat, int row, Correction& correction)
{
    const std::size_t bins = flat.size(), first = row * bins;
    int dead = 0;
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const double span = flat[bin] - correction.dark[first + bin];
        const bool good = span > 0 && std::isfinite(span);
        correction.gain[first + bin] = good ? 1 / span : noValue;
        dead += !good;
    }
    correction.deadInRow[row] = dead;
}

Correction correctionFor(const RawRows& raw)
{
    const std::size_t frame = static_cast<std::size_t>(raw.rows.count) * raw.bins;
    Correction correction{std::vector<double>(frame), std::vector<double>(frame),
                          std::vector<int>(raw.rows.count)}; // no dark frames: 0
    const auto bins = static_cast<std::size_t>(raw.bins);
    if (raw.darkFrames > 0)
        parallelFor(0, raw.rows.count, [&](int row) {
            std::ranges::copy(meanRow(raw.darks, raw.darkFrames, raw, row), correction.dark.begin() + row * bins);
        });
    const std::vector<double> airs = raw.flatFrames > 0 ? std::vector<double>() : airOfRows(raw, correction.dark);
    parallelFor(0, raw.rows.count, [&](int row) {
        std::vector<double> flat;
        if (raw.flatFrames > 0)
            flat = meanRow(raw.flats, raw.flatFrames, raw, row);
        else
            for (std::size_t bin = 0; bin < bins; ++bin)
                flat.push_back(correction.dark[row * bins + bin] + airs[row]);
        correctRow(flat, row, correction);
    });
    for (int row = 0; row < raw.rows.count; ++row)
        if (correction.deadInRow[row] == raw.bins)
            throwDead(raw, row);
    return correction;
}

void applyCorrection(const Correction& correction, LineAtWork& line)
{
    const std::size_t first = line.row * line.values.size();
    correctLine(line, correction.dark.data() + first, correction.gain.data() + first);
    line.deadPixels = correction.deadInRow[line.row];
}

std::vector<std::string> flatFieldNotes(const RawRows& raw, const Correction& correction)
{
    std::vector<std::string> notes;
    if (raw.flatFrames == 0)
        notes.push_back(
            "There is no flat field: the air beside the object (outer 5 % of the bins) was taken as the flat.");
    if (raw.darkFrames == 0)
        notes.push_back("There is no dark field: the dark level was taken as 0.");
    const long long dead = std::accumulate(correction.deadInRow.begin(), correction.deadInRow.end(), 0LL);
    if (dead > 0)
        notes.push_back(std::to_string(dead) + (dead == 1 ? " dead pixel was" : " dead pixels were") +
                        " mended from the neighbours in the same row.");
    return notes;
}

std::size_t flatFieldBytes(const RowsShape& shape)
{
    // Dark, flat, gain; and what is beside the object.
    return (3 * sizeof(double) * shape.bins + 4 * sizeof(double) * shape.projections) * shape.rows;
}

StepAtWork startFlatField(const StepArguments& arguments)
{
    const auto correction = std::make_shared<const Correction>(correctionFor(arguments.raw));
    return {.apply = [correction](LineAtWork& line) { applyCorrection(*correction, line); },
            .fetches = true,
            .notes = [correction, &raw = arguments.raw] { return flatFieldNotes(raw, *correction); },
            .describe =
                [correction](LineProgram& program) {
                    program.dark = correction->dark, program.gain = correction->gain;
                    program.deadInRow = correction->deadInRow;
                }};
}

} // namespace

extern constinit const Step flatFieldStep{
    .id = "flat-field",
    .label = "Flat field",
    .summary = "Divides what the detector counted by what it counts without the object, dark level taken away.",
    .reference = "Seibert, Boone and Lindfors, Flat-field correction technique for digital detectors, SPIE 3336, 1998",
    .from = {.quantity = Quantity::counts},
    .to = {.quantity = Quantity::transmission},
    .bytes = flatFieldBytes,
    .onDevices = true,
    .start = startFlatField,
};

} // namespace engine
