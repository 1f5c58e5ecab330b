#include "engine/prepare/flat_field.h"

#include "engine/error.h"
#include "engine/parallel_for.h"
#include "engine/prepare/minus_log.h"
#include "engine/stoppable_resize.h"

#include <tbb/blocked_range.h>
#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iomanip>
#include <limits>
#include <new>
#include <span>
#include <sstream>

namespace engine
{

namespace
{

constexpr float dead = std::numeric_limits<float>::quiet_NaN();     // marks what is to be mended
constexpr float lightless = std::numeric_limits<float>::infinity(); // marks what is at or below the dark level

void checkShape(const RawRows& raw)
{
    const std::size_t frame = static_cast<std::size_t>(std::max(raw.rows.count, 0)) * std::max(raw.bins, 0);
    if (frame == 0 || raw.projections < 1 || raw.data.size() != frame * raw.projections ||
        raw.darks.size() != frame * raw.darkFrames || raw.flats.size() != frame * raw.flatFrames)
        throw Error(ErrorKind::badRequest,
                    "The rows that were read don't have the size that they claim: " + std::to_string(raw.projections) +
                        " projections of " + std::to_string(raw.rows.count) + " × " + std::to_string(raw.bins) + ".");
}

// Mean over the frames, leaving out what isn't a number; NaN where nothing is left.
std::vector<double> meanFrame(const std::vector<float>& frames, int count, std::size_t frameSize)
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
    long long deadPixels = 0;
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
    correction.gain.assign(frame, dead);
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
        correction.deadPixels += raw.bins - alive;
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

// Values that are NaN become the straight line between the nearest good ones, or the nearest good
// one at an end. Leaves a line without a good value as it is.
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

struct Counts {
    std::atomic<long long> notNumbers{0}; // in the data of pixels that are alive
    std::atomic<long long> faults{0};     // without light, beside bins with light: mended
    std::atomic<long long> clamped{0};    // without light over many bins
    std::atomic<long long> emptyLines{0}; // no good value in a row of a projection
};

// Values without any light. Light doesn't vanish in a few bins and stay beside them: short runs are
// detector faults (the neutron scan in the tests has 214 zeros, each alone) and marked as dead, long
// ones are an object too dense to see through and become the smallest transmission believed.
void judgeDarkness(std::span<float> line, Counts& counts)
{
    constexpr std::ptrdiff_t longestFault = 3;
    for (auto first = std::find(line.begin(), line.end(), lightless); first != line.end();) {
        const auto end = std::find_if(first, line.end(), [](float value) { return value != lightless; });
        const bool fault = end - first <= longestFault && end - first < std::ssize(line);
        std::fill(first, end, fault ? dead : minusLog(0));
        (fault ? counts.faults : counts.clamped) += end - first;
        first = std::find(end, line.end(), lightless);
    }
}

// One row of one projection to line integrals.
void prepareLine(std::span<const float> data, std::span<const double> dark, std::span<const double> gain,
                 Quantity quantity, std::span<float> line, Counts& counts)
{
    int notNumbers = 0;
    for (std::size_t bin = 0; bin < line.size(); ++bin) {
        const bool alive = quantity != Quantity::counts || !std::isnan(gain[bin]);
        if (!alive || !std::isfinite(data[bin])) {
            notNumbers += alive;
            line[bin] = dead;
        } else if (quantity == Quantity::attenuation) {
            line[bin] = data[bin];
        } else {
            const auto transmission = quantity == Quantity::transmission
                                          ? data[bin]
                                          : static_cast<float>((data[bin] - dark[bin]) * gain[bin]);
            line[bin] = transmission > 1e-6f ? minusLog(transmission) : lightless;
        }
    }
    if (quantity != Quantity::attenuation)
        judgeDarkness(line, counts);
    mend(line);
    if (std::isnan(line.front()))
        ++counts.emptyLines;
    else
        counts.notNumbers += notNumbers;
}

// Projections of a slice without a single good value take those of the nearest projection that has.
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

std::string counted(long long count, const char* one, const char* many)
{
    return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::vector<std::string> notesFor(const RawRows& raw, Quantity quantity, const Correction& correction,
                                  const Counts& counts)
{
    std::vector<std::string> notes;
    if (quantity == Quantity::counts && raw.flatFrames == 0)
        notes.push_back(
            "There is no flat field: the air beside the object (outer 5 % of the bins) was taken as the flat.");
    if (quantity == Quantity::counts && raw.darkFrames == 0)
        notes.push_back("There is no dark field: the dark level was taken as 0.");
    if (correction.deadPixels > 0)
        notes.push_back(counted(correction.deadPixels, "dead pixel was", "dead pixels were") +
                        " mended from the neighbours in the same row.");
    if (counts.notNumbers > 0)
        notes.push_back(
            counted(counts.notNumbers, "value that is not a number was", "values that are not numbers were") +
            " mended from the neighbours in the same row.");
    if (counts.emptyLines > 0)
        notes.push_back(counted(counts.emptyLines, "row of a projection", "rows of projections") +
                        " without a single good value took those of the nearest projection.");
    if (counts.faults > 0)
        notes.push_back(counted(counts.faults, "value", "values") +
                        " without light beside bins with light (faults of the detector) were mended from the "
                        "neighbours in the same row.");
    if (counts.clamped > 0) {
        std::ostringstream note;
        note << counted(counts.clamped, "value", "values") << " at or below the dark level (" << std::setprecision(2)
             << 100.0 * counts.clamped / raw.data.size() << " %) became the smallest transmission believed, 1e-6.";
        notes.push_back(note.str());
    }
    return notes;
}

} // namespace

Prepared prepareRows(const RawRows& raw, Quantity quantity, int threads, std::stop_token stop)
try {
    checkShape(raw);
    Correction correction;
    if (quantity == Quantity::counts)
        correction = correctionFor(raw);
    Prepared prepared;
    Sinograms& sinograms = prepared.sinograms;
    sinograms.slices = raw.rows.count;
    sinograms.projections = raw.projections;
    sinograms.bins = raw.bins;
    resizeStoppable(sinograms.values, raw.data.size(), stop);
    if (stop.stop_requested())
        throw Error(ErrorKind::cancelled, "Preparing the projections was cancelled.");

    const auto bins = static_cast<std::size_t>(raw.bins);
    Counts counts;
    const auto block = [&](const tbb::blocked_range<int>& range) {
        for (int projection = range.begin(); projection < range.end(); ++projection) {
            if (stop.stop_requested())
                throw Error(ErrorKind::cancelled, "Preparing the projections was cancelled.");
            for (std::size_t row = 0; row < static_cast<std::size_t>(raw.rows.count); ++row) {
                const std::size_t pixel = quantity == Quantity::counts ? row * bins : 0;
                const std::size_t width = quantity == Quantity::counts ? bins : 0;
                prepareLine(std::span(raw.data).subspan(
                                (projection * static_cast<std::size_t>(raw.rows.count) + row) * bins, bins),
                            std::span(correction.dark).subspan(pixel, width),
                            std::span(correction.gain).subspan(pixel, width), quantity,
                            std::span(sinograms.values).subspan((row * raw.projections + projection) * bins, bins),
                            counts);
            }
        }
    };
    const int available = tbb::info::default_concurrency();
    tbb::task_arena arena(threads > 0 ? std::min(threads, available) : available);
    arena.execute([&] { parallelFor(tbb::blocked_range<int>(0, raw.projections, 8), block); });
    if (counts.emptyLines > 0)
        fillEmptyLines(sinograms, raw);
    prepared.notes = notesFor(raw, quantity, correction, counts);
    return prepared;
} catch (const std::bad_alloc&) {
    throw Error(ErrorKind::noMemory, "Not enough memory to prepare " + std::to_string(raw.rows.count) + " rows of " +
                                         std::to_string(raw.bins) + " bins and " + std::to_string(raw.projections) +
                                         " projections: ask for fewer slices.");
}

} // namespace engine
