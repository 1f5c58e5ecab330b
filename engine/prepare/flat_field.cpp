// Counts to transmission: (data − dark)/(flat − dark), with frames averaged. Without flats the air beside the object
// is taken as the flat (outer 5 % of the bins, the brighter side, averaged over all projections).
#include "engine/error.h"
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

// Mean over the frames, leaving out what isn't a number; NaN where nothing is left.
std::vector<double> meanFrame(const Values& frames, int count, std::size_t frameSize)
{
    std::vector<double> mean(frameSize);
    for (std::size_t i = 0; i < frameSize; ++i) {
        double sum = 0;
        int good = 0;
        for (int frame = 0; frame < count; ++frame)
            if (const float value = frames[frame * frameSize + i]; std::isfinite(value)) {
                sum += value;
                ++good;
            }
        mean[i] = sum / good;
    }
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
        for (int projection = 0; projection < raw.projections; ++projection)
            for (int bin = first; bin < first + outer; ++bin) {
                const std::size_t pixel = static_cast<std::size_t>(row) * raw.bins + bin;
                const double value =
                    raw.data[static_cast<std::size_t>(projection) * raw.rows.count * raw.bins + pixel] - dark[pixel];
                if (std::isfinite(value)) {
                    sum += value;
                    ++good;
                }
            }
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

Correction correctionFor(const RawRows& raw)
{
    const std::size_t frame = static_cast<std::size_t>(raw.rows.count) * raw.bins;
    Correction correction;
    correction.dark = raw.darkFrames > 0 ? meanFrame(raw.darks, raw.darkFrames, frame) : std::vector<double>(frame, 0);
    std::vector<double> flat;
    if (raw.flatFrames > 0) {
        flat = meanFrame(raw.flats, raw.flatFrames, frame);
    } else {
        for (int row = 0; row < raw.rows.count; ++row) {
            const double air = airOfRow(raw, row, correction.dark);
            for (int bin = 0; bin < raw.bins; ++bin)
                flat.push_back(correction.dark[flat.size()] + air);
        }
    }
    correction.gain.assign(frame, noValue);
    for (int row = 0; row < raw.rows.count; ++row) {
        int alive = 0;
        for (int bin = 0; bin < raw.bins; ++bin) {
            const std::size_t pixel = static_cast<std::size_t>(row) * raw.bins + bin;
            const double span = flat[pixel] - correction.dark[pixel];
            if (span > 0 && std::isfinite(span)) {
                correction.gain[pixel] = 1 / span;
                ++alive;
            }
        }
        correction.deadInRow.push_back(raw.bins - alive);
        if (alive == 0)
            throw Error(ErrorKind::badFile,
                        "Row " + std::to_string(raw.rows.first + row) + " of the detector is dead: its " +
                            (raw.flatFrames > 0
                                 ? "flat field is nowhere brighter than its dark field"
                                 : "data are nowhere brighter than the dark field, and there is no flat field") +
                            ". Choose another row, check which frames are flats and which are darks, or say that "
                            "its values are no counts but transmission or line integrals.");
    }
    return correction;
}

void applyCorrection(const Correction& correction, LineAtWork& line)
{
    const std::size_t bins = line.values.size(), first = line.row * bins;
    const double* dark = correction.dark.data() + first;
    const double* gain = correction.gain.data() + first;
    float* values = line.values.data();
    for (std::size_t bin = 0; bin < bins; ++bin)
        values[bin] = static_cast<float>((values[bin] - dark[bin]) * gain[bin]);
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
