// Counts to transmission: (data − dark)/(flat − dark), with frames averaged. Without flats the air beside the object
// is taken as the flat (outer 5 % of the bins, the brighter side, averaged over all projections).
#include "engine/error.h"
#include "engine/parallel_for.h"
#include "engine/prepare/line_kernel.h"
#include "engine/prepare/steps.h"

#include <algorithm>
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

// The air beside the object in one row: mean of data − dark over the outer 5 % of the bins of all
// projections, on the brighter side.
double airOfRow(const RawRows& raw, int row, std::span<const double> dark)
{
    const int outer = std::max(1, raw.bins / 20);
    const auto meanFrom = [&](int first) {
        double sum = 0;
        long long good = 0;
        raw.data.visit([&](const auto& numbers) {
            for (int projection = 0; projection < raw.projections; ++projection)
                for (int bin = first; bin < first + outer; ++bin) {
                    const std::size_t line = static_cast<std::size_t>(projection) * raw.rows.count + row;
                    const double value = numbers[line * raw.bins + bin] - dark[bin];
                    if (std::isfinite(value)) {
                        sum += value;
                        ++good;
                    }
                }
        });
        return good > 0 ? sum / good : 0.0;
    };
    return std::max(meanFrom(0), meanFrom(raw.bins - outer));
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

void correctRow(const RawRows& raw, int row, Correction& correction)
{
    const auto bins = static_cast<std::size_t>(raw.bins), first = row * bins;
    const std::vector<double> dark =
        raw.darkFrames > 0 ? meanRow(raw.darks, raw.darkFrames, raw, row) : std::vector<double>(bins, 0);
    std::vector<double> flat;
    if (raw.flatFrames > 0) {
        flat = meanRow(raw.flats, raw.flatFrames, raw, row);
    } else {
        const double air = airOfRow(raw, row, dark);
        for (const double level : dark)
            flat.push_back(level + air);
    }
    int alive = 0;
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const double span = flat[bin] - dark[bin];
        const bool good = span > 0 && std::isfinite(span);
        correction.dark[first + bin] = dark[bin];
        correction.gain[first + bin] = good ? 1 / span : noValue;
        alive += good;
    }
    correction.deadInRow[row] = raw.bins - alive;
}

Correction correctionFor(const RawRows& raw)
{
    const std::size_t frame = static_cast<std::size_t>(raw.rows.count) * raw.bins;
    Correction correction{std::vector<double>(frame), std::vector<double>(frame), std::vector<int>(raw.rows.count)};
    parallelFor(0, raw.rows.count, [&](int row) { correctRow(raw, row, correction); });
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
    return 3 * sizeof(double) * shape.rows * shape.bins; // dark, flat, gain
}

StepAtWork startFlatField(const StepArguments& arguments)
{
    const auto correction = std::make_shared<const Correction>(correctionFor(arguments.raw));
    return {.apply = [correction](LineAtWork& line) { applyCorrection(*correction, line); },
            .fetches = true,
            .notes = [correction, &raw = arguments.raw] { return flatFieldNotes(raw, *correction); }};
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
    .start = startFlatField,
};

} // namespace engine
